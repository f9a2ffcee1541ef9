"""What goes with serving the site, whatever interface a server speaks."""

from django.conf import settings


def note_served() -> None:
    """From now on nobody takes this site for one that is being tried out."""
    if not settings.DEBUG:
        settings.SERVED.touch()
