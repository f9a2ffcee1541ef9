"""Games from records: read line by line, checked by the rules, stored whole or not at all (docs/records.md).

A record may come from anybody, so nothing in it is trusted: not its size, not its names, not its moves.
"""

from games.importing.checking import LONGEST_NAME
from games.importing.lines import LONGEST, BrokenFile, FileLine, read_lines
from games.importing.storing import Imported, import_records
