from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from threading import Barrier, Thread

import pytest
from kombu import Connection, Consumer, Message, Queue as Entity
from kombu.exceptions import EncodeError

from clans_site.broker import Channel

ROOT = Path(__file__).parents[2]
ENQUEUE = """
import math, socket, time
waits = []
settimeout, sleep = socket.socket.settimeout, time.sleep

def set_timeout(self, seconds):
    waits.append(math.inf if seconds is None else seconds)
    settimeout(self, seconds)

def pause(seconds):
    waits.append(seconds)
    sleep(seconds)

socket.socket.settimeout, time.sleep = set_timeout, pause
from clans_site.celery import app
from kombu.exceptions import OperationalError
app.amqp, app.connection_for_write().transport
try:
    app.send_task("games.tasks.sweep", retry=False)
except OperationalError:
    print(sum(waits))
"""
"""Prints for how many seconds it would wait at most: all timeouts of sockets and all pauses. How many pass by the clock
hangs on what else the machine does."""


def connect(folder: Path, **more: float) -> Connection:
    """kombu remembers by name which queues of this process are bound: each test has one of another name."""
    (folder / "queue").mkdir(exist_ok=True)
    options = {
        **more,
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "control_folder": str(folder / "control"),
    }
    return Connection("filesystem://localhost/", transport="clans_site.broker:Transport", transport_options=options)


def channel_of(connection: Connection) -> Channel:
    channel = connection.default_channel
    assert isinstance(channel, Channel)
    return channel


def test_it_hands_on_messages_in_order(tmp_path: Path) -> None:
    with connect(tmp_path) as sender, connect(tmp_path) as receiver:
        outgoing, incoming = sender.SimpleQueue("clans"), receiver.SimpleQueue("clans")
        for number in range(3):
            outgoing.put({"number": number})
        assert [incoming.get(timeout=60).payload["number"] for _ in range(3)] == [0, 1, 2]


def test_it_hands_on_the_lowest_priority_number_first_as_redis_does(tmp_path: Path) -> None:
    with connect(tmp_path) as sender, connect(tmp_path) as receiver:
        outgoing, incoming = sender.SimpleQueue("urgent"), receiver.SimpleQueue("urgent")
        for number, priority in enumerate((6, 3, 0, 6, 0)):
            outgoing.put({"number": number}, priority=priority)
        assert [incoming.get(timeout=60).payload["number"] for _ in range(5)] == [2, 4, 1, 0, 3]


def test_it_hands_each_message_to_one_of_several_that_read(tmp_path: Path) -> None:
    with connect(tmp_path) as sender, connect(tmp_path) as one, connect(tmp_path) as other:
        for number in range(6):
            sender.SimpleQueue("shared").put({"number": number})
        queues = [one.SimpleQueue("shared"), other.SimpleQueue("shared")] * 3
        assert [queue.get(timeout=60).payload["number"] for queue in queues] == list(range(6))


def test_it_goes_on_when_a_task_ends_however_seldom_it_looks_for_messages(tmp_path: Path) -> None:
    taken: Queue[Message] = Queue()

    def consume() -> None:
        with connect(tmp_path, polling_interval=3600.0) as connection:
            channel = channel_of(connection)
            channel.basic_qos(0, 1, False)
            with Consumer(channel, [Entity("ending")], on_message=taken.put, accept=["json"]):
                connection.drain_events()
                connection.drain_events()

    with connect(tmp_path) as sender:
        for number in range(2):
            sender.SimpleQueue("ending").put({"number": number})
    Thread(target=consume, daemon=True).start()
    taken.get(timeout=60).ack()
    assert taken.get(timeout=60).payload == {"number": 1}


def test_it_waits_no_longer_than_it_is_asked_to_while_no_task_ends(tmp_path: Path) -> None:
    with connect(tmp_path) as connection:
        connection.SimpleQueue("full").put({})
        channel = channel_of(connection)
        channel.basic_qos(0, 1, False)
        with Consumer(channel, [Entity("full")], on_message=lambda message: None, accept=["json"]):
            connection.drain_events()
            with pytest.raises(TimeoutError):
                connection.drain_events(timeout=0.05)


def test_it_shows_no_message_that_is_not_whole(tmp_path: Path) -> None:
    with connect(tmp_path) as connection:
        channel = channel_of(connection)
        with pytest.raises((EncodeError, TypeError)):
            channel._put("clans", {"not": object()})
        assert channel._size("clans") == 0


@pytest.mark.parametrize("left", [b"", bytes(300), b'{"body": "W1\xff'])
def test_it_drops_a_message_that_a_power_cut_has_damaged(tmp_path: Path, left: bytes) -> None:
    with connect(tmp_path) as sender, connect(tmp_path) as receiver:
        name = f"damaged{len(left)}"
        incoming = receiver.SimpleQueue(name)
        (tmp_path / "queue" / f"0_0_first.{name}.msg").write_bytes(left)
        sender.SimpleQueue(name).put({"number": 1})
        assert incoming.get(timeout=60).payload == {"number": 1}
        assert not list((tmp_path / "queue").iterdir())


@pytest.mark.parametrize("left", [b"", bytes(300)])
def test_it_binds_a_queue_again_that_a_power_cut_has_forgotten(tmp_path: Path, left: bytes) -> None:
    name = f"forgotten{len(left)}"
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / f"{name}.exchange").write_bytes(left)
    with connect(tmp_path) as sender, connect(tmp_path) as receiver:
        sender.SimpleQueue(name).put({"number": 1})
        assert receiver.SimpleQueue(name).get(timeout=60).payload == {"number": 1}


def test_it_binds_a_queue_that_all_processes_declare_at_once(tmp_path: Path) -> None:
    for attempt in range(20):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        barrier = Barrier(8)

        def declare(number: int, folder: Path = folder, barrier: Barrier = barrier) -> None:
            with connect(folder) as connection:
                channel = channel_of(connection)
                barrier.wait()
                channel._queue_bind("clans", "key", "", f"clans{number}")

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(declare, range(8)))
        with connect(folder) as connection:
            bound = {row.queue for row in channel_of(connection).get_table("clans")}
        assert bound == {f"clans{number}" for number in range(8)}


@pytest.fixture
def nobody() -> Iterator[int]:
    """A port that refuses."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.fixture
def silence() -> Iterator[int]:
    """A port that accepts, and never says a word."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen(8)
        yield bound.getsockname()[1]


@pytest.mark.parametrize("port", ["nobody", "silence"])
def test_it_gives_up_soon_on_a_broker_that_is_down(port: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    url = f"redis://127.0.0.1:{request.getfixturevalue(port)}/0"
    done = subprocess.run(
        [sys.executable, "-c", ENQUEUE],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path), "CELERY_BROKER_URL": url},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert 0 < float(done.stdout) < 3
