"""What a mail says, and how it is made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from games import play, rules, words
from games.mail.compose import LINE, tidy
from games.mail.message import as_message
from games.models import Game, Mail, Move, Notice, Player
from tests.cast import AT, make_table, play_random
from tests.elements import parse
from tests.made_once import scene
from tests.mail.composed import compose, mail_of

KINDS = [Notice.Kind.STARTED, Notice.Kind.TURN, Notice.Kind.FINISHED]


def notices(game: Game, kind: str) -> list[Notice]:
    found = Notice.objects.filter(seat__game=game, kind=kind).select_related("seat__game", "seat__player")
    return list(found.order_by("pk"))


def parsed(notice: Notice) -> EmailMessage:
    return message_from_bytes(compose([notice], at=notice.created_at).message().as_bytes(), policy=policy.default)


def bytes_of(notice: Notice, *, at: datetime) -> bytes:
    sent: bytes = compose([notice], at=at).message().as_bytes(linesep="\r\n")
    return sent


def part(mail: EmailMessage, subtype: str) -> str:
    body = mail.get_body(preferencelist=(subtype,))
    assert body is not None
    return str(body.get_content())


@pytest.fixture
def late(game: Game) -> Notice:
    """A call to the table late in a game of the three."""
    return notices(scene("late", lambda: play_random(game, 36)), Notice.Kind.TURN)[-1]


@pytest.fixture
def owed(over: Game) -> list[Notice]:
    """One mail of each kind, of one game."""
    return [notices(over, kind)[-1] for kind in KINDS]


def test_it_calls_to_the_table(late: Notice) -> None:
    mail, name = parsed(late), late.seat.name
    assert mail["Subject"] == "Your turn: Friday table (move 37)"
    assert mail["To"] == f"{name}@example.com"
    assert part(mail, "plain").startswith(f"Friday table\n\nIt is your turn, {name}.\n")
    assert f"/tables/{late.seat.game.slug}/\n" in part(mail, "plain")
    assert f"It is your turn, {name}." in part(mail, "html")


def test_it_tells_what_happened_since_the_reader_last_moved(late: Notice) -> None:
    texts = list(Move.objects.filter(game=late.seat.game).order_by("ply").values_list("text", flat=True))
    for subtype in ("plain", "html"):
        text = " ".join(part(parsed(late), subtype).split())
        since = text.index(f"Since your last move, {texts[33]}")
        assert since < text.index(texts[34], since) < text.index(texts[35], since)
        assert texts[32] not in text
    assert part(parsed(late), "plain").count(texts[33]) == 1
    bob_moved = re.search(r"(\w+) moved (\w\d) to (\w\d)", part(parsed(late), "plain"))
    assert bob_moved is not None
    assert f"{bob_moved[2]}-{bob_moved[3]}" == texts[34][:5]


def test_it_reads_out_the_title_before_the_stamp(late: Notice) -> None:
    said = parse(part(parsed(late), "html")).get_text(" ", strip=True)
    title = said.index("Clans by mail Friday table Move 37")
    assert title < said.index(f"It is your turn, {late.seat.name}.", title)


def test_no_day_and_no_move_of_the_history_falls_apart_at_the_end_of_a_line(late: Notice) -> None:
    for subtype in ("plain", "html"):
        text = unescape(part(parsed(late), subtype))
        assert re.search(r"\d\N{NO-BREAK SPACE}(March|Mar)\b", text)
        assert re.search(r"\(\d\N{NO-BREAK SPACE}days left\)", text)
        assert not re.search(r"\d (March|Mar|days left)\b", text)
    moves = set(Move.objects.filter(game=late.seat.game).values_list("text", flat=True))
    told = [found for found in parse(part(parsed(late), "html")).select("span") if found.get_text() in moves]
    assert len(told) == 2
    assert all("nowrap" in found["style"] for found in told)


def test_a_mail_about_the_end_promises_no_further_move(over: Game) -> None:
    texts = [part(parsed(notice), "plain") for notice in notices(over, Notice.Kind.FINISHED)]
    assert any("After your last move, " in text for text in texts)
    assert not any("Since your last move" in text for text in texts)


def test_it_tells_the_whole_story_to_who_has_not_moved_yet(game: Game) -> None:
    play_random(game, 2)
    text = part(parsed(notices(game, Notice.Kind.TURN)[-1]), "plain")
    moves = Move.objects.filter(game=game).values_list("text", flat=True)
    assert "So far" in text
    assert all(move in text for move in moves)


def test_it_shows_scores_chips_and_what_the_next_village_brings(late: Notice) -> None:
    position = late.seat.game.position()
    text = part(parsed(late), "plain")
    for clan, score in zip(rules.CLANS, position.scores, strict=True):
        assert re.search(rf"^ +{score}  \S {clan}$", text, re.MULTILINE)
    for seat in late.seat.game.seats.all():
        assert seat.number is not None
        assert re.search(rf"^ +{position.chips[seat.number]}  {seat.name}( \(you\))?$", text, re.MULTILINE)
    assert re.search(rf"^ +{position.chips_left}  left on the epoch chart$", text, re.MULTILINE)
    assert "The next village falls into epoch" in text


def test_it_says_what_the_last_village_brings(game: Game) -> None:
    play_random(game)
    eleven = [step.position.ply for step in game.steps() if step.position.chips_left == 1]
    text = part(parsed(Notice.objects.get(seat__game=game, kind=Notice.Kind.TURN, ply=eleven[0])), "plain")
    assert "The next village is the twelfth: it is worth 5 more on any terrain, and the game ends." in " ".join(
        text.split()
    )


def test_it_says_that_the_game_has_begun(game: Game) -> None:
    first = game.seats.get(number=game.first).name
    for notice in notices(game, Notice.Kind.STARTED):
        mail = parsed(notice)
        assert mail["Subject"] == "The game has begun: Friday table"
        assert f"{first} makes the first move" in part(mail, "plain")
        assert f"1  {first}" in part(mail, "plain")
    [turn] = notices(game, Notice.Kind.TURN)
    assert "The game has begun, and you make the first move." in part(parsed(turn), "plain")
    assert parsed(turn)["Subject"] == "Your turn: Friday table (move 1)"


def test_it_says_how_the_game_ended(game: Game) -> None:
    play_random(game)
    winners = list(game.seats.filter(rank=1).order_by("number").values_list("name", flat=True))
    for notice in notices(game, Notice.Kind.FINISHED):
        mail = parsed(notice)
        mine = "You won" if len(winners) == 1 else "You share the win"
        won = mine if notice.seat.name in winners else f"Won by {words.join_words(winners)}"
        assert mail["Subject"] == f"{won}: Friday table"
        for seat in game.seats.all():
            line = rf"^ +{seat.total}  {seat.name}( \(you\))?: {seat.clan} "
            assert re.search(line, part(mail, "plain"), re.MULTILINE)
            assert f"{seat.clan} " in part(mail, "html")


def test_it_says_that_the_game_was_abandoned(game: Game) -> None:
    play_random(game, 4)
    for seat in game.seats.all():
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT)
    mail = parsed(notices(game, Notice.Kind.FINISHED)[0])
    assert mail["Subject"] == "Nobody won: Friday table"
    assert "Nobody wins. All players agreed to abandon the game." in part(mail, "plain")


def test_it_says_that_who_was_left_abandoned_the_game(game: Game, alice: Player) -> None:
    play.resign(game, player=alice, at=AT)
    for seat in game.seats.exclude(player=alice):
        assert seat.player is not None
        play.agree_to_abandon(game, player=seat.player, agrees=True, at=AT)
    for notice in notices(game, Notice.Kind.FINISHED):
        assert "Everybody still playing agreed to abandon the game." in part(parsed(notice), "plain")


def test_it_says_when_a_computer_player_moves_for_somebody(game: Game, alice: Player) -> None:
    play.resign(game, player=alice, at=AT)
    play_random(game, 5)
    text = part(parsed(notices(game, Notice.Kind.TURN)[-1]), "plain")
    assert "alice (resigned, a computer player moves)" in text


@pytest.mark.parametrize(
    ("zone", "hour"),
    [("UTC", "23:00"), ("Europe/Vienna", "00:00"), ("America/New_York", "18:00"), ("Moon/Sea", "23:00")],
)
def test_it_tells_times_as_the_readers_clock_shows_them(game: Game, zone: str, hour: str) -> None:
    play_random(game, 1)
    Player.objects.update(time_zone=zone)
    text = part(parsed(notices(game, Notice.Kind.TURN)[-1]), "plain")
    assert f"Mar, {hour}\n" in text


@pytest.mark.usefixtures("two_languages")
def test_it_speaks_the_readers_language(game: Game) -> None:
    play_random(game, 1)
    Player.objects.update(language="de")
    mail = parsed(notices(game, Notice.Kind.TURN)[-1])
    assert '<html lang="de">' in part(mail, "html")
    assert "Mo 2\N{NO-BREAK SPACE}Mär, 23:00\n" in part(mail, "plain")


def test_it_carries_what_mail_programs_and_other_programs_sort_by(owed: Sequence[Notice]) -> None:
    for notice in owed:
        mail, slug = parsed(notice), notice.seat.game.slug
        assert (mail["X-Clans-Game"], mail["X-Clans-Ply"], mail["X-Clans-Kind"]) == (slug, str(notice.ply), notice.kind)
        assert mail["Message-ID"] == mail_of(notice).message_id
        assert mail["Date"].datetime == notice.created_at
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail["List-Id"] == "Clans by mail <tables.localhost>"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert re.fullmatch(r"<http://localhost:\d+/mail/stop/\S+/>", mail["List-Unsubscribe"])
        assert mail["List-Unsubscribe"].strip("<>") in part(mail, "plain")


def test_it_makes_the_same_mail_again(owed: Sequence[Notice]) -> None:
    for notice in owed:
        later = notice.created_at + timedelta(hours=1)
        assert bytes_of(notice, at=later) == bytes_of(Notice.objects.get(pk=notice.pk), at=later)


def test_it_makes_the_same_message_of_a_row_whatever_happens(late: Notice, settings: Settings) -> None:
    """Also with another language, another name of the table and other pictures on the disk."""
    mail = mail_of(late)
    before = as_message(mail).message().as_bytes()
    assert bytes_of(late, at=late.created_at + timedelta(hours=30)) != before
    Game.objects.update(name="Another table")
    Player.objects.filter(pk=mail.player_id).update(language="de", email="another@example.com")
    for picture in settings.PICTURES_DIR.rglob("*.png"):
        picture.unlink()
    assert as_message(mail).message().as_bytes() == before


def test_it_leaves_out_a_picture_that_nobody_can_draw_any_more(late: Notice, settings: Settings) -> None:
    mail = mail_of(late)
    assert mail.pictures
    for picture in settings.PICTURES_DIR.rglob("*.png"):
        picture.unlink()
    Game.objects.update(edition=1)
    left = message_from_bytes(as_message(mail).message().as_bytes(), policy=policy.default)
    assert [part.get_content_type() for part in left.walk() if not part.is_multipart()] == ["text/plain", "text/html"]


def test_it_keeps_its_id_however_often_the_message_is_made(turn: Notice) -> None:
    mail = mail_of(Notice.objects.get(pk=turn.pk))
    assert {as_message(mail).message()["Message-ID"] for _time in range(2)} == {mail.message_id}


def test_it_loads_nothing_and_runs_nothing(owed: Sequence[Notice]) -> None:
    for notice in owed:
        html = parse(part(parsed(notice), "html"))
        assert not html.select("script, link, iframe, object, form, base")
        assert not re.search(r"url\(|@import|src=\"(?!cid:)|background=", str(html))


def test_it_looks_right_without_style_sheets_and_dark_with_them(owed: Sequence[Notice]) -> None:
    for notice in owed:
        html = parse(part(parsed(notice), "html"))
        [sheet] = html.select("style")
        assert "@media (prefers-color-scheme: dark)" in sheet.get_text()
        assert "background:#f5efe1" in str(html.select_one(".card"))
        [button] = html.select(".button-link")
        assert "color:#f5efe1" in str(button["style"])


def test_it_says_the_same_as_text_and_as_html(owed: Sequence[Notice]) -> None:
    for notice in owed:
        mail = parsed(notice)
        html = parse(part(mail, "html"))
        links = {link["href"] for link in html.select("a")}
        assert links == set(re.findall(r"http\S+", part(mail, "plain")))


def test_it_stays_small(owed: Sequence[Notice]) -> None:
    assert all(len(bytes_of(notice, at=AT)) < 100_000 for notice in owed)


def test_it_keeps_lines_short_but_for_addresses(owed: Sequence[Notice]) -> None:
    for notice in owed:
        text = part(parsed(notice), "plain")
        assert all(len(line) <= LINE or "://" in line for line in text.splitlines())
        assert "\n\n\n" not in text
        assert not any(line.endswith(" ") for line in text.splitlines())


def test_it_is_not_misled_by_what_a_table_is_called(alice: Player, bob: Player) -> None:
    table = make_table(alice, size=2, name="<b>Tom & Ann</b>\r\nBcc: mallory@example.com")
    play.join_table(table, player=bob, at=AT)
    [turn] = notices(table, Notice.Kind.TURN)
    mail = parsed(turn)
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Your turn: <b>Tom & Ann</b> Bcc: mallory@example.com (move 1)"
    assert "<b>Tom & Ann</b>" in part(mail, "plain")
    assert "<b>" not in part(mail, "html")
    assert "&lt;b&gt;Tom &amp; Ann" in part(mail, "html")


def test_it_writes_names_in_any_script(alice: Player, bob: Player) -> None:
    table = make_table(alice, size=2, name="Пятница 金曜日 café")
    play.join_table(table, player=bob, at=AT)
    mail = parsed(notices(table, Notice.Kind.TURN)[0])
    assert mail["Subject"] == "Your turn: Пятница 金曜日 café (move 1)"
    assert part(mail, "plain").startswith("Пятница 金曜日 café\n")
    assert "Пятница 金曜日 café" in unescape(part(mail, "html"))


def test_it_costs_four_queries(late: Notice, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(4):
        compose(late)


def test_it_folds_long_lines_with_their_indent() -> None:
    words = "  " + "word " * 30
    folded = tidy(f"\n\nnews\n\n\n\n{words}\n  http://example.com/{'x' * 90}\n\n")
    lines = folded.splitlines()
    assert lines[:2] == ["news", ""]
    assert all(line.startswith("  word") and len(line) <= LINE for line in lines[2:4])
    assert lines[-1] == f"  http://example.com/{'x' * 90}"


def test_it_has_no_end_of_a_line_but_our_own(late: Notice) -> None:
    """Mail servers refuse a mail with a bare CR, or make an end of a line of it."""
    mail = mail_of(late)
    mail.packed_text, mail.packed_html = Mail.packed("one\rtwo\r\nthree"), Mail.packed("<p>one\rtwo</p>")
    sent = as_message(mail).message().as_bytes(linesep="\r\n")
    assert b"\r" not in sent.replace(b"\r\n", b"")
    assert b"\n" not in sent.replace(b"\r\n", b"")


def test_it_puts_each_header_on_one_line(late: Notice) -> None:
    """Some programs read a value that begins on the line after its name with a space too many."""
    head = bytes_of(late, at=AT).partition(b"\r\n\r\n")[0]
    assert not re.search(rb"\r\n[ \t]", head)
    assert b"\r\nList-Unsubscribe: <http" in head


@pytest.mark.parametrize("zone", ["Europe", "Nowhere/Land", "/etc/passwd", "../UTC", ""])
def test_it_tells_times_in_utc_where_this_machine_does_not_know_the_zone(turn: Notice, zone: str) -> None:
    """A mail is worth more than its hour."""
    usual = part(parsed(turn), "plain")
    Player.objects.update(time_zone=zone)
    assert part(parsed(Notice.objects.get(pk=turn.pk)), "plain") == usual
    assert "20:00 UTC" in usual
