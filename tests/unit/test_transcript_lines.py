"""A transcript's lines: what was written comes back, and what was changed is noticed."""

from __future__ import annotations

import io
import os
import random
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import OutputFailed
from finclaw_cli.core.json_text import dump_line
from finclaw_cli.transcript.lines import Damaged, Line, decode, encode
from finclaw_cli.transcript.reader import Damage, read, read_file
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.full_disk import full_after

AT = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
MOST_MUTATIONS = int(os.environ.get("FINCLAW_MUTATIONS", "3000"))


def line(seq: int, tag: str = "1f3a9c02", text: str = "") -> bytes:
    data = dump_line({"text": text or f"word {seq}"})
    return encode(seq=seq, tag=tag, at=AT, kind="agent.delta", run_id="run_1", data=data)


def found(content: bytes) -> tuple[list[Line], list[Damage]]:
    items = list(read(io.BytesIO(content)))
    return [item for item in items if isinstance(item, Line)], [item for item in items if isinstance(item, Damage)]


@given(st.text(), st.integers(0, 10**12))
def test_what_was_written_comes_back(text: str, seq: int):
    back = decode(line(seq, text=text or "x"))
    assert (back.seq, back.tag, back.type, back.run_id, back.at) == (seq, "1f3a9c02", "agent.delta", "run_1", AT)
    assert back.data["text"] == (text or "x").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (line(7)[:-1], "it is cut off"),
        (b"no record\n", "it is no record"),
        (line(7)[:-20] + b"\n", "it is no record"),
        (line(7).replace(b"word", b"Word"), "it was changed: its checksum does not fit"),
    ],
)
def test_what_is_wrong_with_a_line_is_named(changed: bytes, reason: str):
    with pytest.raises(Damaged, match=f"^{reason}$"):
        decode(changed)


def test_a_line_is_ascii_and_one_line():
    raw = line(0, text="가\n\u2028\ud800")
    assert raw.isascii()
    assert raw.count(b"\n") == 1


@given(st.integers(0, len(line(7)) * 8 - 1))
def test_no_flipped_bit_goes_unseen(bit: int):
    raw = bytearray(line(7))
    raw[bit // 8] ^= 1 << bit % 8
    with pytest.raises(Damaged):
        decode(bytes(raw))


@pytest.mark.parametrize("cut", range(len(b"".join(map(line, range(3))))))
def test_a_file_cut_off_anywhere_reads_to_its_last_whole_record(cut: int):
    content = b"".join(map(line, range(3)))[:cut]
    lines, damage = found(content)
    assert [each.seq for each in lines] == list(range(content.count(b"\n")))
    assert [each.what for each in damage] == (["torn"] if content and not content.endswith(b"\n") else [])


def test_a_line_that_is_there_twice_counts_once():
    lines, damage = found(line(0) + line(1) + line(1) + line(2))
    assert [each.seq for each in lines] == [0, 1, 2]
    assert [each.what for each in damage] == ["repeated"]


def test_a_line_before_its_place_does_not_cost_those_between():
    lines, damage = found(line(0) + line(3) + line(1) + line(2) + line(3) + line(4))
    assert [each.seq for each in lines] == [0, 1, 2, 3, 4]
    assert [each.what for each in damage] == ["repeated"]


def test_a_line_of_another_session_is_set_aside():
    lines, damage = found(line(0) + line(1, tag="ffffffff") + line(1) + line(2))
    assert [each.seq for each in lines] == [0, 1, 2]
    assert [each.what for each in damage] == ["foreign"]


def test_missing_lines_are_told_and_the_others_kept():
    lines, damage = found(line(0) + line(3) + line(4))
    assert [each.seq for each in lines] == [0, 3, 4]
    assert [(each.what, each.reason) for each in damage] == [("missing", "2 records before it are missing")]


def test_an_invalid_line_in_the_middle_is_set_aside_alone():
    lines, damage = found(line(0) + b"{not ours}\n" + line(1))
    assert [each.seq for each in lines] == [0, 1]
    assert [(each.what, each.raw) for each in damage] == [("invalid", b"{not ours}\n")]


def mutated(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            place = chance.randrange(len(content))
            return content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :]
        case 1:
            place = chance.randrange(len(content))
            return content[:place] + content[place + chance.randrange(1, 50) :]
        case 2:
            lines.insert(other, lines[at])
        case 3:
            del lines[at]
        case 4:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = lines[at][: len(lines[at]) // 2] + lines[other][len(lines[other]) // 2 :]
    return b"".join(lines)


def test_a_line_of_another_session_at_the_very_beginning_costs_nothing_but_itself():
    content = line(0, tag="deadbeef") + b"".join(map(line, range(4)))
    lines, damage = found(content)
    assert [each.seq for each in lines] == [0, 1, 2, 3]
    assert [(each.what, each.offset) for each in damage] == [("foreign", 0)]


def test_no_mutation_makes_a_record_that_was_not_written():
    content = b"".join(map(line, range(12)))
    written = {raw: decode(raw) for raw in content.splitlines(keepends=True)}
    for seed in range(MOST_MUTATIONS):
        damaged = content
        chance = random.Random(seed)
        for _ in range(chance.randrange(1, 4)):
            damaged = mutated(damaged, chance) or content
        lines, damage = found(damaged)
        assert all(each.raw in written for each in lines), seed
        assert [each.seq for each in lines] == sorted({each.seq for each in lines}), seed
        assert damage or damaged == content or len(lines) < 12, seed


class TestWriter:
    def test_records_are_numbered_and_private(self, tmp_path: Path):
        path = tmp_path / "sessions" / "s.jsonl"
        writer = TranscriptWriter.create(path)
        for number in range(3):
            writer.append("message", AT, "run_1", {"n": number}, durable=number == 2)
        writer.close()
        lines = [each for each in read_file(path) if isinstance(each, Line)]
        assert [(each.seq, each.data["n"]) for each in lines] == [(0, 0), (1, 1), (2, 2)]
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700

    def test_a_file_goes_on_where_it_ended(self, tmp_path: Path):
        path = tmp_path / "s.jsonl"
        writer = TranscriptWriter.create(path)
        writer.append("message", AT, "run_1", {"n": 0})
        writer.close()
        (first,) = [each for each in read_file(path) if isinstance(each, Line)]
        writer = TranscriptWriter.resume(path, tag=first.tag, next_seq=1, size=path.stat().st_size)
        writer.append("message", AT, "run_2", {"n": 1})
        writer.close()
        assert [type(each) for each in read_file(path)] == [Line, Line]

    def test_a_second_file_of_the_name_is_refused(self, tmp_path: Path):
        TranscriptWriter.create(tmp_path / "s.jsonl").close()
        with pytest.raises(FileExistsError):
            TranscriptWriter.create(tmp_path / "s.jsonl")

    def test_a_record_that_does_not_fit_leaves_the_file_as_it_was(self, tmp_path: Path):
        path = tmp_path / "s.jsonl"
        writer = TranscriptWriter.create(path)
        writer.append("message", AT, "run_1", {"n": 0})
        before = path.read_bytes()
        with full_after(len(before) + 50), pytest.raises(OutputFailed, match=r"recorded in .*s\.jsonl"):
            writer.append("message", AT, "run_1", {"n": 1})
        assert path.read_bytes() == before
        with pytest.raises(OutputFailed):  # also when there is room again: what came between would be missing
            writer.append("message", AT, "run_1", {"n": 2})
        writer.close()
        assert path.read_bytes() == before


def test_a_record_that_is_too_long_to_be_read_is_not_written(tmp_path: Path):
    path = tmp_path / "talk.jsonl"
    writer = TranscriptWriter.create(path)
    writer.append("message", AT, "run_1", {"content": "One?"})
    with pytest.raises(OutputFailed, match=r"a record of 70,\d{3},\d{3} bytes is longer than 67,108,864"):
        writer.append("message", AT, "run_1", {"content": "x" * 70_000_000})
    writer.close()
    assert [type(item) for item in read_file(path)] == [Line]


@pytest.mark.parametrize(("end", "what"), [(b"\n", "invalid"), (b"", "torn")])
def test_a_record_that_is_too_long_is_one_damage_with_its_reason(end: bytes, what: str):
    after = line(1) if end else b""
    lines, (damage,) = found(line(0) + b"x" * 70_000_000 + end + after)
    assert [each.raw for each in lines] == [line(0), *([after] if after else [])]
    assert (damage.what, damage.offset) == (what, len(line(0)))
    assert damage.reason == "it is longer than a record may be (64 MiB)"


def resealed(body: bytes) -> bytes:
    return body + b',"crc":"%08x"}\n' % crc32(body)


def test_a_record_with_further_fields_keeps_its_data():
    assert decode(resealed(line(0, text="kept")[:-19] + b',"more":[1]')).data == {"text": "kept"}


@pytest.mark.parametrize("data", [b"[1]", b"{", b"nothing"])
def test_data_that_is_no_object_is_none(data: bytes):
    whole = line(0)
    assert decode(resealed(whole[: whole.index(b'{"text"')] + data)).data == {}
