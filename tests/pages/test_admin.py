"""The operator's pages: useful, and as blind for secrets as everybody's until a game is over."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils.formats import date_format
from django.utils.timezone import localtime
from pytest_django import DjangoAssertNumQueries

from games import play
from games.mail import delivery
from games.models import Deal, Game, InboundMail, Mail, Move, Notice, Player, Postcard, Report, Seat, TurnToken
from tests.cast import AT, make_game, make_player, play_random, put_in_season
from tests.pages.helpers import soup

pytestmark = pytest.mark.django_db

PAGES = (
    "",
    "games/",
    "games/game/",
    "games/game/?q=Friday",
    "games/game/?q=alice",
    "games/game/?status__exact=running&is_public__exact=1&o=1.2.-3",
    "games/game/{game}/change/",
    "games/game/{game}/history/",
    "games/game/{game}/delete/",
    "games/game/add/",
    "games/notice/",
    "games/notice/?state__exact=due&q=alice",
    "games/notice/{notice}/change/",
    "games/mail/",
    "games/mail/?state__exact=claimed&q=alice",
    "games/mail/{mail}/change/",
    "games/season/",
    "games/season/{season}/change/",
    "games/player/",
    "games/player/?q=alice",
    "games/player/{alice}/change/",
    "games/player/{alice}/history/",
    "games/player/{alice}/delete/",
    "games/seat/",
    "games/seat/{seat}/change/",
    "games/move/",
    "games/deal/",
    "games/deal/{game}/change/",
)
TYPED_FILTERS = (
    "games/game/?seats__clan={clan}",
    "games/game/?seats__clan__startswith=r",
    "games/game/?seats__entropy__contains=alice",
    "games/game/?deal__seed={seed}",
    "games/game/?deal__seed__gt=a",
    "games/game/?slug={slug}",
    "games/notice/?seat__clan={clan}",
    "games/notice/?seat__game__deal__seed__contains=a",
    "games/mail/?player__seats__clan={clan}",
    "games/mail/?subject__contains=a",
    "games/player/?seats__clan={clan}",
    "games/player/?password__startswith=pbkdf2",
    "games/player/?awaiting_games__seats__clan={clan}",
    "account/emailaddress/?user__seats__clan={clan}",
    "auth/group/?user__seats__clan={clan}",
)


@pytest.fixture
def operator(client: Client, db: None) -> Client:
    """A client of somebody who may do everything that the admin offers."""
    player = make_player("operator")
    player.is_staff = player.is_superuser = True
    player.save()
    TOTP.activate(player, "JBSWY3DPEHPK3PXP")
    client.force_login(player)
    return client


@pytest.fixture
def places(game: Game, alice: Player) -> dict[str, Any]:
    """What the addresses of the pages name."""
    play_random(game, 5)
    seat = game.seats.get(player=alice)
    notice = Notice.objects.filter(seat__game=game).order_by("pk")[0]
    seed = bytes(game.deal.seed).hex()
    known = {"game": game.pk, "slug": game.slug, "alice": alice.pk, "seat": seat.pk}
    mail = delivery.claim_for(notice, at=AT + timedelta(days=9))
    assert mail is not None
    put_in_season(game)
    known["season"] = game.season_table.round.season.pk
    return known | {"notice": notice.pk, "mail": mail.pk, "clan": seat.clan, "seed": seed}


def look_at(client: Client, path: str) -> tuple[int, bytes]:
    """Status and page, but for the tokens that are new at every look."""
    response = client.get(f"/admin/{path}")
    tokens = rb'(csrfmiddlewaretoken" value|nonce)="[^"]*"'
    return response.status_code, re.sub(tokens, b"", response.content)


def deal_otherwise(game: Game) -> None:
    """The other world: each card in another hand, another seed, other words."""
    seats = list(game.seats.order_by("number"))
    clans = [seat.clan for seat in seats]
    Seat.objects.filter(game=game).update(clan="", number=None)
    for number, (seat, clan) in enumerate(zip(seats, clans[1:] + clans[:1], strict=True)):
        Seat.objects.filter(pk=seat.pk).update(clan=clan, number=number, entropy="of the other world")
    Deal.objects.filter(game=game).update(seed=b"\1" * 32)


def test_it_shows_the_same_bytes_whoever_holds_which_card(operator: Client, game: Game, places: dict[str, Any]) -> None:
    paths = [path.format(**places) for path in PAGES + TYPED_FILTERS]
    here = {path: look_at(operator, path) for path in paths}
    deal_otherwise(game)
    there = {path: look_at(operator, path) for path in paths}
    assert [path for path in paths if here[path] != there[path]] == []


def test_staff_find_it_in_their_menu_and_nobody_else_does(operator: Client, alice: Player) -> None:
    (player := Client()).force_login(alice)
    for reader, texts in ((operator, ["Administration"]), (player, [])):
        links = soup(reader.get("/")).select('nav.menu-items [href="/admin/"]')
        assert [link.get_text() for link in links] == texts
    assert b"Administration of Clans by mail" in look_at(operator, "")[1]


def test_staff_who_deal_with_reports_see_on_every_page_that_there_are_new_ones(
    operator: Client,
    report: Report,
    alice: Player,
    bob: Player,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    (player := Client()).force_login(alice)
    (helper := Client()).force_login(bob)
    Player.objects.filter(pk=bob.pk).update(is_staff=True)
    where = "/admin/games/report/?state__exact=new"

    def told(client: Client) -> tuple[list[str], list[str]]:
        page = soup(client.get("/rules/"))
        menu = page.select(".site-user")[0]
        counts = [each.get_text(" ", strip=True) for each in menu.select("summary .count")]
        return counts, [each.get_text() for each in menu.select(f'[href="{where}"]')]

    assert told(operator) == (["1 (1 new report)"], ["New reports"])
    with django_assert_num_queries(3):  # session, player and the tables that wait, reports
        operator.get("/rules/")
    with django_assert_num_queries(2):
        player.get("/rules/")
    assert told(player) == told(helper) == ([], [])
    assert str(report.about) in soup(operator.get(where)).get_text()
    bob.user_permissions.add(Permission.objects.get(codename="change_report"))
    assert told(helper) == (["1 (1 new report)"], ["New reports"])
    Report.objects.update(state="open")
    assert told(operator) == ([], [])


def test_it_says_of_a_name_what_is_true_here(operator: Client, alice: Player) -> None:
    page = look_at(operator, f"games/player/{alice.pk}/change/")[1]
    assert (b"Only its player can change it." in page, b"150 characters" in page) == (True, False)


def test_it_filters_by_nothing_that_is_not_offered(operator: Client, places: dict[str, Any]) -> None:
    answers = {path: look_at(operator, path.format(**places))[0] for path in TYPED_FILTERS}
    assert set(answers.values()) == {400}, answers


@pytest.mark.parametrize("name", ["game", "notice", "player"])
def test_it_shows_what_there_is(operator: Client, places: dict[str, Any], name: str) -> None:
    assert look_at(operator, f"games/{name}/")[0] == 200
    key = places.get(name, places["alice"])
    assert look_at(operator, f"games/{name}/{key}/change/")[0] == 200


@pytest.mark.parametrize("path", ["games/seat/", "games/move/", "games/deal/"])
def test_it_has_no_pages_for_cards_moves_and_deals(operator: Client, path: str) -> None:
    assert look_at(operator, path)[0] == 404


@pytest.mark.parametrize("path", ["games/game/add/", "games/player/add/", "games/notice/add/"])
def test_it_adds_nothing(operator: Client, path: str) -> None:
    assert operator.post(f"/admin/{path}", {"name": "x"}).status_code == 403


@pytest.mark.parametrize("path", ["games/game/{game}/delete/", "games/player/{alice}/delete/"])
def test_it_deletes_nothing(operator: Client, places: dict[str, Any], path: str) -> None:
    response = operator.post(f"/admin/{path.format(**places)}", {"post": "yes"})
    assert response.status_code == 403
    assert Game.objects.filter(pk=places["game"]).exists()


def inline_forms(game: Game) -> dict[str, str]:
    """What a hand-made request would send to change seats and moves."""
    seat, move = game.seats.get(number=0), game.moves.get(ply=0)
    forms: dict[str, str] = {}
    for name, key, fields in (
        ("seats", seat.pk, {"clan": "red", "entropy": "mine", "total": "99", "name": "x", "is_bot": "on"}),
        ("moves", move.pk, {"text": "A1-A2", "seat": "3", "ply": "9", "DELETE": "on"}),
    ):
        forms |= {f"{name}-TOTAL_FORMS": "1", f"{name}-INITIAL_FORMS": "1", f"{name}-0-id": str(key)}
        forms |= {f"{name}-0-{field}": value for field, value in fields.items()}
    return forms


def test_it_renames_a_table_and_takes_it_off_the_lists_but_plays_nothing(
    operator: Client, game: Game, places: dict[str, Any]
) -> None:
    before = list(Seat.objects.order_by("pk").values()), list(Move.objects.order_by("pk").values())
    known = Game.objects.values().get(pk=game.pk)
    typed = {"name": "Quieter", "ply": "0", "to_move": "0", "status": "finished", "end": "villages", "first": "2"}
    response = operator.post(f"/admin/games/game/{game.pk}/change/", typed | inline_forms(game))
    assert response.status_code == 302
    changed = {"name": "Quieter", "upper_name": "QUIETER", "is_public": False}
    assert Game.objects.values().get(pk=game.pk) == known | changed
    assert (list(Seat.objects.order_by("pk").values()), list(Move.objects.order_by("pk").values())) == before
    assert "Quieter" not in LogEntry.objects.get().change_message


def test_it_does_not_undo_a_move_that_is_played_meanwhile(
    operator: Client, game: Game, places: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = Game.objects.get(pk=game.pk)
    play_random(game, 1)
    ply = Game.objects.get(pk=game.pk).ply
    monkeypatch.setattr("games.admin.tables.GameAdmin.get_object", lambda *args, **kwargs: stale)
    operator.post(f"/admin/games/game/{game.pk}/change/", {"name": "Quieter", **inline_forms(game)})
    game.refresh_from_db()
    assert (game.name, game.ply) == ("Quieter", ply)


def test_it_changes_no_notice(operator: Client, places: dict[str, Any]) -> None:
    before = Notice.objects.values().get(pk=places["notice"])
    operator.post(f"/admin/games/notice/{places['notice']}/change/", {"state": "sent", "kind": "finished"})
    assert Notice.objects.values().get(pk=places["notice"]) == before


@pytest.fixture
def report(game: Game, alice: Player, bob: Player) -> Report:
    """What bob has reported of alice, between other postcards."""
    play.write_postcard(game, player=bob, text="before <b>", at=AT)
    bad = play.write_postcard(game, player=alice, text="something bad", at=AT)
    play.write_postcard(game, player=alice, text="after", at=AT)
    return play.report_postcard(bad, player=bob, reason="not nice", at=AT)


def test_it_shows_reports_in_context_and_nothing_else_that_was_said(
    operator: Client, report: Report, alice: Player, carol: Player
) -> None:
    Player.objects.filter(username="operator").update(time_zone="Asia/Tokyo")
    other = make_game(alice, carol)
    unheard = play.write_postcard(other, player=carol, text="between us", at=AT)
    status, page = look_at(operator, f"games/report/{report.pk}/change/")
    assert status == 200
    assert all(text in page for text in (b"before &lt;b&gt;", b"something bad", b"after", b"not nice"))
    assert page.count(b"3 March 2026, 05:00") == 1 + 3  # reported, and said before, then and after, all in Tokyo
    for path in ("games/report/", "games/postcard/", "games/postcard/?q=between", f"games/game/{other.pk}/change/"):
        assert b"between us" not in look_at(operator, path)[1]
    assert look_at(operator, f"games/postcard/{unheard.pk}/change/")[0] == 302


def test_it_deals_with_reports(operator: Client, report: Report) -> None:
    operator.post(
        f"/admin/games/report/{report.pk}/change/", {"state": "done", "notes": "Told her so.", "text": "harmless"}
    )
    report.refresh_from_db()
    assert (report.state, report.notes, report.text) == ("done", "Told her so.", "something bad")


def test_it_hides_a_postcard_and_shows_it_again(operator: Client, report: Report, game: Game) -> None:
    assert report.postcard
    path = f"/admin/games/postcard/{report.postcard.pk}/change/"
    said = []
    for form in ({"is_hidden": "on", "text": "changed"}, {"is_hidden": "on"}, {}):
        assert operator.post(path, form).status_code == 302
        card = game.postcards.get(number=2)
        game.refresh_from_db()
        said.append((card.state, card.text, game.said))
    words = "something bad"
    assert said == [("hidden", words, 4), ("hidden", words, 4), ("shown", words, 5)]


def test_it_can_lock_a_player_out(operator: Client, alice: Player) -> None:
    operator.post(
        f"/admin/games/player/{alice.pk}/change/", {"time_zone": "UTC", "language": "en", "mail_mode": "every"}
    )
    alice.refresh_from_db()
    assert (alice.is_active, alice.username, alice.email) == (False, "alice", "alice@example.com")


@pytest.mark.parametrize("path", ["games/player/{alice}/password/", "auth/user/{alice}/password/"])
def test_it_sets_nobodys_password(operator: Client, alice: Player, path: str) -> None:
    before = Player.objects.get(pk=alice.pk).password
    typed = {"password1": "known to me 1", "password2": "known to me 1", "password": "x", "usable_password": "true"}
    operator.post(f"/admin/{path.format(alice=alice.pk)}", typed)
    operator.post(f"/admin/games/player/{alice.pk}/change/", typed | {"time_zone": "UTC", "language": "en"})
    assert Player.objects.get(pk=alice.pk).password == before


def test_it_gives_nobody_another_address(operator: Client, alice: Player) -> None:
    address = EmailAddress.objects.get(user=alice)
    typed = {"user": str(alice.pk), "email": "operator@example.com", "verified": "on", "primary": "on"}
    assert operator.post("/admin/account/emailaddress/add/", typed).status_code == 403
    operator.post(f"/admin/account/emailaddress/{address.pk}/change/", typed)
    operator.post(f"/admin/games/player/{alice.pk}/change/", typed | {"time_zone": "UTC", "language": "en"})
    assert [kept.email for kept in EmailAddress.objects.filter(user=alice)] == ["alice@example.com"]
    assert Player.objects.get(pk=alice.pk).email == "alice@example.com"


def test_it_gives_nobody_a_passkey_and_shows_no_second_factor(operator: Client, alice: Player) -> None:
    kept = Authenticator.objects.create(user=alice, type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    typed = {"user": str(alice.pk), "type": "webauthn", "data": "{}"}
    assert operator.post("/admin/mfa/authenticator/add/", typed).status_code == 403
    operator.post(f"/admin/mfa/authenticator/{kept.pk}/change/", typed)
    assert Authenticator.objects.filter(user=alice).values("type", "data").get() == {"type": "totp", "data": kept.data}
    for path in ("mfa/authenticator/", f"mfa/authenticator/{kept.pk}/change/"):
        status, page = look_at(operator, path)
        assert (status, b"JBSWY3DPEHPK3PXP" in page) == (200, False)


def test_it_lets_a_lost_second_factor_go(operator: Client, alice: Player) -> None:
    lost = Authenticator.objects.create(user=alice, type="totp", data={})
    operator.post(f"/admin/mfa/authenticator/{lost.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.filter(user=alice).exists()


def test_it_calls_a_season_off_and_changes_nothing_else_of_it(operator: Client, alice: Player, bob: Player) -> None:
    season = play.open_season(alice, name="Spring", size=2, rounds=3, key="1", at=AT)
    path = f"/admin/games/season/{season.pk}/change/"
    for form, status in (({"name": "Autumn", "status": "over"}, "open"), ({"calls_off": "on", "rounds": "9"}, "over")):
        assert operator.post(path, form).status_code == 302
        season.refresh_from_db()
        assert (season.name, season.status, season.rounds) == ("Spring", status, 3)
    assert operator.post(path, {"calls_off": "on"}).status_code == 403
    assert LogEntry.objects.filter(object_id=str(season.pk)).count() == 2
    assert b"Spring" in look_at(operator, "games/season/?status__exact=over&q=alice")[1]


def test_it_costs_few_queries_however_many_games_there_are(
    operator: Client, game: Game, alice: Player, bob: Player, django_assert_max_num_queries: Any
) -> None:
    for _number in range(10):
        make_game(alice, bob)
    with django_assert_max_num_queries(8):
        look_at(operator, "games/game/")
    with django_assert_max_num_queries(8):
        look_at(operator, "games/notice/")


@pytest.mark.parametrize("path", ["", "games/game/", "games/player/"])
def test_it_lets_no_player_in(client: Client, alice: Player, path: str) -> None:
    client.force_login(alice)
    assert client.get(f"/admin/{path}").status_code == 302


def test_it_shows_no_mail_as_it_was_written(operator: Client, places: dict[str, Any]) -> None:
    """What stands in it is between the site and its reader."""
    Mail.objects.filter(pk=places["mail"]).update(subject="A heron", address="heron@example.com")
    for path in ("games/mail/", f"games/mail/{places['mail']}/change/"):
        assert "heron" not in look_at(operator, path)[1].decode().lower()


def test_it_leads_from_a_player_without_mail_to_what_the_mail_server_said(
    operator: Client, places: dict[str, Any]
) -> None:
    reader = Mail.objects.get(pk=places["mail"]).player
    Player.objects.filter(pk=reader.pk).update(mail_bounced_at=AT, mail_bounce="550 no such user here")
    page = soup(operator.get(f"/admin/games/player/{reader.pk}/change/"))
    assert "550 no such user here" in page.get_text()
    assert "2 March 2026" in page.select(".field-mail_bounced_at")[0].get_text()
    mails = soup(operator.get(str(page.select(".field-mails a")[0]["href"])))
    assert [row.get_text() for row in mails.select(".field-player")] == [reader.username]
    # An id of a mail says nothing to its reader, and hides the columns that do.
    assert not mails.select(".field-message_id")


def test_a_mail_says_what_it_tells_of_which_table(operator: Client, places: dict[str, Any], game: Game) -> None:
    page = soup(operator.get(f"/admin/games/mail/{places['mail']}/change/"))
    told = [link.get_text() for link in page.select(".field-about a")]
    owed = Mail.objects.get(pk=places["mail"]).notices.order_by("pk")
    assert told == [f"{notice.get_kind_display()}: {game}" for notice in owed] != []
    # The id is too long for a heading on a phone.
    assert page.select("#content h2")[0].get_text() == f"mail {places['mail']} (claimed)"


def test_a_table_says_how_long_the_turn_lasts_and_what_its_players_were_told(
    operator: Client, places: dict[str, Any], game: Game
) -> None:
    page = soup(operator.get(f"/admin/games/game/{game.pk}/change/"))
    game.refresh_from_db()
    assert date_format(localtime(game.due_at), "DATETIME_FORMAT") in page.select(".field-due_at")[0].get_text()
    assert "the autopilot plays the move" in page.select(".field-overdue")[0].get_text()
    owed = soup(operator.get(str(page.select(".field-notices a")[0]["href"])))
    assert len(owed.select("th.field-seat")) == Notice.objects.filter(seat__game=game).count() > 0


def test_the_pages_of_a_report_and_its_postcard_say_what_they_are(operator: Client, report: Report) -> None:
    places = {"report": report.pk, "postcard": report.postcard_id}
    pages = [soup(operator.get(f"/admin/games/{name}/{key}/change/")) for name, key in places.items()]
    number = Postcard.objects.get(reports=report).number
    said = [page.select("#content h2")[0].get_text() for page in pages]
    assert said == [f"report {report.pk}", f"postcard {number} of game {report.game_id}"]


def test_it_says_what_locking_a_player_out_does(operator: Client, alice: Player) -> None:
    page = soup(operator.get(f"/admin/games/player/{alice.pk}/change/"))
    assert "gets no mail. Their games go on" in page.select(".field-is_active")[0].get_text()


NO_KEYS = ["9" * 19, "9" * 400, "9" * 5000, "-1", "x"]


@pytest.mark.parametrize("number", NO_KEYS)
def test_it_refuses_groups_and_permissions_that_do_not_exist(operator: Client, alice: Player, number: str) -> None:
    group = Group.objects.create(name="Helpers")
    for path, field in ((f"games/player/{alice.pk}", "groups"), (f"auth/group/{group.pk}", "permissions")):
        answer = operator.post(f"/admin/{path}/change/", {"name": "Helpers", field: number})
        assert answer.status_code == 200
        assert answer.context["adminform"].errors[field]


def test_it_takes_groups_and_permissions_that_exist(operator: Client, alice: Player) -> None:
    permission = Permission.objects.get(codename="view_game")
    operator.post("/admin/auth/group/add/", {"name": "Helpers", "permissions": permission.pk})
    group = Group.objects.get(permissions=permission)
    kept = {"time_zone": alice.time_zone, "language": alice.language, "mail_mode": alice.mail_mode, "is_active": "on"}
    assert operator.post(f"/admin/games/player/{alice.pk}/change/", kept | {"groups": group.pk}).status_code == 302
    assert alice.groups.get() == group


@pytest.mark.parametrize("number", NO_KEYS)
def test_no_list_deletes_what_does_not_exist(operator: Client, number: str) -> None:
    Group.objects.create(name="Helpers")
    for path in ("auth/group", "mfa/authenticator"):
        form = {"action": "delete_selected", "_selected_action": number, "post": "yes"}
        assert operator.post(f"/admin/{path}/", form).status_code < 500
    assert Group.objects.exists()


RIGHTS = (
    "view_mail view_inboundmail view_notice change_report change_postcard change_player change_game change_season"
    " view_authenticator delete_authenticator"
)


def test_staff_without_a_second_factor_do_their_work_with_the_rights_that_operating_names(
    client: Client, places: dict[str, Any], report: Report, bob: Player
) -> None:
    bob.is_staff = True
    bob.save()
    client.force_login(bob)
    authenticator = TOTP.activate(report.about, "JBSWY3DPEHPK3PXP").instance
    paths = (
        *("games/mail/", "games/inboundmail/", "games/notice/", "games/player/", "games/game/"),
        *(f"games/report/{report.pk}/change/", f"games/postcard/{report.postcard_id}/change/"),
        *(f"games/season/{places['season']}/change/", f"mfa/authenticator/{authenticator.pk}/delete/"),
    )
    assert {look_at(client, path)[0] for path in paths} == {403}
    bob.user_permissions.set(Permission.objects.filter(codename__in=RIGHTS.split()))
    assert {path: look_at(client, path)[0] for path in paths} == dict.fromkeys(paths, 200)


def test_mails_that_came_in_are_handled_and_not_sent(operator: Client, alice: Player) -> None:
    token = TurnToken.objects.create(player=alice, use="answer", digest="d", sign_outs=0, created_at=AT)
    for state in ("sent", "superseded", "due"):
        InboundMail.objects.create(
            token=token, player=alice, received_at=AT, due_at=AT, size=1, fingerprint=state, state=state
        )
    page = soup(operator.get("/admin/games/inboundmail/"))
    told = {"due", "handled, with a receipt", "handled, without a receipt"}
    assert {cell.get_text() for cell in page.select("td.field-handled")} == told
    assert told < {link.get_text().strip() for link in page.select("#changelist-filter a")}
    for state, count in (("sent", 1), ("quarantined", 0), ("x", 3)):
        found = soup(operator.get(f"/admin/games/inboundmail/?state={state}"))
        assert len(found.select("td.field-handled")) == count
