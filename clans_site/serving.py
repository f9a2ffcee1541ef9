"""What WSGI and ASGI do alike when they start to serve the site."""

from django.conf import settings


def note_served() -> None:
    """Note that this site was served with DEBUG=0, so that no command runs in it with DEBUG=1."""
    if not settings.DEBUG:
        settings.SERVED.touch()
