"""The Celery app. A message says only where to look: what is owed stands in the database (design 3.1)."""

import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import task_postrun, task_prerun
from django.db import close_old_connections
from kombu.transport import redis, virtual
from redis.exceptions import ResponseError

# In a container everybody is root, and says so at each start.
warnings.filterwarnings("ignore", category=SecurityWarning)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clans_site.settings")


class QoS(redis.QoS):
    """Which messages a worker has taken from Redis and not acknowledged yet, at most one for each of its threads."""

    def ack(self, delivery_tag: str) -> None:
        """Count a message as done also where Redis has gone away during its task. kombu would count it as being worked
        on for ever; one for each thread, and the worker would take no other and never look for Redis again."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


class WritableChannel(redis.Channel):
    """A channel to a Redis that takes writes. One that takes none, because its disk or memory is full or because it is
    the copy of another, still answers a ping: kombu would connect again at once, several times a second."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        try:
            self.client.set(f"{self.unacked_key}_probe", "", px=1)
        except Exception:
            self.close()
            raise


redis.Channel.QoS = QoS
redis.Transport.Channel = WritableChannel
# Celery would end the worker when Redis refuses a write, and `make run` with it.
redis.Transport.connection_errors += (ResponseError,)

app = Celery("clans")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_prerun.connect
@task_postrun.connect
def keep_connections(**about: object) -> None:
    """Close a connection to the database that is old or broken, as Django does around each request."""
    close_old_connections()
