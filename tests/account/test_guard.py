"""What an account asks of its owner: a password that nobody tries first, codes that do not last, a second factor for
who may change everything."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games.models import Player
from tests.account.signing_in import sign_up, soup
from tests.cast import PASSWORD, make_player

pytestmark = pytest.mark.django_db
KEY = "JBSWY3DPEHPK3PXP"


def make_staff(name: str, **more: bool) -> Player:
    player = make_player(name)
    for field, value in {"is_staff": True, **more}.items():
        setattr(player, field, value)
    player.save()
    player.user_permissions.set(Permission.objects.filter(codename__in=["change_player", "view_player"]))
    return player


@pytest.mark.parametrize(
    ("password", "is_good"),
    [
        ("password", False),
        ("1qaz2wsx3edc4rfv", False),
        ("iloveyou1234", False),
        ("BasketBall23", False),
        (PASSWORD, True),
    ],
)
def test_it_refuses_a_password_that_others_use(client: Client, password: str, is_good: bool) -> None:
    answer = sign_up(client, password1=password)
    assert Player.objects.exists() is is_good
    assert is_good or "too common" in str(soup(answer).select("#id_password1_error"))


@pytest.mark.parametrize(
    ("password", "is_good"), [("clans-by-mail-2026", False), ("VillageGames!!", False), ("clans of the lake", True)]
)
def test_it_refuses_a_password_of_the_words_of_this_site(client: Client, password: str, is_good: bool) -> None:
    answer = sign_up(client, password1=password)
    assert Player.objects.exists() is is_good
    assert is_good or "only of words from this site" in str(soup(answer).select("#id_password1_error"))


def change(client: Client, player: Player, **values: Any) -> Any:
    form = {"time_zone": "UTC", "language": "en", "mail_mode": "every", "is_active": "on"}
    return client.post(reverse("admin:games_player_change", args=(player.pk,)), form | values)


def test_staff_make_nobody_staff_or_superuser(client: Client, alice: Player) -> None:
    staff = make_staff("staff")
    client.force_login(staff)
    for player in (alice, staff):
        answer = change(client, player, is_superuser="on", is_staff="on", time_zone="Europe/Vienna")
        assert answer.status_code == 302
        player.refresh_from_db()
        assert (player.is_superuser, player.time_zone) == (False, "Europe/Vienna")
    assert not alice.is_staff


def test_staff_change_no_superuser(client: Client) -> None:
    owner = make_staff("owner", is_superuser=True)
    client.force_login(make_staff("staff"))
    assert change(client, owner, is_active="").status_code == 403
    assert Player.objects.get(pk=owner.pk).is_active


def test_a_superuser_makes_staff(client: Client, alice: Player) -> None:
    owner = make_staff("owner", is_superuser=True)
    TOTP.activate(owner, KEY)
    client.force_login(owner)
    assert change(client, alice, is_staff="on").status_code == 302
    assert Player.objects.get(pk=alice.pk).is_staff


@pytest.mark.parametrize("path", ["/admin/", "/admin/games/game/", "/admin/login/"])
def test_a_superuser_needs_a_second_factor_for_the_admin(client: Client, path: str) -> None:
    owner = make_staff("owner", is_superuser=True)
    client.force_login(owner)
    answer = client.get(path, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("mfa_index")
    assert "second factor" in str(
        soup(answer).select_one(".messages, .flashes, [role=status]") or soup(answer).select_one("main")
    )
    TOTP.activate(owner, KEY)
    assert client.get("/admin/games/game/").status_code == 200


def test_the_admin_has_no_password_page_of_its_own(client: Client) -> None:
    owner = make_staff("owner", is_superuser=True)
    TOTP.activate(owner, KEY)
    client.force_login(owner)
    answer = client.get("/admin/password_change/")
    assert answer.headers["Location"] == reverse("account_change_password")
