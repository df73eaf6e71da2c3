from __future__ import annotations

import hashlib
import io
import json
import random
import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from filing_tools import Run, Tools, Write
from made_facts import YEARS, companyfacts, fact
from made_filings import annual_report, submission

FACTS = companyfacts(fact("Revenues", YEARS[2022], 120, "2023-02-10"))
NAME = "CIK0001234567.json"


def bulk(*ciks: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for cik in ciks:
            facts = companyfacts(fact("Revenues", YEARS[2022], cik, "2023-02-10"), cik=cik, name=f"Company {cik}")
            archive.writestr(f"CIK{cik:010d}.json", json.dumps(facts))
        archive.writestr("readme.json", "not ours")
    return stream.getvalue()


def test_an_import_says_what_it_took_and_keeps_the_hash(run: Run, file: Write, tools: Tools, home: Path) -> None:
    path = file(FACTS, NAME)
    assert run("import", path) == (0, f"{NAME}: imported: CIK0001234567 Acme Corp: 1 values, 1 filings\n", "")
    source = tools("financials", identifier="1234567", concepts=["revenue"])["sources"][0]
    assert (source["kind"], source["ref"]) == ("file", NAME)
    assert source["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert stat.S_IMODE((home / "filings.db").stat().st_mode) == 0o600


def test_importing_twice_changes_nothing(run: Run, file: Write, tools: Tools) -> None:
    filing, facts = file(submission(annual_report()), "a.txt"), file(FACTS, NAME)
    run("import", filing, facts)
    before = tools("financials", identifier="1234567", concepts=["revenue"])
    code, out, _ = run("import", filing, facts)
    assert (code, [line.split(": ")[1] for line in out.splitlines()]) == (0, ["unchanged", "unchanged"])
    assert tools("financials", identifier="1234567", concepts=["revenue"]) == before


def test_newer_facts_replace_and_older_ones_do_not(run: Run, file: Write, tools: Tools) -> None:
    newer = companyfacts(
        fact("Revenues", YEARS[2022], 120, "2023-02-10"), fact("Revenues", YEARS[2023], 130, "2024-02-10")
    )
    run("import", file(FACTS, NAME))
    assert ": replaced: " in run("import", file(newer, NAME))[1]
    assert ": older: " in run("import", file(FACTS, NAME))[1]
    assert len(tools.values("revenue")) == 2


def test_a_value_from_the_future_is_left_out_and_blocks_nothing(run: Run, file: Write, tools: Tools) -> None:
    future = fact("Revenues", YEARS[2022], 999, "2099-02-10")
    out = run("import", file(companyfacts(fact("Revenues", YEARS[2021], 90, "2022-02-10"), future), NAME))[1]
    assert "1 values, 1 filings, 1 values left out whose filing date is after today" in out
    assert ": replaced: " in run("import", file(FACTS, NAME))[1]
    assert [value["value"] for value in tools.values("revenue")] == ["120"]


def test_a_file_of_the_future_alone_replaces_nothing(run: Run, file: Write, tools: Tools) -> None:
    run("import", file(FACTS, NAME))
    code, _, err = run("import", file(companyfacts(fact("Revenues", YEARS[2022], 999, "2099-02-10")), NAME))
    assert (code, "none of its 1 values can be used; 1 were filed after" in err) == (2, True)
    assert [value["value"] for value in tools.values("revenue")] == ["120"]


def test_facts_of_the_future_in_an_older_store_do_not_block_true_ones(run: Run, file: Write, home: Path) -> None:
    run("import", file(FACTS, NAME))
    with closing(sqlite3.connect(home / "filings.db")) as db, db:
        db.execute("UPDATE companies SET facts_until = '2099-02-10'")
    newer = companyfacts(fact("Revenues", YEARS[2023], 130, "2024-02-10"))
    assert ": replaced: " in run("import", file(newer, NAME))[1]


@pytest.mark.parametrize("member", [f"../{NAME}", f"/{NAME}", f"a/b/{NAME}", f"..\\{NAME}"])
def test_a_member_with_a_path_that_leads_elsewhere_is_skipped_and_said(run: Run, file: Write, member: str) -> None:
    stream = io.BytesIO(bulk(1))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr(member, json.dumps(FACTS))
    code, out, err = run("import", file(stream.getvalue(), "facts.zip"))
    assert (code, out.count("imported"), "failed: skipped: its path in the zip" in err) == (2, 1, True)


def test_a_comment_that_never_ends_costs_no_text_and_is_said(run: Run, file: Write, tools: Tools) -> None:
    page = annual_report().replace("We make anvils.", "We make anvils. <!-- <p>And rockets.</p>")
    out = run("import", file(submission(page), "a.txt"))[1]
    assert "warning: a comment in it never ends, and what follows was kept as text" in out
    text = tools("read_filing", accession="0001234567-23-000001", offset=0, limit=20000)["data"]["text"]
    assert "\nWe make anvils.\nAnd rockets.\n" in text
    assert "Coyote v. Acme is pending." in text
    assert "warning" not in run("import", file(submission(annual_report("<!-- x --> y"), serial=2), "b.txt"))[1]


def test_one_company_of_a_zip_is_read_and_no_other(run: Run, file: Write) -> None:
    path = file(bulk(1, 2, 3), "companyfacts.zip")
    content = bytearray(path.read_bytes())
    # The other members are damaged: reading them would fail.
    for cik in (b"1", b"3"):
        at = content.index(b'"Company ' + cik)
        content[at : at + 5] = b"XXXXX"
    path.write_bytes(content)
    code, out, _ = run("import", path, "--cik", "2")
    assert (code, out) == (
        0,
        "companyfacts.zip:CIK0000000002.json: imported: CIK0000000002 Company 2: 1 values, 1 filings\n",
    )
    code, out, err = run("import", path)
    assert (code, out.count("unchanged"), err.count("cannot be unpacked (BadZipFile)")) == (2, 1, 2)


def test_a_zip_of_very_many_companies_asks_which(run: Run, file: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finclaw_filings.files.MAX_MEMBERS", 2)
    path = file(bulk(1, 2, 3), "companyfacts.zip")
    code, _, err = run("import", path)
    assert (code, err) == (
        2,
        "companyfacts.zip: failed: it holds 3 files; name companies with --cik or --ticker, or say --all\n",
    )
    assert run("import", path, "--all")[0] == 0
    assert "it has no CIK##########.json of these companies" in run("import", path, "--cik", "9")[2]


def test_a_folder_is_imported_file_by_file_and_the_good_ones_stay(run: Run, file: Write, tmp_path: Path) -> None:
    file(FACTS, f"all/{NAME}")
    file("{", "all/CIK0000000009.json")
    file("no matter", "all/notes.md")
    code, out, err = run("import", tmp_path / "all")
    assert (code, out.count("imported"), err.startswith("CIK0000000009.json: failed: not JSON: ")) == (2, 1, True)
    assert run("import", tmp_path / "all", "--cik", "CIK0001234567")[0] == 0


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"<html>Request Rate Threshold Exceeded</html>", NAME, "a web page, not JSON"),
        (b'{"cik": 1, "facts": {"us-gaap": ', NAME, "not JSON"),
        (b'{"cik": 1, "facts": NaN}', NAME, "NaN is no number"),
        (b"[" * 200_000, NAME, "not JSON"),
        (b"[1, 2]", NAME, "not a JSON object"),
        (b"", NAME, "the file is empty"),
        (b'{"cik": "x", "facts": {"a": {}}}', NAME, "'x' is not a CIK"),
        (b'{"cik": 0, "facts": {"a": {}}}', NAME, "'0' is not a CIK"),
        (b'{"cik": 1, "facts": {"us-gaap": {"A": {"units": {"USD": [{"val": 1}]}}}}}', NAME, "none of its 1 values can be used"),
        (b'{"cik": 1, "facts": {"us-gaap": {"A": {"units": {"USD": 7}}}}}', NAME, "none of its 0 values can be used"),
        (b'{"hello": "world"}', "other.json", "not a file that we know"),
        (b'{"accessionNumber": []}', "a-submissions-b.json", "must keep its name"),
        (b"PK\3\4 not a zip", "companyfacts.zip", "not a whole zip file"),
        (b"%PDF-1.7", "filing.htm", "a PDF; save the filing as HTML or text"),
        (b"\0\1\2", "filing.txt", "not a text"),
        (b"<html></html>", "filing.htm", "there is no text in it"),
        (b"A report", "filing.txt", "does not have all that is needed, so say --cik (or --ticker), --form, --filed"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_one_line(run: Run, file: Write, content: bytes, name: str, said: str) -> None:
    code, out, err = run("import", file(content, name))
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize("value", ["1e400", "true", '"7"', "null", "[1]", "1" * 60, "1" * 6000, "-" + "9" * 5000])
def test_a_value_that_is_no_number_is_left_out_and_counted(run: Run, file: Write, value: str) -> None:
    text = json.dumps(FACTS).replace('"val": 120', f'"val": {value}')
    good = json.dumps(FACTS)[json.dumps(FACTS).index('[{"start"') + 1 : json.dumps(FACTS).index("}]") + 1]
    text = text.replace("}]", "}, " + good + "]", 1)
    assert "1 values, 1 filings, 1 values left out" in run("import", file(text, NAME))[1]


def test_a_saved_filing_without_a_header_is_what_the_user_says(run: Run, file: Write, tools: Tools) -> None:
    path = file(annual_report(), "acme-10k.htm")
    given = ("--cik", "1234567", "--form", "10-K", "--filed", "2023-02-10", "--period", "2022-12-31")
    assert run("import", path, *given)[0] == 0
    (listed,) = tools("list_filings", identifier="1234567")["data"]["filings"]
    assert (listed["form"], listed["filed"], listed["period"], listed["url"]) == (
        "10-K",
        "2023-02-10",
        "2022-12-31",
        None,
    )
    assert listed["accession"].startswith("file-")
    assert tools("read_filing", accession="acme-10k.htm", section="mda")["data"]["accession"] == listed["accession"]


def test_options_do_not_change_what_a_header_says(run: Run, file: Write) -> None:
    code, _, err = run("import", file(submission(annual_report()), "a.txt"), "--cik", "77")
    assert (code, err) == (2, "a.txt: failed: its own cik is 1234567, not 77\n")


@pytest.mark.parametrize(
    "option",
    [
        ("--cik", "12x"),
        ("--filed", "10.2.2023"),
        ("--period", "2023-02-30"),
        ("--accession", "7"),
        ("--ticker", "NONE"),
    ],
)
def test_a_wrong_option_is_named(run: Run, file: Write, option: tuple[str, str]) -> None:
    code, _, err = run("import", file(FACTS, NAME), *option)
    assert (code, err.startswith("error: "), option[1] in err) == (2, True, True)


def test_file_names_cannot_forge_lines(run: Run, file: Write) -> None:
    _, _, err = run("import", file("{", "a\x1b[31m\nb.json"))
    assert "\x1b" not in err
    assert len(err.splitlines()) == 1


def test_a_pipe_is_not_waited_for(run: Run, tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.json")
    assert "not a regular file" in run("import", tmp_path / "pipe.json")[2]
    assert run("import", tmp_path / "absent.json")[2] == "absent.json: failed: No such file or directory\n"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_is_refused_in_one_line_or_imported(run: Run, file: Write, method: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr(NAME, json.dumps(FACTS))
    whole, chance = stream.getvalue(), random.Random(method)
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        code, out, err = run("import", file(bytes(damaged), "facts.zip"))
        assert (code == 0) == (not err), (out, err)
        assert "bug" not in err


def test_a_damaged_member_does_not_keep_the_others_from_being_imported(run: Run, file: Write) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for cik in (1, 2):
            facts = companyfacts(fact("Revenues", YEARS[2022], cik, "2023-02-10"), cik=cik, name=f"Company {cik}")
            archive.writestr(f"CIK{cik:010d}.json", json.dumps(facts))
        data_of_first = 30 + len("CIK0000000001.json")  # behind the local header and the name
    damaged = bytearray(stream.getvalue())
    damaged[data_of_first] = 0xFF  # a block of a type that deflate does not have
    code, out, err = run("import", file(bytes(damaged), "facts.zip"))
    assert (code, out.count("imported")) == (2, 1)
    assert "CIK0000000001.json: failed: cannot be unpacked (error)" in err


def test_a_value_that_is_there_twice_is_refused(run: Run, file: Write) -> None:
    text = json.dumps(FACTS).replace('"val": 120', '"val": 120, "val": 7')
    code, out, err = run("import", file(text, NAME))
    assert (code, "an object has a key twice" in out + err) == (2, True)


def test_a_zip_with_two_members_of_one_name_is_refused(run: Run, file: Write) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(NAME, json.dumps(FACTS))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(NAME, json.dumps(companyfacts(fact("Revenues", YEARS[2022], 2, "2023-02-10"))))
    code, out, err = run("import", file(stream.getvalue(), "a.zip"))
    assert (code, f"it has {NAME} twice" in out + err) == (2, True)


def test_a_file_of_another_company_than_its_name_says_is_refused(run: Run, file: Write) -> None:
    code, out, err = run("import", file(companyfacts(fact("Revenues", YEARS[2022], 1, "2023-02-10"), cik=99), NAME))
    assert (code, "it is of CIK0000000099" in out + err) == (2, True)


def test_columns_of_different_lengths_are_refused(run: Run, file: Write) -> None:
    recent = {"accessionNumber": ["0001234567-24-000001"], "form": [], "filingDate": ["2024-01-01", "2024-01-02"]}
    code, out, err = run("import", file({"cik": "1234567", "name": "Acme", "filings": {"recent": recent}}, NAME))
    assert (code, "accessionNumber 1, form 0, filingDate 2" in out + err) == (2, True)


def test_minus_zero_is_zero(run: Run, file: Write, tools: Tools) -> None:
    run("import", file(json.dumps(FACTS).replace('"val": 120', '"val": -0.0'), NAME))
    (value,) = tools.values("revenue")
    assert value["value"] == "0"
