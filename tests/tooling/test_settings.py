from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from kombu import Connection

from clans_site.environment import folder_in
from tests.servers import free_port
from tests.tooling.programs import of_the_site

ROOT = Path(__file__).parents[2]
PRODUCTION = {
    "DEBUG": "0",
    "SECRET_KEY": "x3" * 30,
    "SITE_URL": "https://clans.example.com",
    "EMAIL_URL": "smtp://mail.example.com",
}
KNOWN = "insecure-key-for-development-only-and-known-to-everybody"
READ = re.compile(r"""(?:env\.\w+|folder_in|whole_number)\(\s*"([A-Z_]+)"|environ\.get\("([A-Z_]+)"|\$\{([A-Z_]+)""")
DOCUMENTED = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)

SettingsWith = Callable[..., SimpleNamespace]


@pytest.fixture
def settings_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SettingsWith:
    """What the settings are under this environment alone."""

    def read(**environment: str) -> SimpleNamespace:
        for name in os.environ:
            monkeypatch.delenv(name)
        for name, value in {"VAR_DIR": str(tmp_path), **environment}.items():
            monkeypatch.setenv(name, value)
        return SimpleNamespace(**runpy.run_path(str(ROOT / "clans_site/settings.py")))

    return read


def test_it_documents_each_setting_that_is_read_from_the_environment() -> None:
    sources = [*ROOT.glob("clans_site/*.py"), ROOT / "Procfile"]
    read = {name for source in sources for found in READ.findall(source.read_text()) for name in found if name}
    assert read == set(DOCUMENTED.findall((ROOT / "docs/operating.md").read_text()))


def test_it_needs_no_environment(settings_with: SettingsWith) -> None:
    settings = settings_with()
    assert settings.DEBUG
    assert settings.SITE_URL == "http://localhost:8000"


def test_it_keeps_others_of_the_machine_out_of_its_data(settings_with: SettingsWith, tmp_path: Path) -> None:
    made = tmp_path / "made by hand"
    made.mkdir(mode=0o755)
    for folder in (made, tmp_path / "new"):
        settings_with(VAR_DIR=str(folder))
        assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("missing", ["SECRET_KEY", "EMAIL_URL", "SITE_URL"])
def test_it_refuses_in_one_line_to_serve_others_with_what_all_know(settings_with: SettingsWith, missing: str) -> None:
    with pytest.raises(SystemExit, match=f"^[^\n]*{missing}[^\n]*$"):
        settings_with(**{name: value for name, value in PRODUCTION.items() if name != missing})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "maybe"),
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", KNOWN),
        ("SECRET_KEY", "...         # python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"),
        ("SECRET_KEY_FALLBACKS", "short"),
        ("SECRET_KEY_FALLBACKS", KNOWN),
        ("SECRET_KEY_FALLBACKS", f"{'a7' * 30},{'b8' * 30}"),
        ("EMAIL_URL", "foo"),
        ("EMAIL_URL", "foo://mail.example.com"),
        ("EMAIL_URL", "anymail+foo://?api_key=key"),
        ("EMAIL_URL", "anymail+base://?api_key=key"),
        ("EMAIL_URL", "anymail+mailgun://?api_key"),
        ("ALLOWED_HOSTS", "https://clans.example.com"),
        ("ALLOWED_HOSTS", "clans.example.com:8443"),
        ("ALLOWED_HOSTS", "clans.example.com www.example.com"),
        ("BOUNCE_ADDRESS", "bounces"),
        ("BOUNCE_ADDRESS", "Bounces <bounces@example.com>"),
        ("BOUNCE_WEBHOOK_SECRET", "name:the-lake-is-frozen"),  # with a mail server
        ("CELERY_BROKER_URL", "localhost"),
        ("CELERY_BROKER_URL", "foo://localhost"),
        ("CELERY_BROKER_URL", "redis://localhost:abc/0"),
        ("DATABASE_URL", "foo"),
        ("DATABASE_URL", "mysql://clans:secret@db.example.com/clans"),
        ("DATABASE_URL", "postgres://db.example.com"),
        ("DEFAULT_FROM_EMAIL", "abc"),
        ("DEFAULT_FROM_EMAIL", "Clans, by mail <clans@example.com>"),
        ("EMAIL_URL", "smtp://"),
        ("EMAIL_URL", "submission://user:password@"),
        ("LOG_LEVEL", "loud"),
        ("REPLY_LOCAL_KEYS", "/var/lib/clans/keys.json"),  # on a site for others
        ("REPLY_RESOLVER", "localhost:53"),
        ("REPLY_RESOLVER", "127.0.0.1"),
        ("REPLY_RESOLVER", "127.0.0.1:dns"),
        ("REPLY_TRUSTED_HOST", "mx.example.com, mx2.example.com"),
        ("MAIL_LEASE_SECONDS", "0"),
        ("MAIL_WAIT_SECONDS", "-3"),
        ("MAILS_A_CONNECTION", "0"),
        ("PORT", "abc"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("REDIS_URL", "foo"),
        ("REDIS_URL", "http://localhost:6379"),
        ("REDIS_URL", "redis://localhost:abc/0"),
        ("REDIS_URL", "redis://localhost:6379/zero"),
        ("REDIS_URL", "redis:///run/redis/redis.sock"),
        ("REPLY_LISTEN", "127.0.0.1:8024"),
        ("REPLY_LISTEN", "http://127.0.0.1:8024"),
        ("REPLY_LISTEN", "lmtp://127.0.0.1"),
        ("REPLY_LISTEN", "smtp://127.0.0.1:70000"),
        ("REPLY_MAILBOX", "imap.example.com"),
        ("REPLY_MAILBOX", "imaps://imap.example.com"),
        ("REPLY_MAILBOX", "imaps://clans:secret@imap.example.com:imaps"),
        ("REPLY_MAILBOX", "pop3://clans:secret@imap.example.com"),
        ("SITE_URL", "clans.example.com"),
        ("SITE_URL", "ftp://clans.example.com"),
        ("SITE_URL", "https://clans.example.com/clans"),
        ("SITE_URL", "https://clans.example.com:eighty"),
        ("SITE_URL", "https://"),
        ("TRUSTED_PROXIES", "two"),
        ("TRUSTED_PROXIES", "-1"),
    ],
)
def test_it_says_in_one_line_what_cannot_be_read(settings_with: SettingsWith, name: str, value: str) -> None:
    with pytest.raises(SystemExit, match=f"^[^\n]*{name}[^\n]*$"):
        settings_with(**PRODUCTION | {name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgres://clans:pa/ss@localhost/clans"),
        ("EMAIL_URL", "submission://clans:pa#ss@mail.example.com"),
        ("REPLY_MAILBOX", "imaps://clans:pa/ss@imap.example.com"),
    ],
)
def test_it_says_how_to_write_what_cuts_a_password_short(settings_with: SettingsWith, name: str, value: str) -> None:
    with pytest.raises(SystemExit, match=f"{name} .*with / or # in a password as %2F or %23"):
        settings_with(**PRODUCTION | {name: value})


@pytest.mark.parametrize(
    ("name", "value"), [("REPLY_LISTEN", "lmtp://127.0.0.1:8024"), ("REPLY_MAILBOX", "imaps://a:b@imap.example.com")]
)
def test_it_takes_answers_in_only_where_mails_can_be_answered(
    settings_with: SettingsWith, name: str, value: str
) -> None:
    served = PRODUCTION | {name: value}
    with pytest.raises(SystemExit, match=f"^[^\n]*{name}[^\n]*REPLY_ADDRESS[^\n]*$"):
        settings_with(**served)
    assert settings_with(**served, REPLY_ADDRESS="turn@example.com").REPLY_ADDRESS


def test_an_empty_folder_means_the_usual_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And not the one of the project, where `VAR_DIR=` would begin a second, empty site."""
    monkeypatch.setenv("VAR_DIR", "")
    assert folder_in("VAR_DIR", tmp_path) == tmp_path


def test_it_says_in_one_line_that_its_folder_cannot_be_made(settings_with: SettingsWith, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file/var", Path("/proc/var")):
        with pytest.raises(SystemExit, match=f"^[^\n]*VAR_DIR={folder} cannot be made[^\n]*$"):
            settings_with(VAR_DIR=str(folder))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALLOWED_HOSTS", "clans.example.com,.example.com,127.0.0.1,[::1],[2001:DB8::1]"),
        ("ALLOWED_HOSTS", "Clans.example.com"),
        ("ALLOWED_HOSTS", "192.0.2.1,.example.com"),
        ("ALLOWED_HOSTS", "*"),
        ("CELERY_BROKER_URL", "redis://localhost:6379/1"),
        ("CELERY_BROKER_URL", "sentinel://one:26379;sentinel://two:26379"),
        ("DEFAULT_FROM_EMAIL", "clans@example.com"),
        ("LOG_LEVEL", "debug"),
        ("MAIL_WAIT_SECONDS", "0"),
        ("PORT", "65535"),
        ("REPLY_RESOLVER", "[::1]:5353"),
        ("REPLY_TRUSTED_HOST", "MX.example.com"),
        ("SECRET_KEY_FALLBACKS", f" {'x4' * 30}  {'x5' * 30} "),
        ("REDIS_URL", "unix:///run/redis.sock"),
        ("REDIS_URL", "redis://localhost"),
        ("REDIS_URL", "redis://localhost/?db=3"),
        ("REPLY_LISTEN", "lmtp:///run/clans/inbox"),
        ("REPLY_LISTEN", "smtp://[::1]:8025"),
        ("REPLY_MAILBOX", "imap+starttls://clans%40example.com:a%2Fb@imap.example.com:143/Clans"),
        ("REDIS_URL", "rediss://:secret@cache.example.com:6380/0"),
        ("SITE_URL", "http://192.168.1.5:8000"),
        ("SITE_URL", "https://clans.example.com:8443/"),
    ],
)
def test_it_takes_whatever_can_be_meant(settings_with: SettingsWith, name: str, value: str) -> None:
    assert not settings_with(**PRODUCTION | {"REPLY_ADDRESS": "turn@example.com", name: value}).DEBUG


def test_it_takes_several_keys_of_before_also_with_a_comma_in_one(settings_with: SettingsWith) -> None:
    keys = ["a7" * 30, f"{'b8' * 30},c9"]
    settings = settings_with(**PRODUCTION | {"SECRET_KEY_FALLBACKS": " ".join(keys)})
    assert keys == settings.SECRET_KEY_FALLBACKS


def example_of_a_server() -> dict[str, str]:
    """The environment file of the guide as systemd reads it: only whole lines are comments."""
    [block] = re.findall(
        r"^```\n(DEBUG=0\n.*?)^```", (ROOT / "docs/operating.md").read_text(), re.DOTALL | re.MULTILINE
    )
    lines = [line for line in block.splitlines() if not line.startswith("#")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def test_it_takes_the_example_of_the_guide_once_it_has_a_key_of_its_own(settings_with: SettingsWith) -> None:
    example = example_of_a_server()
    settings = settings_with(**example | {"SECRET_KEY": PRODUCTION["SECRET_KEY"]})
    assert settings.DEFAULT_FROM_EMAIL == "Clans by mail <clans@example.com>"
    assert not any("#" in value for value in example.values())
    with pytest.raises(SystemExit, match="SECRET_KEY"):
        settings_with(**example)


def test_it_answers_to_its_own_name_alone_on_a_server(settings_with: SettingsWith) -> None:
    assert settings_with(**PRODUCTION).ALLOWED_HOSTS == ["clans.example.com"]
    assert settings_with(**PRODUCTION | {"ALLOWED_HOSTS": ""}).ALLOWED_HOSTS == ["clans.example.com"]
    by_number = {"SITE_URL": "http://[2001:db8::1]:8000", "DEFAULT_FROM_EMAIL": "clans@example.com"}
    assert settings_with(**PRODUCTION | by_number).ALLOWED_HOSTS == ["[2001:db8::1]"]


@pytest.mark.parametrize(("site_url", "proxies"), [("https://clans.example.com", 1), ("http://localhost:8000", 0)])
def test_it_believes_a_proxy_only_where_there_is_one(settings_with: SettingsWith, site_url: str, proxies: int) -> None:
    settings = settings_with(**PRODUCTION | {"SITE_URL": site_url})
    assert proxies == settings.ALLAUTH_TRUSTED_PROXY_COUNT
    assert bool(settings.SECURE_PROXY_SSL_HEADER) == bool(proxies)


def test_it_switches_to_postgresql(settings_with: SettingsWith) -> None:
    database = settings_with(DATABASE_URL="postgres://clans:secret@db.example.com:5433/clans").DATABASES["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert database["HOST"] == "db.example.com"
    assert database["OPTIONS"] == {
        "options": "-c random_page_cost=1.1",
        "connect_timeout": 5,
        "tcp_user_timeout": 10_000,
    }


def test_it_leaves_options_of_postgresql_to_the_operator(settings_with: SettingsWith) -> None:
    url = "postgres://db.example.com/clans?sslmode=require&options=-c%20jit%3Doff&connect_timeout=9"
    database = settings_with(DATABASE_URL=url).DATABASES["default"]
    mine = {"sslmode": "require", "options": "-c jit=off", "connect_timeout": 9}
    assert database["OPTIONS"] == mine | {"tcp_user_timeout": 10_000}


def test_it_switches_queue_and_cache_to_redis(settings_with: SettingsWith) -> None:
    url = "redis://cache.example.com/3"
    settings = settings_with(REDIS_URL=url)
    assert settings.CELERY_BROKER_URL == settings.CACHES["default"]["LOCATION"] == url


def test_it_tells_celery_of_a_redis_at_a_socket_in_celerys_words(settings_with: SettingsWith, tmp_path: Path) -> None:
    settings = settings_with(REDIS_URL=f"unix://{tmp_path}/redis.sock?db=3")
    assert settings.CACHES["default"]["LOCATION"] == f"unix://{tmp_path}/redis.sock?db=3"
    # Raises KeyError for what it does not know.
    assert Connection(settings.CELERY_BROKER_URL).transport.driver_type == "redis"
    assert f"redis+socket://{tmp_path}/redis.sock?virtual_host=3" == settings.CELERY_BROKER_URL


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://mail.example.com", 25, False, False),
        ("submission://a:b@mail.example.com", 587, True, False),
        ("submission://a:b@mail.example.com:465", 465, False, True),
        ("submission://a:b@mail.example.com:465?ssl=1", 465, False, True),
    ],
)
def test_it_switches_to_a_mail_server(settings_with: SettingsWith, url: str, port: int, tls: bool, ssl: bool) -> None:
    settings = settings_with(EMAIL_URL=url)
    assert settings.EMAIL_HOST == "mail.example.com"
    assert (port, tls, ssl) == (settings.EMAIL_PORT, settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL)


def test_it_switches_to_envelope_senders_of_their_own(settings_with: SettingsWith) -> None:
    assert settings_with(BOUNCE_ADDRESS="bounces@example.com").BOUNCE_ADDRESS == "bounces@example.com"


PROVIDER = "anymail+amazon-ses://?access_key_id=key&session_token=a%2Bb%26c"


def test_it_switches_to_a_mail_provider(settings_with: SettingsWith) -> None:
    settings = settings_with(EMAIL_URL=PROVIDER, BOUNCE_WEBHOOK_SECRET="name:the-lake-is-frozen")
    assert (settings.MAIL_PROVIDER, settings.EMAIL_BACKEND) == (
        "amazon_ses",
        "games.mail.transport.provider.ProviderBackend",
    )
    options = {name: settings.ANYMAIL[f"AMAZON_SES_{name}"] for name in ("ACCESS_KEY_ID", "SESSION_TOKEN")}
    assert options == {"ACCESS_KEY_ID": "key", "SESSION_TOKEN": "a+b&c"}
    assert settings.ANYMAIL["WEBHOOK_SECRET"] == "name:the-lake-is-frozen"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOUNCE_ADDRESS", "bounces@example.com"),
        ("BOUNCE_WEBHOOK_SECRET", "short:secret"),
        ("BOUNCE_WEBHOOK_SECRET", "a-secret-without-a-name"),
    ],
)
def test_it_says_in_one_line_what_does_not_go_with_a_mail_provider(
    settings_with: SettingsWith, name: str, value: str
) -> None:
    with pytest.raises(SystemExit, match=f"^[^\n]*{name}[^\n]*$"):
        settings_with(**{"EMAIL_URL": PROVIDER, name: value})


def test_it_keeps_its_data_from_other_users_of_the_machine(settings_with: SettingsWith, tmp_path: Path) -> None:
    settings_with(VAR_DIR=str(tmp_path / "var"))
    assert (tmp_path / "var").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "command", [("manage.py", "sweep"), ("-m", "clans_site.run"), ("-m", "celery", "-A", "clans_site", "report")]
)
@pytest.mark.parametrize("interface", ["wsgi", "asgi"])
def test_it_takes_no_site_in_use_for_one_that_is_tried_out(
    tmp_path: Path, command: tuple[str, ...], interface: str
) -> None:
    (tmp_path / "static").mkdir()
    assert of_the_site(tmp_path, "-c", f"import clans_site.{interface}", **PRODUCTION).returncode == 0
    done = of_the_site(tmp_path, *command, PORT=str(free_port()))
    assert done.returncode == 1
    assert re.fullmatch(f"Clans by mail: the site in {tmp_path} is served with DEBUG=0[^\n]*\n", done.stderr)


def test_it_goes_on_with_what_was_tried_out_or_is_in_use(settings_with: SettingsWith, tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    assert of_the_site(tmp_path, "-c", "import clans_site.wsgi", DEBUG="1").returncode == 0
    assert settings_with().DEBUG
    assert of_the_site(tmp_path, "-c", "import clans_site.wsgi", **PRODUCTION).returncode == 0
    assert not settings_with(**PRODUCTION).DEBUG


def test_its_pages_are_loaded_before_gunicorn_forks(tmp_path: Path) -> None:
    """Else each process loads them for itself, at the first request that it gets."""
    done = of_the_site(tmp_path, "-c", "import sys, clans_site.wsgi; print('games.pages.table.page' in sys.modules)")
    assert (done.returncode, done.stdout) == (0, "True\n")


def test_it_waits_for_a_database_that_another_writes(tmp_path: Path) -> None:
    ask = "[connection.cursor().execute(f'PRAGMA {name}').fetchone()[0] for name in ('journal_mode', 'synchronous')]"
    done = subprocess.run(
        [sys.executable, "-c", f"from django.db import connection; print({ask}, connection.transaction_mode)"],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "clans_site.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "['wal', 1] IMMEDIATE"


def test_it_runs_tests_away_from_a_database_in_use() -> None:
    assert Path(os.environ["VAR_DIR"]) != ROOT / "var"
