"""Names of browsers, by what they say of themselves."""

from __future__ import annotations

from django.utils.translation import gettext as _

# The first that fits, as most name others besides.
_BROWSERS = {
    "Edg/": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def name_browser(agent: str) -> str:
    """`Firefox on Android` by a User-Agent, what is known of it, or the beginning of what the browser says."""
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or agent[:40] or _("unknown")
