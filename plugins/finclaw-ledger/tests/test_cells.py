from __future__ import annotations

from collections.abc import Callable

import pytest
from answers import Answer
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk.tabular import BadOption, FileProblem
from finclaw_ledger.csvreader import Given
from finclaw_ledger.formats import read_statement
from finclaw_ledger.identity import stored
from finclaw_ledger.profile import read_profile
from finclaw_ledger.settings import TABLE
from finclaw_ledger.textfile import raw_file
from finclaw_ledger.wording import alias, private

Load = Callable[..., str]
Ask = Callable[..., Answer]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Gehalt DE89 3704 0044 0532 0130 00", "Gehalt …3000"),
        ("card 4111 1111 1111 1111 paid", "card …1111 paid"),
        ("invoice 2026-01", "invoice 2026-01"),
        ("1,234.56", "1,234.56"),
    ],
)
def test_long_numbers_in_texts_are_cut(text: str, shown: str) -> None:
    assert private(text) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("DE89370400440532013000", "account …3000"),
        ("110-123-456789", "account …6789"),
        ("Savings 2", "Savings 2"),
        ("Savings 2024-01", "Savings 2024-01"),
    ],
)
def test_an_account_is_called_by_its_name_or_its_last_digits(number: str, shown: str) -> None:
    assert alias(number) == shown


def test_two_accounts_with_the_same_last_digits_keep_apart(load: Load, ask: Ask) -> None:
    load(
        "Date,Account,Amount\n2026-01-01,DE11110003000,-1\n2026-01-01,DE22220003000,-2\n", "a.csv", "--currency", "EUR"
    )
    assert [row["account"] for row in ask("ledger_accounts").data["accounts"]] == ["account …3000", "account …3000 (2)"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("columns = [", "is no TOML"),
        ('[columns]\ndate = ["d"]', "needs date, and amount"),
        ('other = 1\n[columns]\ndate = ["d"]\namount = ["a"]', "other"),
        ('decimal = "x"\n[columns]\ndate = ["d"]\namount = ["a"]', "decimal"),
        ('[columns]\nnothing = ["d"]', "columns"),
    ],
)
def test_a_wrong_profile_is_one_clear_line(text: str, why: str) -> None:
    with pytest.raises(BadOption, match=why):
        read_profile("mine", text)


heads = st.sampled_from(
    [
        "Date,Payee,Amount,Balance\n",
        "거래일자,적요,출금액,입금액,잔액\n",
        "Buchungstag;Betrag;Saldo\n",
        "Date,Side,Symbol,Quantity,Price,Fee,Amount\n",
        "OFXHEADER:100\n<OFX><STMTRS><CURDEF>EUR<ACCTID>1<STMTTRN>",
        "OFXHEADER:100\n<OFX><INVSTMTRS><CURDEF>EUR<ACCTID>1<BUYSTOCK><DTTRADE>20260105<TOTAL>-1<UNITS>1",
        ":20:X\n:25:1/2\n:60F:C260131EUR1,\n:61:",
        ":20:X\n:25:1/2\n:34F:EUR0,\n:61:",
        "<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>X</IBAN></Id></Acct><Ntry>",
        '<FlexQueryResponse><FlexStatements><FlexStatement accountId="1"><Trades><Trade ',
        "",
    ]
)
cells = st.sampled_from(
    [
        "2026-01-05",
        "05.01.2026",
        "1.234,56",
        "-3",
        "buy",
        "ACME",
        '"',
        "\n",
        ",",
        ";",
        "<DTPOSTED>",
        "<TRNAMT>",
        "=1+1",
        "\x00",
        "</STMTTRN>",
        '<Amt Ccy="EUR">1</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-05</Dt></BookgDt>',
        "</Ntry></Stmt></BkToCstmrStmt></Document>",
        'quantity="1" netCash="-1" currency="EUR" tradeDate="20260105"/>',
        "</Trades></FlexStatement></FlexStatements></FlexQueryResponse>",
        ":61:2601020231D1,",
        ":86:",
        "?20",
        "9" * 30,
        "NaN",
        "\x1b",
        "합계",
        "\ufeff",
        "0000-00-00",
    ]
)


@given(heads, st.lists(st.one_of(cells, st.text(max_size=6)), max_size=30), st.booleans())
def test_whatever_a_file_holds_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, head: str, parts: list[str], wide: bool
) -> None:
    content = (head + "".join(part + ("," if wide else "") for part in parts)).encode("utf-8", "surrogatepass")
    try:
        raw = raw_file("any.csv", content)
        found = read_statement(raw, tmp_path_factory.getbasetemp(), None, Given(account="A", currency="EUR"))
    except (FileProblem, BadOption):
        return
    for entry, (identity, *_) in zip(found.entries, stored(found.entries), strict=True):
        assert len(identity) == 64
        assert entry.amount.is_finite()
        assert entry.payee.isprintable()
        assert entry.account


@given(st.lists(st.tuples(st.integers(1, 28), st.integers(-5, 5)), min_size=1, max_size=20), st.data())
def test_files_that_overlap_never_count_a_booking_twice(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Exports are of whole days, so that equal bookings of a day are all in a file or none of them is."""
    cut = data.draw(st.integers(1, 28))
    home = tmp_path_factory.getbasetemp()

    def identities(wanted: list[tuple[int, int]]) -> set[str]:
        text = "Date,Payee,Amount\n" + "".join(f"2026-01-{day:02},P,{amount}\n" for day, amount in wanted)
        read = read_statement(
            raw_file("a.csv", text.encode()),
            home,
            "generic-amount",
            Given(account="A", currency="EUR", sign="money-out-negative"),
        )
        return {identity for identity, *_ in stored(read.entries)}

    whole = identities(sorted(rows))
    assert len(whole) == len(rows)
    assert identities([row for row in reversed(rows) if row[0] >= cut]) <= whole


def test_the_settings_table_is_the_distribution_s() -> None:
    assert TABLE == "plugin.finclaw-ledger"
