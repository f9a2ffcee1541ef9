"""The arithmetic of a season of a league: who sits with whom in the next round, and who leads. Pure: no Django, no
clock; chance is passed in."""

from games.league.draw import COMPUTER, count_meetings, draw_circle, draw_round
from games.league.standings import SeasonStanding, SeatResult, share_points, standings_of
