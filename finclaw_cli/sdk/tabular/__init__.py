"""Delimited text as banks, brokers and data services export it: encodings, delimiters, columns, numbers, dates.

What decides how cells are read is settled once for a file, before a row is read: `open_text` finds encoding, delimiter
and header, `MarkVotes` and `OrderVotes` the decimal mark and the order of day and month. Nothing is guessed: what a
file does not show is an error that names the option. `read_rows` then collects bad rows with line and reason.
"""

from finclaw_cli.output.progress import Step
from finclaw_cli.sdk.tabular.columns import column_key, match_columns, missing_column
from finclaw_cli.sdk.tabular.dates import (
    DateStyle,
    Order,
    OrderVotes,
    date_style,
    latest_date,
    parse_date,
    plausible_date,
    swapped,
)
from finclaw_cli.sdk.tabular.numbers import (
    Mark,
    MarkVotes,
    decimal_mark,
    parse_amount,
    parse_number,
    parse_volume,
)
from finclaw_cli.sdk.tabular.problems import BadCell, BadOption, FileProblem
from finclaw_cli.sdk.tabular.rows import (
    Rejection,
    Row,
    check_width,
    counted_rows,
    no_progress,
    read_rows,
    row_text,
    tool_progress,
)
from finclaw_cli.sdk.tabular.signs import check_written_currency, sign_fits, sign_of
from finclaw_cli.sdk.tabular.text import (
    DELIMITERS,
    TextFile,
    decode,
    digest_of,
    open_text,
    plain_columns,
    regular_stamp,
    split_rows,
    text_encoding,
)

__all__ = [
    "DELIMITERS",
    "BadCell",
    "BadOption",
    "DateStyle",
    "FileProblem",
    "Mark",
    "MarkVotes",
    "Order",
    "OrderVotes",
    "Rejection",
    "Row",
    "Step",
    "TextFile",
    "check_width",
    "check_written_currency",
    "column_key",
    "counted_rows",
    "date_style",
    "decimal_mark",
    "decode",
    "digest_of",
    "latest_date",
    "match_columns",
    "missing_column",
    "no_progress",
    "open_text",
    "parse_amount",
    "parse_date",
    "parse_number",
    "parse_volume",
    "plain_columns",
    "plausible_date",
    "read_rows",
    "regular_stamp",
    "row_text",
    "sign_fits",
    "sign_of",
    "split_rows",
    "swapped",
    "text_encoding",
    "tool_progress",
]
