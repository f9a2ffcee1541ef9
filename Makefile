# Clans by mail. `make run` starts the site, `make test` tests it; `make help` lists the rest.
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3.11
PORT ?= 8000
export PORT
export UV_PYTHON_DOWNLOADS := never
# The certificates of the system, as pip uses them.
export UV_SYSTEM_CERTS := true
export NODE_EXTRA_CA_CERTS ?= $(wildcard /etc/ssl/certs/ca-certificates.crt)
unexport UV_PROJECT_ENVIRONMENT VIRTUAL_ENV PYTHONHOME PYTHONPATH DJANGO_SETTINGS_MODULE PYTHONDONTWRITEBYTECODE

uv := .tools/uv/bin/uv
python := .venv/bin/python
manage := $(python) manage.py
# `sync` makes the environment exactly what the file lists, and refuses what has another hash.
sync = $(uv) pip sync --quiet --python $(python) --require-hashes --compile-bytecode

templates = $$(find templates games -name '*.html')
djade_options := --target-version 5.2
# As on a server, to have Django look at the settings that count there.
production := DEBUG=0 SECRET_KEY=$$($(python) -c 'import secrets; print(secrets.token_hex(32))') \
	SITE_URL=https://clans.example.com EMAIL_URL=smtp://mail.example.com

# Judges of pages. Where there is no npm, what needs them says so.
judges := tools/checks/node_modules
checker := $(judges)/vnu-jar/package.json
lighthouse := $(judges)/lighthouse/package.json
npm_ci = if command -v npm >/dev/null; then echo "Setting up: $(1)"; npm ci --prefix tools/checks --loglevel error $(2) && touch $@; fi

# Where pip is told of another index, uv asks there too.
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif

.PHONY: help
help: ## what there is to make
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 18

.PHONY: setup
setup: .venv/dev ## the environment alone, with everything for tests and checks

.PHONY: run
run: .venv/base ## the whole site: web, worker and beat (PORT=8000); Ctrl-C stops it
	@exec $(python) -m clans_site.run

.PHONY: demo
demo: .venv/base ## the demo games again
	@$(manage) migrate --verbosity 0
	@$(manage) demo

# One worker more than cores: slow clients, browsers and servers let others work while they wait.
pytest = $(python) -m pytest --durations 15 --durations-min 1 -n $$(($$(nproc) + 1))

.PHONY: test
test: .venv/dev ## the tests that every change has to pass (7 to 13 minutes on 2 cores)
	@$(pytest) -m "not judge"

.PHONY: judge
judge: .venv/dev $(checker) ## all other tests, which take longer: every page at every size and theme, long games
	@$(pytest) -m judge

.PHONY: check
check: .venv/dev ## style, types, imports between the rooms, templates, settings, migrations
	@$(python) -m ruff check --quiet
	@$(python) -m ruff format --check --quiet
	@$(python) -m mypy
	@$(python) -m pytest -qq tests/tooling/test_rooms.py
	@.venv/bin/djade --check $(djade_options) $(templates)
	@$(python) -m djlint --lint --quiet $(templates)
	@$(manage) check --fail-level WARNING
	@$(production) $(manage) check --deploy --fail-level WARNING
	@$(manage) makemigrations --check --dry-run

.PHONY: format
format: .venv/dev ## rewrite code and templates in the layout of the project
	@$(python) -m ruff format --quiet
	@$(python) -m ruff check --fix --exit-zero --quiet
	@$(python) -m ruff format --quiet
	@.venv/bin/djade $(djade_options) $(templates)

.PHONY: bench
bench: .venv/dev $(lighthouse) ## the figures
	@$(python) -m bench

.PHONY: torture
torture: .venv/dev ## the long run of kills: 1,000 during 5,000 moves, on SQLite and PostgreSQL (half an hour)
	@$(python) -m tests.torture

.PHONY: pictures
pictures: .venv/dev ## docs/pictures again (a fixed game, wide and narrow, by day and by night), and the preview of links
	@$(python) -m tools.preview
	@$(python) -m tools.pictures
	@folder=$$(mktemp -d) && $(python) -m tools.mail_pictures $$folder --readme >/dev/null; rm -r $$folder

.PHONY: messages
messages: .venv/base ## collect the texts for translators (LOCALE=de for a new language; needs GNU gettext)
	@mkdir -p locale
	@$(manage) makemessages $(if $(LOCALE),--locale $(LOCALE),--all) --no-obsolete
	@$(manage) compilemessages --verbosity 0

.PHONY: lock
lock: $(uv) ## newest versions into requirements/*.txt
	@for name in uv base dev; do $(compile) --upgrade requirements/$$name.in -o requirements/$$name.txt || exit 1; done

.PHONY: audit
audit: .venv/dev ## whether packages of requirements/*.txt have known holes (asks PyPI)
	@$(python) -m pip_audit --strict --progress-spinner off --disable-pip --require-hashes \
		-r requirements/uv.txt -r requirements/dev.txt

compile = $(uv) pip compile --quiet --python-version 3.11 --universal --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

$(uv): requirements/uv.txt
	@echo "Setting up: the installer (uv)"
	@rm -rf .tools/uv
	@PIP_USER=0 $(PYTHON) -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-warn-script-location \
		--require-hashes --target .tools/uv -r requirements/uv.txt
	@touch $@

.venv/pyvenv.cfg: | $(uv)
	@$(uv) venv --quiet --clear --relocatable --python "$$(command -v $(PYTHON))" .venv

# Once the development packages are there, they stay.
.venv/base: requirements/base.txt .venv/pyvenv.cfg
	@echo "Setting up: the packages that the site needs"
	@if test -e .venv/dev; then $(sync) requirements/dev.txt; else $(sync) requirements/base.txt; fi
	@touch $@

.venv/dev: requirements/dev.txt .venv/pyvenv.cfg
	@echo "Setting up: the packages for tests and checks"
	@$(sync) requirements/dev.txt
	@touch .venv/base $@

$(checker): tools/checks/package-lock.json
	@$(call npm_ci,the HTML checker,--omit=dev)

$(lighthouse): tools/checks/package-lock.json
	@$(call npm_ci,Lighthouse,)
