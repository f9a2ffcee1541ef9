"""No form of this site takes files, so nobody's file comes as far as the disk."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

pytestmark = pytest.mark.django_db
LARGE = b"x" * (4 * 2**20)


@pytest.fixture
def careful() -> Client:
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    return client


@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/nowhere/"])
def test_a_form_with_a_file_is_refused(careful: Client, address: str) -> None:
    assert careful.post(address, {"file": SimpleUploadedFile("file", LARGE)}).status_code in (400, 404)


def test_nothing_takes_files() -> None:
    assert settings.FILE_UPLOAD_HANDLERS == []
    assert settings.DATA_UPLOAD_MAX_NUMBER_FILES == 0


def test_a_form_that_is_too_large_is_refused(careful: Client) -> None:
    assert careful.post("/accounts/login/", {"login": LARGE.decode()}).status_code == 400
    body = b"login=" + LARGE
    assert careful.post("/", body, content_type="application/x-www-form-urlencoded").status_code == 400
