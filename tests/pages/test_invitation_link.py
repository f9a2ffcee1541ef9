"""Where the link of the mail of an invitation leads."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import mail, play
from games.models import Game, Invitation, Player, QuietAddress
from tests.cast import AT, make_table
from tests.pages.helpers import signed_in, soup, table_url, text_of
from tests.pages.inviting import link_to

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(alice: Player) -> Game:
    return make_table(alice, size=3)


def test_a_newcomer_sits_down_by_the_link_alone(table: Game, alice: Player) -> None:
    link, client = link_to("dora@example.com", table), Client()
    page = client.get(link)
    assert "alice invites you to a game of Clans." in text_of(page)
    assert not Player.objects.filter(email="dora@example.com").exists()
    answer = client.post(link, {"answer": "sit", "name": "dora", "time_zone": "Europe/Vienna"})
    assert (answer.status_code, answer["Location"]) == (303, table.get_absolute_url())
    dora = Player.objects.get(username="dora")
    assert (dora.email, dora.time_zone, dora.has_usable_password()) == ("dora@example.com", "Europe/Vienna", False)
    assert EmailAddress.objects.get(user=dora).verified
    here = client.get(answer["Location"])
    assert here.context["user"] == dora
    assert "have a code mailed to your address" in text_of(here, "body")
    # One piece beside the mark: as pieces of their own, words and links would stand below each other.
    assert len(soup(here).select(".flash > *")) == 1
    ways = [str(way["href"]) for way in soup(here).select(".flash > * > a")]
    assert ways == [reverse("mfa_add_webauthn"), reverse("account_set_password")]
    assert [client.get(way).status_code for way in ways] == [200, 200]
    assert table.seats.filter(player=dora).exists()
    assert Invitation.objects.get().answer == "accepted"


@pytest.mark.parametrize("games", [1, 3])
def test_its_page_says_whether_the_game_is_the_first_of_several(games: int, alice: Player) -> None:
    table = play.open_table(alice, name="Friday", size=2, games=games, at=AT)
    lead = text_of(Client().get(link_to("dora@example.com", table)), ".lead")
    assert ("It is the first of 3 games in a row." in lead) is (games == 3)
    assert ("games in a row" in lead) is (games == 3)


@pytest.mark.parametrize(("is_rated", "says"), [(True, "Ratings Rated."), (False, "Ratings Not rated.")])
def test_its_page_says_whether_the_table_is_rated(table: Game, is_rated: bool, says: str) -> None:
    Game.objects.filter(pk=table.pk).update(is_rated=is_rated)
    assert says in text_of(Client().get(link_to("dora@example.com", table)))


def test_the_link_works_once(table: Game, alice: Player) -> None:
    link = link_to("dora@example.com", table)
    assert Client().post(link, {"answer": "sit", "name": "dora"}).status_code == 303
    for answer in ({"answer": "sit", "name": "eve"}, {"answer": "decline"}):
        page = Client().post(link, answer)
        assert page.status_code == 409
    order = "The order of play is drawn when the game starts."
    assert order in text_of(Client().get(link))
    play.start_table(table, player=alice, at=AT)
    assert order not in text_of(Client().get(link))
    assert not Player.objects.filter(username="eve").exists()
    assert Client().get("/").wsgi_request.user.is_anonymous


@pytest.mark.parametrize("to", ["bob", "bob@example.com"])
def test_the_link_leads_who_has_accepted_to_the_table(table: Game, bob: Player, carol: Player, to: str) -> None:
    link, client = link_to(to, table), signed_in(bob)
    refused = signed_in(carol).get(link)
    assert client.post(link, {"answer": "sit"}).status_code == 303
    for again in (client.get(link), client.post(link, {"answer": "sit"})):
        assert (again.status_code, again["Location"]) == (303, table.get_absolute_url())
        assert "no-store" in again["Cache-Control"]
    # Who has sat down does not decline by an old page.
    assert client.post(link, {"answer": "decline"}).status_code == 409
    # Others learn nothing of who has accepted.
    later = signed_in(carol).get(link)
    assert (later.status_code, text_of(later, "body")) == (403, text_of(refused, "body"))
    visitor = Client().get(link)
    assert "This invitation has been accepted" in text_of(visitor)
    assert visitor.status_code == 200


def test_seats_that_nobody_keeps_are_free_for_who_has_declined(table: Game, alice: Player) -> None:
    link = link_to("dora@example.com", table)
    for answered in (False, True):
        page = soup(Client().get(link))
        assert [seat.get_text(strip=True) for seat in page.select(".seat-free")] == ["free", "free"], answered
        Client().post(link, {"answer": "decline"})


def test_the_link_leads_nobody_to_the_table_who_has_declined(table: Game, bob: Player) -> None:
    link, client = link_to("bob", table), signed_in(bob)
    client.post(link, {"answer": "decline"})
    assert "This invitation is declined." in text_of(client.get(link))


def test_it_says_beside_the_field_what_a_name_is_made_of(table: Game) -> None:
    page = soup(Client().get(link_to("dora@example.com", table)))
    [field] = page.select("#id_name")
    [help_text] = page.select(f"#{field['aria-describedby']}")
    assert "At most 30 letters, digits and . + - _" in help_text.get_text()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Fill this in."),
        ("alice", "Somebody has"),
        ("a1ice", "Somebody has a name that looks like this one."),
        ("do ra", "without spaces"),
        ("dora@example.com", "This looks like the address"),
        ("d" * 31, "30 letters"),
        ("do\u202era", "A user name"),
        ("former-1", "closed their account"),
    ],
)
def test_a_newcomer_with_another_name_has_no_account(table: Game, name: str, says: str) -> None:
    link = link_to("dora@example.com", table)
    page = Client().post(link, {"answer": "sit", "name": name})
    assert page.status_code == 422
    assert says in text_of(page)
    assert not Player.objects.filter(email="dora@example.com").exists()
    assert table.seats.count() == 1


def test_nothing_is_half_done_where_the_table_is_full(table: Game, bob: Player, carol: Player) -> None:
    link = link_to("dora@example.com", table)
    for player in (bob, carol):
        play.join_table(table, player=player, at=AT)
    page = Client().post(link, {"answer": "sit", "name": "dora"})
    assert page.status_code == 409
    assert "All seats at this table are taken." in text_of(page)
    assert not Player.objects.filter(username="dora").exists()


def test_who_has_an_account_signs_in_as_the_one_who_is_invited(table: Game, bob: Player, carol: Player) -> None:
    link = link_to("bob@example.com", table)
    visitor = Client().post(link, {"answer": "sit", "name": "eve"})
    assert visitor["Location"].startswith("/accounts/login/?next=/invitations/")
    for method in ("get", "post"):
        other = getattr(signed_in(carol), method)(link, {"answer": "sit"})
        assert other.status_code == 403
        assert "This invitation is for somebody else" in text_of(other)
        assert "bob" not in text_of(other, "body").lower()
    assert signed_in(carol).post(link, {"answer": "decline"}).status_code == 403
    assert signed_in(bob).post(link, {"answer": "sit"})["Location"] == table.get_absolute_url()
    assert sorted(table.seats.values_list("name", flat=True)) == ["alice", "bob"]
    assert not Player.objects.filter(username="eve").exists()


def test_a_mail_to_no_account_seats_nobody_who_is_signed_in(table: Game, carol: Player) -> None:
    link = link_to("dora@example.com", table)
    assert signed_in(carol).post(link, {"answer": "sit", "name": "dora"}).status_code == 403
    assert table.seats.count() == 1


@pytest.mark.parametrize("address", ["bob@example.com", "dora@example.com"])
def test_who_has_the_link_declines_without_signing_in(table: Game, alice: Player, bob: Player, address: str) -> None:
    link, client = link_to(address, table), Client()
    assert client.post(link, {"answer": "decline"}).status_code == 303
    assert "This invitation is declined." in text_of(client.get(link))
    assert f"{address} has declined" in soup(signed_in(alice).get(table_url(table))).select(".invited tr")[0].get_text(
        " ", strip=True
    )


@pytest.mark.parametrize("address", ["bob@example.com", "dora@example.com"])
def test_the_button_that_declines_stands_beside_the_one_that_sits_down(table: Game, bob: Player, address: str) -> None:
    link, client = link_to(address, table), Client()
    page = soup(client.get(link))
    [beside] = [line for line in page.select("p") if line.select("#decline")]
    assert "sit down" in beside.get_text().lower()
    [button] = beside.select("#decline")  # where the mail leads
    [form] = page.select(f"form#{button['form']}[method=post]")
    assert form.select("input[name=csrfmiddlewaretoken]")
    assert client.post(link, {str(button["name"]): str(button["value"])}).status_code == 303
    assert not soup(client.get(link)).select("#decline")


@pytest.mark.parametrize("state", ["forged", "over", "taken back"])
def test_a_link_that_is_no_good_says_so(table: Game, state: str) -> None:
    link = link_to("dora@example.com", table)
    match state:
        case "forged":
            link = link.replace(link[20:30], "A" * 10)
        case "over":
            Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        case "taken back":
            Invitation.objects.update(answer="withdrawn", answered_at=timezone.now())
    for answer in (Client().get(link), Client().post(link, {"answer": "sit", "name": "dora"})):
        assert answer.status_code == 404
        assert "There is no such invitation" in text_of(answer)
    assert not Player.objects.filter(username="dora").exists()


@pytest.mark.parametrize("form", [{}, {"answer": "perhaps"}, {"answer": ""}])
def test_a_form_without_an_answer_does_nothing(table: Game, form: dict[str, str]) -> None:
    link = link_to("dora@example.com", table)
    assert Client().post(link, form).status_code == 422
    assert Invitation.objects.get().answer == ""


def test_nobody_stores_or_lists_the_page(table: Game, bob: Player) -> None:
    for address, client in (("dora@example.com", Client()), ("bob@example.com", signed_in(bob))):
        page = client.get(link_to(address, table))
        assert "no-store" in page["Cache-Control"]
        assert "noindex" in page["X-Robots-Tag"]
        assert page["Referrer-Policy"] == "same-origin"
        assert address not in page.content.decode()


def test_an_address_asks_for_no_more(table: Game, alice: Player) -> None:
    link_to("dora@example.com", table)
    url = mail.refuse_url("dora@example.com").removeprefix("http://localhost:8000")
    url = url[url.index("/invitations/") :]
    client = Client(enforce_csrf_checks=True)
    assert "Never write to this address again?" in text_of(client.get(url))
    assert not QuietAddress.objects.exists()
    for _time in range(2):
        assert "No more invitations" in text_of(client.post(url, {"List-Unsubscribe": "One-Click"}))
    other = make_table(alice)
    page = signed_in(alice).post(table_url(other, "invite/"), {"to": "dora@example.com"})
    assert "This address wants no invitations, so none was sent." in text_of(page)
    client.post(url, {"again": "1"})
    assert signed_in(alice).post(table_url(other, "invite/"), {"to": "dora@example.com"}).status_code == 303
    assert client.post(url.replace("stop/", "stop/0")).status_code == 404
