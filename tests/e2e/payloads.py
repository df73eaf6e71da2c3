"""Text that would do something to a terminal, or lie to whoever reads it."""

from __future__ import annotations

import re

ESC, BEL, ST = "\x1b", "\x07", "\x1b\\"
PAYLOADS: dict[str, str] = {
    "colour": f"{ESC}[31m",
    "conceal": f"{ESC}[8m",
    "reverse": f"{ESC}[7m",
    "clear screen": f"{ESC}[2J",
    "clear line": f"{ESC}[2K",
    "cursor home": f"{ESC}[H",
    "cursor up": f"{ESC}[9A",
    "cursor to": f"{ESC}[1;1H",
    "save cursor": f"{ESC}7{ESC}8",
    "scroll region": f"{ESC}[1;2r",
    "alternate screen": f"{ESC}[?1049h",
    "hide cursor": f"{ESC}[?25l",
    "mouse reports": f"{ESC}[?1000h",
    "bracketed paste": f"{ESC}[?2004h",
    "reset": f"{ESC}c",
    "title": f"{ESC}]0;evil{BEL}",
    "title with ST": f"{ESC}]2;evil{ST}",
    "clipboard": f"{ESC}]52;c;ZXZpbA=={BEL}",
    "hyperlink": f"{ESC}]8;;http://evil.example{ST}bank{ESC}]8;;{ST}",
    "notification": f"{ESC}]9;evil{BEL}",
    "colour query": f"{ESC}]4;1;?{BEL}",
    "unfinished OSC": f"{ESC}]0;evil",
    "unfinished CSI": f"{ESC}[",
    "lone escape": ESC,
    "device control": f"{ESC}Pevil{ST}",
    "sixel": f"{ESC}Pq#0;2;0;0;0{ST}",
    "application command": f"{ESC}_evil{ST}",
    "privacy message": f"{ESC}^evil{ST}",
    "device report": f"{ESC}[6n",
    "device attributes": f"{ESC}[c",
    "window report": f"{ESC}[21t",
    "character set": f"{ESC}(0",
    "C1 CSI": "\x9b2J",
    "C1 OSC": "\x9d0;evil\x9c",
    "C1 DCS": "\x90evil\x9c",
    "bell": BEL,
    "backspaces": "yes\b\b\bno ",
    "return": "real\rfake",
    "form feed": "\f\v",
    "delete": "\x7f",
    "null": "a\x00b",
    "right to left": "\u202egnp.exe",
    "isolate": "\u2066evil\u2069",
    "zero width": "pay\u200bload",
    "tags": "\U000e0041\U000e0042",
    "line separator": "one\u2028two",
    "soft hyphen": "pay\u00adload",
    "rich markup": "[bold red]x[/][link=http://evil.example]bank[/link]",
}
EVIL = " | ".join(f"{name}: {text}" for name, text in PAYLOADS.items())
# What finclaw and rich write themselves: colours, and moving within the lines they draw.
OURS = re.compile(r"\x1b\[(?:[0-9;]*m|[0-9]*[ABCDGK]|\?25[lh]|2K)")
HARMFUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def harm(seen: bytes) -> list[str]:
    """What is left on a terminal that finclaw did not put there."""
    text = seen.decode("utf-8")
    left = OURS.sub("", text.replace("\r\n", "\n")).replace("\r", "\n")  # rich returns to the beginning of its lines
    found = HARMFUL.findall(left)
    return [repr(mark) for mark in found] + [word for word in ("]52;", "]8;", "]0;") if f"\x1b{word}" in text]
