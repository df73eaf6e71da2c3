"""Text that is not UTF-8, on stdin and in files, is read in the encoding that it has, and the run says which."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, Ran

GERMAN = "Datum;Empfänger;Betrag\n01.02.2024;Müller GmbH;12,50 €\n02.02.2024;Bäckerei Groß;3,20\n"
KOREAN = "거래일자,적요,출금,입금,잔액\n2024-01-02,급여,0,3000000,3500000\n2024-01-03,스타벅스,4500,0,3495500\n"
BRITISH = "Date,Payee,Amount\n2024-01-02,Café Nero,£3.20\n"
TEXTS = {
    "cp1252": GERMAN,
    "latin-1": "Größe der Straße: süß\n",
    "cp949": KOREAN,
    "cp932": "日付,摘要,金額\n2024-01-02,給与,300000\nコンビニ,500\n",
    "gb18030": "日期,摘要,金额\n2024-01-02,工资,3000\n",
    "cp1250": "Data;Opis;Kwota\n01.02.2024;Wypłata środków żółć;100\n",
    "cp1251": "Дата;Описание;Сумма\n01.02.2024;Зарплата;1000\n",
    "utf-16": KOREAN,
    "utf-16-le": GERMAN,
    "utf-32": GERMAN,
    "utf-8-sig": KOREAN,
}


NOISE = random.Random(7).randbytes(4_000)


def told(own: Finclaw, *options: str, stdin: bytes = b"") -> Ran:
    model = own.script({"text": "Fine."})
    return own("run", "-o", "ndjson", "-m", model, *options, "What is it?", stdin=stdin)


def question(own: Finclaw, ran: Ran) -> str:
    shown = own("sessions", "show", ran.result["session_id"])
    return shown.text


def warnings(ran: Ran) -> list[str]:
    return [each["message"] for each in ran.of("agent.warning") if each["code"] == "encoding"]


@pytest.mark.parametrize("way", ["stdin", "file"])
@pytest.mark.parametrize("encoding", TEXTS)
def test_text_is_read_in_its_encoding(own: Finclaw, encoding: str, way: str):
    text, data = TEXTS[encoding], TEXTS[encoding].encode(encoding)
    (own.cwd / "export.csv").write_bytes(data)
    ran = told(own, stdin=data) if way == "stdin" else told(own, "-f", "export.csv")
    assert ran.code == 0
    assert all(line in question(own, ran) for line in text.splitlines())
    has_mark = encoding in {"utf-16", "utf-32", "utf-8-sig"}
    assert len(warnings(ran)) == (0 if has_mark else 1)


def test_the_encoding_that_was_taken_is_said(own: Finclaw):
    (message,) = warnings(told(own, stdin=KOREAN.encode("cp949")))
    assert message == "stdin is not UTF-8: read as cp949; --encoding names another"


def test_a_pound_is_no_letter(own: Finclaw):
    assert "£3.20" in question(own, told(own, stdin=BRITISH.encode("cp1252")))


def test_an_encoding_can_be_named(own: Finclaw):
    ran = told(own, "--encoding", "cp437", stdin="Größe: ½".encode("cp437"))
    assert ("Größe: ½" in question(own, ran), warnings(ran)) == (True, [])


@pytest.mark.parametrize(
    ("options", "data", "says"),
    [
        ((), b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "stdin is not text: it is binary"),
        ((), b"PK\x03\x04" + NOISE, "stdin is not text: it is binary"),
        ((), b"a\0b", "stdin is not text: it is binary"),
        ((), KOREAN.encode() * 9 + b"\xff" + KOREAN.encode(), "stdin is UTF-8 but for byte"),
        (("--encoding", "utf-8"), GERMAN.encode("cp1252"), "stdin is not utf-8 text: see byte 11"),
        (("--encoding", "cp1252"), b"a\0b", "stdin is not cp1252 text: it has NUL characters"),
        (("--encoding", "klingon"), b"x", "--encoding 'klingon': there is no such encoding"),
        (("--encoding", "base64"), b"x", "--encoding 'base64': there is no such encoding"),
        (("--encoding", "punycode"), b"x", "--encoding 'punycode': it is not for text"),
    ],
)
def test_what_is_no_text_is_refused(own: Finclaw, options: tuple[str, ...], data: bytes, says: str):
    ran = told(own, *options, stdin=data)
    assert (ran.code, ran.result["error"]["message"].startswith(says)) == (2, True), ran.result["error"]
    assert "--encoding cp949" in ran.result["error"]["hint"]


def test_a_binary_file_is_named(own: Finclaw, tmp_path: Path):
    (own.cwd / "chart.png").write_bytes(b"\x89PNG\r\n\x1a\n" + NOISE)
    ran = told(own, "-f", "chart.png")
    assert (ran.code, ran.result["error"]["message"]) == (
        2,
        "chart.png is not text: it is binary, or in an encoding that is not known",
    )


def test_a_schema_is_utf_8(own: Finclaw):
    (own.cwd / "schema.json").write_bytes('{"title": "Größe"}'.encode("cp1252"))
    ran = told(own, "--schema", "schema.json")
    assert (ran.code, "is not utf-8-sig text" in ran.result["error"]["message"]) == (2, True)
