"""Synthetic reports as they are saved from EDGAR: with a table of contents, page headers, cross-references, hidden parts."""

from __future__ import annotations

LONG = "Our supply chain depends on a single plant in Springfield, and a fire there would stop deliveries. " * 12


def annual_report(risks: str = LONG) -> str:
    """A 10-K in HTML."""
    contents = "".join(
        f'<tr><td><a href="#i{n}">Item {n}.</a></td><td>{title}</td><td>{page}</td></tr>'
        for n, title, page in (
            ("1", "Business", 3), ("1A", "Risk Factors", 9), ("1B", "Unresolved Staff Comments", 20),
            ("3", "Legal Proceedings", 21), ("7", "Management’s Discussion and Analysis", 25),
            ("8", "Financial Statements", 40), ("9A", "Controls and Procedures", 80),
        )
    )  # fmt: skip
    return f"""<?xml version="1.0"?><!DOCTYPE html><html><head><title>10-K</title><style>p {{ color: red }}</style></head><body>
<div style="display:none"><ix:header><ix:hidden>HIDDEN FACT 42</ix:hidden></ix:header></div>
<p>ACME CORP&nbsp;&#8203; ANNUAL REPORT</p><table>{contents}</table>
<p>PART I</p><p><b>Item&#160;1. Business</b></p><p>We make anvils. See
Item 7 of this report.</p>
<p>Item 7 of this report says more about money.</p>
<p>ITEM 1A.</p><p>RISK FACTORS</p><p>{risks}</p><p>ITEM 1A. RISK FACTORS (continued)</p><p>Coyotes may sue us.</p>
<p>Item 1B. Unresolved Staff Comments</p><p>None.</p>
<p>Item 3. Legal Proceedings</p><p>Coyote v. Acme is pending.</p>
<p>PART II</p><p>Item 7. Management’s Discussion and Analysis</p><div>Net sales rose to $120 million. {LONG}</div>
<p>Item 8. Financial Statements</p>
<table><tr><td>Net sales</td><td></td><td>$</td><td>120</td><td></td></tr>
<tr><td>Loss</td><td>$</td><td>(7</td><td>)</td></tr></table>
<p>Item 9A. Controls and Procedures</p><p>They work. a &lt;b&gt; c</p><p>SIGNATURES</p><p>Wile E.</p></body></html>"""


def quarterly_report() -> str:
    """A 10-Q as plain text."""
    return f"""FORM 10-Q

PART I - FINANCIAL INFORMATION

Item 1. Financial Statements

Net sales 30 {LONG}

Item 2. Management's Discussion and Analysis of Financial Condition

Sales fell. {LONG}

Item 4. Controls and Procedures

They work.

PART II - OTHER INFORMATION

Item 1. Legal Proceedings

Nothing new from the coyote.

Item 1A. Risk Factors

No change.

Item 6. Exhibits

31.1 Certification

SIGNATURES

Wile E.
"""


def submission(  # noqa: PLR0917 - columns of a table
    main: str,
    form: str = "10-K",
    filed: str = "20230210",
    period: str = "20221231",
    serial: int = 1,
    cik: int = 1234567,
) -> str:
    """SEC's full submission text file around a main document and an exhibit that comes before it."""
    return f"""<SEC-DOCUMENT>0001234567-{filed[2:4]}-{serial:06d}.txt : {filed}
<SEC-HEADER>0001234567-{filed[2:4]}-{serial:06d}.hdr.sgml : {filed}
ACCESSION NUMBER:		0001234567-{filed[2:4]}-{serial:06d}
CONFORMED SUBMISSION TYPE:	{form}
PUBLIC DOCUMENT COUNT:		2
CONFORMED PERIOD OF REPORT:	{period}
FILED AS OF DATE:		{filed}

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			ACME CORP
		CENTRAL INDEX KEY:			{cik:010d}
		FISCAL YEAR END:			1231

	MAIL ADDRESS:
		STREET 1:		1 DESERT ROAD
</SEC-HEADER>
<DOCUMENT>
<TYPE>EX-21
<SEQUENCE>2
<TEXT>
Subsidiaries of the registrant
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>{form}
<SEQUENCE>1
<FILENAME>acme.htm
<TEXT>
{main}
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
"""
