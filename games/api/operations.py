"""The operations of the API. Each reads what a page reads, by the same functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from http import HTTPStatus
from typing import Annotated, Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Path, Query, Schema
from ninja.errors import Throttled, ValidationError

from games.api import schemas
from games.api.callers import Bearer, caller_of
from games.api.finding import find_game
from games.api.problems import METHODS, Problem, WrongParameters, respond_with_problem
from games.api.responses import caching, conditional
from games.api.search import read_search, refuse_nobody, search_parameters
from games.api.showing import list_game, read_key, show_game, show_player, show_position, show_statistics
from games.models import Game, Player
from games.pages.lists.one_player import find_player, may_see
from games.pages.lists.paging import Page, can_read, count_found, page_in
from games.pages.lists.player_page import read_tallies
from games.pages.lists.positions import Place
from games.pages.lists.search import SearchForm, find_games
from games.pages.lists.summaries import ListedGame, summarize_tables
from games.pages.lists.watch import running_in_public
from games.pages.statistics.sections import last_count
from games.pov import look
from games.rules import UnknownRuleset, find_ruleset

DESCRIPTION: Final = """It reads what the pages of this site show, and changes nothing.

Without a token you read what everybody may see. With a token of yours, sent as `Authorization: Bearer …`, you also read
your own tables: those by link, and your own clan card. Cards of others are there when the game is over.

Lists come in pages: `before` and `after` of an answer go into the parameter `cursor`. A parameter that an address does
not have is refused. Days are those of UTC.

An answer has an `ETag`. Send it as `If-None-Match`, and the answer is 304 while nothing has changed.

To get all games at once, download the files of the archive: `/archive/download/manifest.json` lists them. Each line is
the record of a game."""

api = NinjaAPI(
    title="Clans by mail",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api:v1",
    openapi_url=None,
    auth=Bearer(),
)
api.add_decorator(conditional, mode="view")

REFUSED: Final = dict.fromkeys((400, 401, 404, 422, 429, 503), schemas.ProblemAnswer)

Cursor = Annotated[str, Query(description="From where on; empty for the first page.", max_length=60)]
Limit = Annotated[int, Query(description="Games on a page.", ge=1, le=100)]
Mine = Annotated[bool, Query(description="Your own games, those by link among them. Needs a token.")]
Slug = Annotated[str, Path(description="The `id` of a game.", examples=["b7ck2mzq9d"])]
POSITION: Final = "What stands on the table, as `position` of a PositionAnswer names it, such as `ddd026ce634ac983`."
Ply = Annotated[int, Path(description="Moves played.", ge=0)]

Operation = Callable[..., dict[str, Any]]


def _read(path: str, answer: type[Schema], **about: Any) -> Callable[[Operation], Operation]:
    """Register an operation, for GET and HEAD."""

    def register(operation: Operation) -> Operation:
        about.update(operation_id=operation.__name__, response={200: answer, 304: None, **REFUSED})
        return api.api_operation(list(METHODS), path, **about)(operation)

    return register


def _refuse_unknown(operation: Operation) -> Operation:
    """Refuse parameters that the address does not have, or that come twice: they would be misunderstood."""

    @wraps(operation)
    def run(request: HttpRequest, *args: Any, **kwargs: Any) -> dict[str, Any]:
        known = _parameters()[operation.__name__]
        wrong = [(name, _("There is no such parameter.")) for name in request.GET if name not in known]
        wrong += [(name, _("This stands there twice.")) for name, values in request.GET.lists() if len(values) > 1]
        if wrong:
            raise WrongParameters(wrong)
        return operation(request, *args, **kwargs)

    return run


@cache
def _parameters() -> dict[str, set[str]]:
    """The names of the parameters of each operation."""
    described = [operations["get"] for operations in api.get_openapi_schema(path_prefix="")["paths"].values()]
    return {
        one["operationId"]: {each["name"] for each in one["parameters"] if each["in"] == "query"} for one in described
    }


api.add_decorator(_refuse_unknown)


# --- Games -----------------------------------------------------------------------------------------


@_read(
    "games",
    schemas.GamesAnswer,
    summary="The archive",
    openapi_extra={"parameters": search_parameters()},
)
def games(request: HttpRequest, mine: Mine = False, limit: Limit = 20, cursor: Cursor = "") -> dict[str, Any]:
    """Public games that are over, by the search of the archive’s page. An empty parameter asks for nothing."""
    viewer = _viewer(request, mine=mine)
    search = read_search(request, viewer=viewer)
    answer = _list(find_games(search.cleaned_data, viewer=viewer, mine=mine), viewer, limit=limit, cursor=cursor)
    if not answer["games"]:
        refuse_nobody(search)
    return answer


@_read("running", schemas.GamesAnswer, summary="Running games")
def running(request: HttpRequest, mine: Mine = False, limit: Limit = 20, cursor: Cursor = "") -> dict[str, Any]:
    """Public games that are being played, the one with the last move first; or your own open and running tables, the
    newest first."""
    viewer = _viewer(request, mine=mine)
    found = Game.objects.unfinished_of(viewer) if viewer and mine else running_in_public()
    return _list(found, viewer, limit=limit, cursor=cursor)


@_read("games/{slug}", schemas.GameAnswer, summary="One game")
def game(request: HttpRequest, response: HttpResponse, slug: Slug) -> dict[str, Any]:
    """A table with its seats, where it stands, and its record. Tables by link are there for their players alone."""
    viewer = caller_of(request)
    pov = look(find_game(slug, viewer=viewer), viewer=viewer)
    response["Cache-Control"] = caching(request, is_over=pov.is_over)
    return show_game(pov)


@_read("games/{slug}/plies/{int:ply}", schemas.PositionAnswer, summary="A game at one ply")
def ply(request: HttpRequest, response: HttpResponse, slug: Slug, ply: Ply) -> dict[str, Any]:
    """What stood on the table when so many moves had been played, and the last of them."""
    viewer = caller_of(request)
    try:
        pov = look(find_game(slug, viewer=viewer), viewer=viewer, ply=ply)
    except IndexError:
        raise Http404 from None
    shown = show_position(pov)
    if shown is None:
        raise Http404
    response["Cache-Control"] = caching(request, is_over=pov.is_over)
    return shown


@_read(
    "positions/{position}/games",
    schemas.GamesAnswer,
    summary="Games that passed through a position",
)
def position_games(
    request: HttpRequest,
    position: Annotated[str, Path(description=POSITION, pattern="^[0-9a-f]{16}$", examples=["ddd026ce634ac983"])],
    limit: Limit = 20,
    cursor: Cursor = "",
) -> dict[str, Any]:
    """Public games that are over and came to this position, by whatever moves, newest first."""
    form = SearchForm({})
    form.is_valid()
    about = form.cleaned_data | {"position": Place("", 0, read_key(position), ())}
    return _list(find_games(about, viewer=None, mine=False), None, limit=limit, cursor=cursor)


def _viewer(request: HttpRequest, *, mine: bool) -> Player | None:
    """The player who asks. Raises Problem for who asks for their own games without a token."""
    viewer = caller_of(request)
    if mine and viewer is None:
        raise Problem(HTTPStatus.UNAUTHORIZED, _("Your own games need a token."))
    return viewer


def _list(found: QuerySet[Any, Any], viewer: Player | None, *, limit: int, cursor: str) -> dict[str, Any]:
    """A page of a list, counted if it is the first one. At most three queries."""
    if not can_read(cursor, found):
        raise WrongParameters([("cursor", _("That is no cursor of this list."))])
    page = page_in(found, size=limit, cursor=cursor)
    [tables] = summarize_tables([page.rows], viewer=viewer)
    return {
        "games": [list_game(table) for table in tables],
        "count": None if cursor else _count(found, page),
        "before": page.before or None,
        "after": page.after or None,
    }


def _count(found: QuerySet[Any, Any], page: Page[ListedGame]) -> dict[str, Any]:
    number, is_exact = count_found(found, page)
    text = str(number) if is_exact else _("more than %(number)s") % {"number": f"{number:,}"}
    return {"number": number, "exact": is_exact, "text": text}


# --- Players ---------------------------------------------------------------------------------------


@_read("boards/{board}/{int:rules}", schemas.BoardAnswer, summary="A map")
def board(
    request: HttpRequest,
    response: HttpResponse,
    board: Annotated[str, Path(description="The name of a map, as `board` of a game.")],
    rules: Annotated[int, Path(description="The version of the rules, as `rules` of a game.", ge=0)],
) -> dict[str, Any]:
    """Which territories touch, what grows on them, and the chart of epochs: what a program needs to find legal moves
    and to count points. Maps never change."""
    try:
        found = find_ruleset(board, rules)
    except UnknownRuleset:
        raise Http404 from None
    response["Cache-Control"] = caching(request, is_over=True)
    return found.export()


@_read("players/{name}", schemas.PlayerAnswer, summary="A player")
def player(
    request: HttpRequest,
    name: Annotated[str, Path(description="The player’s name, or one of before.", examples=["colette"])],
) -> dict[str, Any]:
    """What the page of a player shows to everybody. Their games are in the archive, by the parameter `player`."""
    found = find_player(name)
    if found is None or not may_see(found, viewer=None):
        raise Http404
    return show_player(found, read_tallies(found))


@_read("statistics", schemas.StatisticsAnswer, summary="Statistics of the archive")
def statistics(
    request: HttpRequest,
    players: Annotated[schemas.Players, Query(description="Of all games, or of those among people alone.")] = "all",
) -> dict[str, Any]:
    """What the page of the statistics shows, as it was counted last."""
    return show_statistics(last_count(), players)


# --- Errors ----------------------------------------------------------------------------------------


@api.exception_handler(Problem)
def _problem(request: HttpRequest, problem: Problem) -> HttpResponse:
    response = respond_with_problem(problem)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return respond_with_problem(
        Problem(HTTPStatus.NOT_FOUND, _("There is nothing at this address, or it is not for you."))
    )


@api.exception_handler(ValidationError)
def _unreadable(request: HttpRequest, error: ValidationError) -> HttpResponse:
    wrong = [(str(one["loc"][-1]), str(one["msg"])) for one in error.errors]
    return respond_with_problem(WrongParameters(wrong))


@api.exception_handler(Throttled)
def _too_often(request: HttpRequest, error: Throttled) -> HttpResponse:
    response = respond_with_problem(Problem(HTTPStatus.TOO_MANY_REQUESTS, _("That was too often for now.")))
    response["Retry-After"] = str(error.wait)
    return response


@api.exception_handler(Exception)
def _fault(request: HttpRequest, error: Exception) -> HttpResponse:
    raise error
