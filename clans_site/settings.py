"""Settings: one file, read from the environment, with a default for everything that a first look needs.

docs/operating.md lists every variable; a test keeps that list complete.
"""

import logging
import os
import re
from email.utils import parseaddr
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from celery.schedules import crontab
from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _
from kombu.transport import TRANSPORT_ALIASES

from clans_site.environment import checked_setting, env, folder_in, whole_number
from games.limits import allauth_rates

ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")
ESCAPED = "with / or # in a password as %2F or %23"

# --- Folder, mode and keys ------------------------------------------------------------------------

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = folder_in("VAR_DIR", BASE_DIR / "var")
try:
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
except OSError as error:
    raise SystemExit(f"Clans by mail: the folder VAR_DIR={VAR_DIR} cannot be made ({error.strerror}).") from None
if not os.access(VAR_DIR, os.W_OK | os.X_OK):
    raise SystemExit(f"Clans by mail: the folder VAR_DIR={VAR_DIR} is not this user's to write in.")
# The database holds what nobody may see before a game is over.
if VAR_DIR.stat().st_mode & 0o077 and VAR_DIR.stat().st_uid == os.geteuid():
    VAR_DIR.chmod(0o700)

with checked_setting("DEBUG", "0 or 1"):
    DEBUG = env.bool("DEBUG", True)
# Without the site's environment a command would put mails that are owed into the mailbox, and count them as sent.
SERVED = VAR_DIR / "served"
if DEBUG and SERVED.exists():
    raise SystemExit(
        f"Clans by mail: the site in {VAR_DIR} is served with DEBUG=0, so this needs the environment of that site, "
        "or a VAR_DIR of its own (docs/operating.md)."
    )
KNOWN_KEY = "insecure-key-for-development-only-and-known-to-everybody"
SECRET_KEY = env.str("SECRET_KEY", KNOWN_KEY if DEBUG else "")
if not DEBUG and (len(SECRET_KEY) < 50 or SECRET_KEY == KNOWN_KEY):
    raise SystemExit(
        "Clans by mail: DEBUG is off, so SECRET_KEY must be set, to 50 random letters or more (docs/operating.md)."
    )
# A comment behind the key would be part of it, and make any key long enough.
with checked_setting("SECRET_KEY", "Vq3_…, random letters without blanks and with no comment behind them"):
    if any(letter.isspace() for letter in SECRET_KEY):
        raise ValueError("blanks")
# Keys of before: what they have signed stays good.
SECRET_KEY_FALLBACKS = env.str("SECRET_KEY_FALLBACKS", "").split()
with checked_setting("SECRET_KEY_FALLBACKS", "Vq3_… or Vq3_… x7Rt…, keys of before with blanks between them"):
    if any(len(key) < 50 or (key == KNOWN_KEY and not DEBUG) for key in SECRET_KEY_FALLBACKS):
        raise ValueError("unsafe")
    # A key may have a comma, but two with one between them would be one that has signed nothing.
    if any("," in key and min(map(len, key.split(","))) >= 50 for key in SECRET_KEY_FALLBACKS):
        raise ValueError("two keys in one")
for name in ("EMAIL_URL", "SITE_URL"):
    if not (DEBUG or env.str(name, "")):
        raise SystemExit(f"Clans by mail: DEBUG is off, so {name} must be set (docs/operating.md).")
EMAIL_URL = env.str("EMAIL_URL", "")

# --- Addresses of the site ------------------------------------------------------------------------

with checked_setting("PORT", "8000, and is 65535 at most"):
    if (PORT := whole_number("PORT", 8000)) > 65535:
        raise ValueError(PORT)
# Links in mails start with this. Passkeys need a name here: browsers give none to 127.0.0.1.
with checked_setting("SITE_URL", "https://clans.example.com, with http:// or https:// and no path"):
    SITE_URL = env.str("SITE_URL", f"http://localhost:{PORT}").rstrip("/")
    if not re.fullmatch(r"https?://([\w.-]+|\[[0-9a-f:]+\])(:\d{1,5})?", SITE_URL):
        raise ValueError(SITE_URL)
HTTPS = SITE_URL.startswith("https://")
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
SITE_HOST = re.sub(r":\d+$", "", urlsplit(SITE_URL).netloc.lower())
# With an address among them the site would start, and answer 400 to everybody.
with checked_setting("ALLOWED_HOSTS", "clans.example.com,www.example.com, names without https:// and port"):
    # An empty variable counts as none: nobody means a site that answers nobody.
    ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", []) or [SITE_HOST, *(LOCAL_HOSTS if DEBUG else [])]
    if not all(re.fullmatch(r"\*|\.?[\w.-]+|\[[0-9A-Fa-f:.]+\]", host) for host in ALLOWED_HOSTS):
        raise ValueError(ALLOWED_HOSTS)
# The site itself speaks HTTP only, so behind an https address there is at least one proxy.
TRUSTED_PROXIES = whole_number("TRUSTED_PROXIES", 1 if HTTPS else 0, least=0)

# --- Apps, middleware and templates ---------------------------------------------------------------

ROOT_URLCONF = "clans_site.urls"
WSGI_APPLICATION = "clans_site.wsgi.application"

INSTALLED_APPS = [
    "games",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "whitenoise.runserver_nostatic",
    "games.apps.OperatorsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "clans_site.logs.request_id",
    "games.pages.middleware.note_refusals",
    "games.pages.headers.same_origin",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "games.api.problems.tell_errors_as_problems",
    "games.pages.table.poll.respond_to_polls_early",
    "clans_site.frames.room_for_frames",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "games.pages.headers.old_cookies",
    "games.pages.headers.uncached",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "games.pages.middleware.last_player",
    "games.pages.middleware.player_language",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.pages.middleware.player_clock",
    "games.pages.middleware.wrong_way",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.pages.middleware.SiteNotFound",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.pages.context.waiting_count",
                "games.pages.context.new_reports",
                "games.pages.theme.theme_of",
            ],
        },
    },
]

# --- Database and cache ---------------------------------------------------------------------------

with checked_setting("DATABASE_URL", f"postgres://user:password@host/name, {ESCAPED}"):
    DATABASES = {
        "default": env.dj_db_url(
            "DATABASE_URL", f"sqlite:///{VAR_DIR}/clans.sqlite3", conn_max_age=600, conn_health_checks=True
        )
    }
    # Of what Django knows, these two are tested.
    if DATABASES["default"]["ENGINE"] not in {"django.db.backends.sqlite3", "django.db.backends.postgresql"}:
        raise ValueError(DATABASES["default"]["ENGINE"])
    if not DATABASES["default"]["NAME"]:
        raise ValueError("no name")
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Without IMMEDIATE a transaction that reads before it writes fails at once when another writes.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;",
    }
else:
    # As PostgreSQL advises for disks without moving parts. It takes them for slow at reading here and there, and reads
    # whole tables where an index has all that a search needs.
    DATABASES["default"]["OPTIONS"] = {
        "options": "-c random_page_cost=1.1",
        # A server that the network no longer reaches is away; else each thread would wait for it for minutes.
        "connect_timeout": 5,
        "tcp_user_timeout": 10_000,
        **DATABASES["default"].get("OPTIONS", {}),
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Sign-in attempts are counted here, so all processes must share it.
REDIS_URL = env.str("REDIS_URL", "")
with checked_setting("REDIS_URL", "redis://localhost:6379/0"):
    if REDIS_URL and not re.match(r"rediss?://[^\s/?]+(/\d*)?(\?|$)|unix://\S", REDIS_URL):
        raise ValueError(REDIS_URL)
    urlsplit(REDIS_URL).port  # noqa: B018 - raises ValueError for what is no port
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    if REDIS_URL
    else {
        "BACKEND": "clans_site.cache.FileCache",
        "LOCATION": VAR_DIR / "cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

# --- Language and time ----------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
# Looking up translations of which there are none would take a sixth of a table's page.
USE_I18N = len(LANGUAGES) > 1
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["clans_site.formats"]
SERIALIZATION_MODULES = {"json": "clans_site.exact_json"}
TIME_ZONE = "UTC"

# --- Static files, and files that the site makes --------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MIMETYPES = {".svg": "image/svg+xml; charset=utf-8"}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "clans_site.minified.MinifiedStaticFilesStorage"
    },
}

# Pictures of boards, each drawn once.
PICTURES_DIR = VAR_DIR / "pictures"
# The archive as files to download, made anew each night.
ARCHIVE_DIR = VAR_DIR / "archive"

# --- Accounts and signing in ----------------------------------------------------------------------

AUTH_USER_MODEL = "games.Player"
AUTHENTICATION_BACKENDS = ["games.pages.accounts.adapter.Door"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
] + [{"NAME": f"games.pages.accounts.passwords.{name}"} for name in ("LeakedPasswordValidator", "SiteWordsValidator")]
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
SESSION_ENGINE = "clans_site.sessions"
# A game lasts for weeks; nobody wants to sign in for each move.
SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
# A sentence or two: no need to look into the session, too.
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
ACCOUNT_ADAPTER = "games.pages.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "add_email": "games.pages.accounts.sign_up.AddressForm",
    "change_password": "games.pages.accounts.sign_up.PasswordForm",
    "confirm_email_verification_code": "games.pages.accounts.sign_up.SignUpCodeForm",
    "confirm_login_code": "games.pages.accounts.sign_up.SignInCodeForm",
    "confirm_password_reset_code": "games.pages.accounts.sign_up.NewPasswordCodeForm",
    "login": "games.pages.accounts.sign_up.SignInForm",
    "reauthenticate": "games.pages.accounts.sign_up.AgainForm",
    "request_login_code": "games.pages.accounts.sign_up.CodeForm",
    "reset_password": "games.pages.accounts.sign_up.ForgottenForm",
    "reset_password_from_key": "games.pages.accounts.sign_up.NewPasswordForm",
    "set_password": "games.pages.accounts.sign_up.FirstPasswordForm",
    "signup": "games.pages.accounts.sign_up.SignUpForm",
}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*"]
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# Codes, not links: mail scanners open links (and run their scripts), but type no codes.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = CODE_SECONDS = 10 * 60
# allauth's change of a mistyped address tells who has an account; games.pages.accounts.adapter.start_over does not.
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_CHANGE = False
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_RATE_LIMITS = allauth_rates()
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = CODE_SECONDS
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = CODE_SECONDS
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Clans by mail: "
MFA_ADAPTER = "games.pages.accounts.adapter.SecondFactorAdapter"
MFA_FORMS = {
    "activate_totp": "games.pages.accounts.sign_up.AppForm",
    "authenticate": "games.pages.accounts.second_factor.SecondFactorForm",
    "authenticate_webauthn": "games.pages.accounts.second_factor.PasskeyForm",
    "edit_webauthn": "games.pages.accounts.sign_up.PasskeyNameForm",
    "reauthenticate": "games.pages.accounts.second_factor.SecondFactorAgainForm",
    "reauthenticate_webauthn": "games.pages.accounts.second_factor.PasskeyAgainForm",
}
MFA_RATE_LIMITS = {"webauthn_login": ACCOUNT_RATE_LIMITS["webauthn_login"]}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = True
MFA_TOTP_ISSUER = "Clans by mail"
# Browsers count http://localhost as secure; the server side has to be told.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG

# --- Security -------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        # The mailbox of a site that sends no mail shows mails in a frame.
        "frame-src": [NONE if EMAIL_URL else SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}
PERMISSIONS_POLICY: dict[str, list[str]] = {
    feature: []
    for feature in (
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "encrypted-media",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
}
# No form takes a file. The longest body is a mail provider's news; the server refuses longer ones (workers.py).
FILE_UPLOAD_HANDLERS: list[str] = []
DATA_UPLOAD_MAX_NUMBER_FILES = 0
DATA_UPLOAD_MAX_MEMORY_SIZE = 2**20
# An address on this site can name a table that is open by link only.
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = HTTPS
# Whoever watches the site from the same machine asks past the proxy.
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
# Browsers take a cookie with this prefix from this very host alone, over https.
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
THEME_COOKIE_NAME = f"{COOKIE_PREFIX}theme"
PASSKEY_COOKIE_NAME = f"{COOKIE_PREFIX}passkey"
WISH_COOKIE_NAME = f"{COOKIE_PREFIX}wish"
PLAYER_COOKIE_NAME = f"{COOKIE_PREFIX}player"
CSRF_TRUSTED_ORIGINS = [SITE_URL] if HTTPS else []
# Whether other names under the same domain speak https is not for this site to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- Mail that goes out ---------------------------------------------------------------------------

# Without EMAIL_URL the site keeps each mail in a file, and its mailbox page shows it.
MAILBOX_DIR = VAR_DIR / "mailbox"
EMAIL_BACKEND = "games.mail.transport.mailbox.MailboxBackend"
# anymail+PROVIDER://?option=value: a provider of django-anymail, with its options as anymail names them.
MAIL_PROVIDER = ""
EMAIL_TIMEOUT = 10
if EMAIL_URL.startswith("anymail+"):
    with checked_setting("EMAIL_URL", "anymail+mailgun://?api_key=KEY&sender_domain=mg.example.com"):
        MAIL_PROVIDER = urlsplit(EMAIL_URL).scheme.removeprefix("anymail+").replace("-", "_")
        if MAIL_PROVIDER.startswith("base") or find_spec(f"anymail.backends.{MAIL_PROVIDER}") is None:
            raise ValueError(MAIL_PROVIDER)
        options = dict(parse_qsl(urlsplit(EMAIL_URL).query, strict_parsing=True))
    EMAIL_BACKEND = "games.mail.transport.provider.ProviderBackend"
    ANYMAIL: dict[str, object] = {f"{MAIL_PROVIDER}_{name}".upper(): value for name, value in options.items()}
    # A mail without what one provider cannot do (an inline picture, say) is worth more than none.
    ANYMAIL |= {"IGNORE_UNSUPPORTED_FEATURES": True, "REQUESTS_TIMEOUT": EMAIL_TIMEOUT}
elif EMAIL_URL:
    with checked_setting("EMAIL_URL", f"submission://user:password@mail.example.com, {ESCAPED}"):
        email = env.dj_email_url("EMAIL_URL")
        EMAIL_BACKEND = email["EMAIL_BACKEND"]
    EMAIL_HOST = email["EMAIL_HOST"]
    EMAIL_PORT = email["EMAIL_PORT"]
    EMAIL_HOST_USER = email["EMAIL_HOST_USER"]
    EMAIL_HOST_PASSWORD = email["EMAIL_HOST_PASSWORD"]
    # smtps and port 465: TLS from the first byte (RFC 8314), where dj-email-url means STARTTLS.
    EMAIL_USE_SSL = email["EMAIL_USE_SSL"] or EMAIL_URL.startswith("smtps:") or EMAIL_PORT == 465
    EMAIL_USE_TLS = email["EMAIL_USE_TLS"] and not EMAIL_USE_SSL
    if EMAIL_BACKEND == "django.core.mail.backends.smtp.EmailBackend":
        with checked_setting("EMAIL_URL", f"submission://user:password@mail.example.com, {ESCAPED}"):
            if not urlsplit(EMAIL_URL).hostname:
                raise ValueError("no host")
        EMAIL_BACKEND = "games.mail.transport.connection.SmtpBackend"
# Mail servers end a connection that brings too many.
MAILS_A_CONNECTION = whole_number("MAILS_A_CONNECTION", 100)
# A call to the table waits so long, in case that its reader is there; not where somebody only tries the site out.
MAIL_WAIT_SECONDS = whole_number("MAIL_WAIT_SECONDS", 120 if EMAIL_URL else 5, least=0)
# After a move that came by mail, which is taken back by mail.
MAIL_MOVE_WAIT_SECONDS = whole_number("MAIL_MOVE_WAIT_SECONDS", 300 if EMAIL_URL else 60, least=0)
# Longer than a mail can take: about ten answers of the server, each within EMAIL_TIMEOUT.
MAIL_LEASE_SECONDS = whole_number("MAIL_LEASE_SECONDS", 300)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", f"Clans by mail <clans@{urlsplit(SITE_URL).hostname}>")
with checked_setting("DEFAULT_FROM_EMAIL", "Clans by mail <clans@example.com>"):
    if not ADDRESS.fullmatch(parseaddr(DEFAULT_FROM_EMAIL)[1]):
        raise ValueError(DEFAULT_FROM_EMAIL)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# The right-hand side of Message-IDs.
MAIL_DOMAIN = urlsplit(SITE_URL).hostname

# --- Mail that comes back, and answers by mail ----------------------------------------------------

# Whoever takes in the mail to this address sees by what follows the plus whose mail came back.
BOUNCE_ADDRESS = env.str("BOUNCE_ADDRESS", "")
with checked_setting("BOUNCE_ADDRESS", "bounces@clans.example.com, and goes with a mail server alone"):
    if BOUNCE_ADDRESS and (MAIL_PROVIDER or not ADDRESS.fullmatch(BOUNCE_ADDRESS)):
        raise ValueError(BOUNCE_ADDRESS)
# What the provider has to show where it tells of bounces. Without it there is no such address.
BOUNCE_WEBHOOK_SECRET = env.str("BOUNCE_WEBHOOK_SECRET", "")
with checked_setting("BOUNCE_WEBHOOK_SECRET", "name:password, 20 letters or more, and goes with EMAIL_URL=anymail+..."):
    if BOUNCE_WEBHOOK_SECRET:
        if not MAIL_PROVIDER or len(BOUNCE_WEBHOOK_SECRET) < 20 or not all(BOUNCE_WEBHOOK_SECRET.partition(":")):
            raise ValueError("unsafe")
        ANYMAIL["WEBHOOK_SECRET"] = BOUNCE_WEBHOOK_SECRET
# Where answers to mails about turns go, with a token after the plus. Without it no mail can be answered.
REPLY_ADDRESS = env.str("REPLY_ADDRESS", "").lower()
with checked_setting("REPLY_ADDRESS", "turn@clans.example.com"):
    if REPLY_ADDRESS and not ADDRESS.fullmatch(REPLY_ADDRESS):
        raise ValueError(REPLY_ADDRESS)
# The mail server whose Authentication-Results are believed.
REPLY_TRUSTED_HOST = env.str("REPLY_TRUSTED_HOST", "").lower()
with checked_setting("REPLY_TRUSTED_HOST", "mx.example.com, as that host calls itself in Authentication-Results"):
    if not re.fullmatch(r"[a-z0-9._-]*", REPLY_TRUSTED_HOST):
        raise ValueError(REPLY_TRUSTED_HOST)
# Who is asked for DKIM keys and SPF records. Empty: whom the machine asks.
REPLY_RESOLVER = env.str("REPLY_RESOLVER", "")
with checked_setting("REPLY_RESOLVER", "127.0.0.1:53, the numbers of a host and a port"):
    if REPLY_RESOLVER:
        ip_address(urlsplit(f"//{REPLY_RESOLVER}").hostname or "")
        if not urlsplit(f"//{REPLY_RESOLVER}").port:
            raise ValueError("no port")
# A file of DKIM keys known without DNS: those with which the mailbox of a site without a mail server signs answers.
REPLY_LOCAL_KEYS = env.str("REPLY_LOCAL_KEYS", str(VAR_DIR / "reply-keys.json") if DEBUG and not EMAIL_URL else "")
with checked_setting("REPLY_LOCAL_KEYS", "/path/keys.json, and goes with DEBUG=1 alone"):
    if REPLY_LOCAL_KEYS and not DEBUG:
        raise ValueError(REPLY_LOCAL_KEYS)
# Where a process of this site takes answers in. Without it there is no such process.
REPLY_LISTEN = env.str("REPLY_LISTEN", "")
with checked_setting("REPLY_LISTEN", "lmtp://127.0.0.1:8024, smtp://127.0.0.1:8025 or lmtp:///run/clans/inbox"):
    where = urlsplit(REPLY_LISTEN)
    if REPLY_LISTEN and not (where.scheme in {"lmtp", "smtp"} and bool(where.port) != bool(where.path)):
        raise ValueError(REPLY_LISTEN)
# Or a mailbox where another server keeps them.
REPLY_MAILBOX = env.str("REPLY_MAILBOX", "")
with checked_setting("REPLY_MAILBOX", f"imaps://user:password@imap.example.com/Folder, {ESCAPED}"):
    where = urlsplit(REPLY_MAILBOX)
    if REPLY_MAILBOX and not (where.scheme in {"imap", "imap+starttls", "imaps"} and where.hostname and where.username):
        raise ValueError("no mailbox")
    if where.port == 0:
        raise ValueError("no port")
if not (DEBUG or REPLY_ADDRESS) and (REPLY_LISTEN or REPLY_MAILBOX):
    raise SystemExit(
        "Clans by mail: REPLY_LISTEN and REPLY_MAILBOX need REPLY_ADDRESS, where answers go (docs/operating.md)."
    )
# A site that is being tried out signs the answers of its mailbox page with this.
MAILBOX_KEY_FILE = str(VAR_DIR / "mailbox-key") if DEBUG else ""

# --- Calls to browsers and webhooks ---------------------------------------------------------------

# What messages to browsers are signed with. A site without settings makes its own.
with checked_setting("PUSH_KEY", "the 43 letters that `manage.py push_key` prints"):
    PUSH_KEY = env.str("PUSH_KEY", "")
    if not re.fullmatch(r"([\w-]{43})?", PUSH_KEY, re.ASCII):
        raise ValueError("no key")
PUSH_KEY_FILE = str(VAR_DIR / "push-key") if DEBUG else ""
# Webhooks of players go to the public net over TLS alone. With this they also go to this machine and its network.
with checked_setting("WEBHOOK_ALLOW_INTERNAL", "0 or 1"):
    WEBHOOK_ALLOW_INTERNAL = env.bool("WEBHOOK_ALLOW_INTERNAL", False)

# --- Background work: Celery ----------------------------------------------------------------------

# Celery would take a name alone for a server of RabbitMQ, and has names of its own for a Redis at a socket.
with checked_setting("CELERY_BROKER_URL", "redis://localhost:6379/1"):
    CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", REDIS_URL or "filesystem://localhost/")
    if CELERY_BROKER_URL.startswith("unix://"):
        CELERY_BROKER_URL = re.sub(r"\bdb=", "virtual_host=", CELERY_BROKER_URL.replace("unix", "redis+socket", 1))
    # Several that stand in for each other have semicolons between them.
    for url in map(urlsplit, CELERY_BROKER_URL.split(";")):
        if url.scheme.partition("+")[0] not in TRANSPORT_ALIASES:
            raise ValueError(CELERY_BROKER_URL)
        url.port  # noqa: B018 - raises ValueError for what is no port
# The database has what is owed, so a message that cannot be sent is dropped: it must never hold up a request.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker looks for its broker for ever, every half a minute at last. Celery's own would end after three quarters of an
# hour, and `make run` with it.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
    "max_retries": 0,
    "interval_start": 0,
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
}
if CELERY_BROKER_URL.startswith("filesystem:"):
    BROKER_DIR = VAR_DIR / "broker"
    CELERY_BROKER_TRANSPORT = "clans_site.broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "polling_interval": 0.2,
    }
    (BROKER_DIR / "queue").mkdir(parents=True, exist_ok=True)
# A worker takes what has the lowest number first: answers by mail, with the sweep in their midst, then the moves of
# computer players and the like, then what goes out; pictures, which nobody is called by, when nothing else waits.
CELERY_TASK_ROUTES = {
    "games.tasks.handle_mail": {"priority": 0},
    "games.tasks.sweep": {"priority": 0},
    "games.tasks.send_*": {"priority": 6},
    "games.tasks.*_webhooks": {"priority": 6},
    "games.tasks.draw_animations": {"priority": 9},
    "games.tasks.*": {"priority": 3},
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Celery would open a connection to the database for each task; Django's own rules apply (clans_site/celery.py).
CELERY_DB_REUSE_MAX = 1_000_000
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BEAT_SCHEDULER = "clans_site.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 20.0, "options": {"expires": 20}},
    "note_faults": {"task": "games.tasks.note_faults", "schedule": 60 * 60.0, "options": {"expires": 60 * 60}},
    "count_archive": {"task": "games.tasks.count_archive", "schedule": 60 * 60.0, "options": {"expires": 60 * 60}},
    "forget_sessions": {"task": "games.tasks.forget_sessions", "schedule": 6 * 60 * 60.0},
    "publish_archive": {
        "task": "games.tasks.publish_archive",
        "schedule": crontab(hour="3", minute="17"),
        "options": {"expires": 12 * 60 * 60},
    },
}

# --- The log --------------------------------------------------------------------------------------

with checked_setting("LOG_LEVEL", "DEBUG, INFO, WARNING or ERROR"):
    LOG_LEVEL = env.log_level("LOG_LEVEL", logging.INFO)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        # On the developer's own machine an error is told in full.
        "plain": {
            "()": "logging.Formatter" if DEBUG else "clans_site.logs.ShortFormatter",
            "format": "{asctime} {levelname} {request_id} {name}: {message}",
            "style": "{",
        }
    },
    "filters": {"request": {"()": "clans_site.logs.RequestFilter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["request"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        # Not Django's own handlers: they would mail request data to the administrators.
        "django": {"handlers": [], "propagate": True, "level": "WARNING"},
        "django.request": {"level": "ERROR"},
        # Whoever scans the net for holes asks for other hosts all day.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # Waits of some milliseconds.
        "waitress.queue": {"level": "ERROR"},
        # What strangers say that is no SMTP.
        "mail.log": {"level": "ERROR"},
        # What is wrong with the signatures of strangers.
        "dkimpy": {"level": "CRITICAL"},
        "games": {"level": LOG_LEVEL},
    },
}
