"""The game as one viewer may see it at one ply: the only reader of secrets for output (design 1.3).

Pages, mails, exports and the admin show what stands in a Pov. A card is in it only when the game is over or the card
is the viewer's own; the deal's seed and the players' entropy only when the game is over. Notes and sheets are read
apart, by the table's page alone: a note only ever by its writer, sheets by everybody once the game is over. So is the
talk, by pages of the table and mails to its players.
"""

from games.pov.archive_files import Archive, open_archive_file, publish_archive, read_archive
from games.pov.looking import founding_plies, look, position_at, read_awaiting
from games.pov.notes import SuspicionPov, read_note, read_sheet, reveal_sheets
from games.pov.one_record import record_of
from games.pov.own import columns, former_seats, own_games
from games.pov.proof import Part, prove
from games.pov.records import archived_games, finished_games, write_records
from games.pov.talk import LATEST, PostcardPov, may_read_talk, read_all_talk, read_comments, read_talk, read_unread
from games.pov.values import DealPov, DrawnPlayer, EventPov, MovePov, Pov, SeatPov
from games.pov.verify import verify_archive
from games.pov.viewpoints import as_seen_then
