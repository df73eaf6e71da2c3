"""The head and style of an exported page, which fetches nothing and has no scripts."""

from __future__ import annotations

from html import escape

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1d2330; --faint: #5c6577; --paper: #ffffff; --card: #f4f6f9; --line: #d9dee7; --mark: #1f5fbf; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8f0; --faint: #9aa4b6; --paper: #14171d; --card: #1d222b; --line: #323a48; --mark: #84b4ff;
    --bad: #ff8a80;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 48rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
}
h1 { font-size: 1.5rem; line-height: 1.3; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; color: var(--faint); font-size: .9rem; }
dd { margin: 0; }
.damaged { border-left: 4px solid var(--bad); padding-left: .8rem; }
.who { margin: 2rem 0 .4rem; color: var(--faint); font-size: .8rem; font-weight: 600; letter-spacing: .04em; }
.quote { border-left: 4px solid var(--mark); background: var(--card); padding: .7rem 1rem; white-space: pre-wrap; }
.answer h1, .answer h2, .answer h3 { font-size: 1.15rem; }
.answer blockquote { margin: 1em 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--faint); }
a { color: var(--mark); }
a:not(.bare)::after { content: " (" attr(href) ")"; color: var(--faint); font-size: .85em; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
.right { text-align: right; }
.center { text-align: center; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; overflow-wrap: normal; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
pre { background: var(--card); padding: .7rem .9rem; overflow-x: auto; white-space: pre-wrap; border-radius: 4px; }
details { margin: .6rem 0; border: 1px solid var(--line); border-radius: 4px; padding: .4rem .8rem; }
summary { cursor: pointer; padding: .2rem 0; }
.failed > summary { color: var(--bad); }
.label { margin: .6rem 0 .2rem; color: var(--faint); font-size: .8rem; }
.label + pre { margin-top: 0; }
"""


def head(title: str) -> str:
    """The page up to the beginning of the body."""
    return (
        '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    )


TAIL = "</body>\n</html>\n"
