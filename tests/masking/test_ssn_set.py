"""Social security numbers are found in a development set of texts of many kinds, and little else is taken for one.

The third set was written with knowledge of the rules, to look for their gaps, and the fifth with a view to the classes
of mistakes that were known, a template for each text; the others without either. The rules were improved with all of
them, and the weights of the model are computed from them: the figures are those of development sets, and say less about
other texts. All names and numbers are fictitious.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from finclaw_cli.masking.private import mask_private

MARK = re.compile(r"\[REDACTED:([a-z_0-9]+)\]")


def read(name: str) -> list[tuple[str, str]]:
    """The texts of a set, each with its number."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [(row["text"], row["number"]) for row in map(json.loads, lines)]


def kinds_at(text: str, start: int, end: int) -> set[str]:
    """The kinds of the masks that hide a part of a span of a text."""
    masked = mask_private(text).text
    between = MARK.split(masked)[::2]
    found = re.fullmatch("(.+?)".join(map(re.escape, between)), text, re.DOTALL)
    assert found
    spans = [found.span(index) for index in range(1, len(between))]
    return {
        kind for (first, last), kind in zip(spans, MARK.findall(masked), strict=True) if first < end and start < last
    }


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("ssn", 0.0),
        ("ssn_second", 0.0),
        ("ssn_third", 0.005),
        ("ssn_fourth", 0.0),
        ("ssn_fifth", 0.02),
        ("ssn_sixth", 0.01),
        ("ssn_seventh", 0.035),
        ("ssn_eighth", 0.075),
    ],
)
def test_few_social_security_numbers_are_missed(name: str, most: float):
    every = read(f"{name}_positive.jsonl")
    missed = [text for text, number in every if number in mask_private(text).text]
    assert len(missed) <= most * len(every), missed[:20]


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("ssn", 0.0),
        ("ssn_second", 0.0),
        ("ssn_third", 0.015),
        ("ssn_fourth", 0.0),
        ("ssn_fifth", 0.02),
        ("ssn_sixth", 0.01),
        ("ssn_seventh", 0.012),
        ("ssn_eighth", 0.055),
    ],
)
def test_few_other_numbers_are_masked_as_one(name: str, most: float):
    every = read(f"{name}_negative.jsonl")
    mistaken = [
        text for text, number in every if "ssn" in kinds_at(text, text.index(number), text.index(number) + len(number))
    ]
    assert len(mistaken) <= most * len(every), mistaken[:20]


@pytest.mark.parametrize(
    "text",
    [
        "Robert Pham - 173 20 9075",
        "| Linda Chen | 007 43 1313 | 1981-01-19 |",
        "NAME          SOC SEC NO    DOB\nLINDA CHEN    007 43 1313   1981-01-19",
        "Soc. Sec. No. 202-39-5514",
        "seguro social no. 597 61 3024",
        "Participant # 3: Petrov 848-44-1809",
        "SSN or EIN 848-44-1809",
        "SS# 848441809",
        "seguro social no. 597613024",
        "my social is 202395514",
        "소셜번호는 848 44 1809",
        '{"person": {"ids": ["848-44-1809"]}}',
        "848-44-1809",
        "Delgado 848-44-1809",
        "ruby reid 848-44-1809 married filing jointly",
        "born 8/9/62, 848 44 1809. Please open the account.",
        "848 44 1809 - that's my social security number",
        "Could you check whether 848-44-1809 belongs to Ruth Fischer?",
        "SSN (last confirmed 2019-12-15): 848-44-1809",
        "First social security number on tax return: 848-44-1809",
        "W-2 box a: 848-44-1809",
        "Jane Roe <jane@corp.example> 848-44-1809",
        "Die US-Sozialversicherungsnummer von Helen Wilmot lautet 848-44-1809.",
        "<table><tr><th>Name</th><th>SSN</th></tr><tr><td>x1</td><td>848 44 1809</td></tr></table>",
        "REF*SY*848441809~NM1*IL*1*ROE*JANE",
        "SSN      LAST\n848 44 1809  Roe",
        "my husband's number is 848-44-1809",
        "What does it mean if 848-44-1809 is flagged?",
        '{"id_type":"ssn","id_value":"848441809"}',
        "Payroll exception: Jin-woo Bae [848-44-1809] missing W-4",
        "Bot: Please enter your Social Security number.\nYou: 848441809",
        "> Before we can file we still need your SSN.\n\n848 44 1809",
        '[{"role":"bot","content":"Please give me your SSN."},{"role":"user","content":"848441809"}]',
        "SOCIAL SECURITY NUMBER\n\n    848441809",
        "Social Security No.\n\n848441809",
        "SSN of the applicant: 848441809",
        "First social security number, or employer identification number: 848 44 1809",
        "Social Security Number  8 4 8  4 4  1 8 0 9",
        "Ifeoma Okonkwo\nDOB 07/12/1981\n848 44 1809",
        "SSN\n8 4 8 - 4 4 - 1 8 0 9",
        "Spouse 848 - 44 - 1809",
        "COPY people (id, name, ssn) FROM stdin;\n1\tJane Roe\t848441809\n",
        '{"columns":["name","ssn"],"data":[["Jane Roe","848441809"]]}',
        "REGISTER      PAID 08/28/2021\nNAME / SOC SEC NO.     HRS     NET\nTanaka, H\n  848 44 1809         80.00   310.00",
        "await page.fill('#ssn', '848441809');",
        "NM1*IL*1*ROE*JANE****34*848441809~",
        "W2_Okonkwo_848-44-1809.pdf",
        "write 2019 Form 1040-ES and 848 44 1809 on the check",
        "Số An Sinh Xã Hội: 848441809",
        "رقم الضمان الاجتماعي: 848441809",
        "Номер социального страхования: 848441809",
        "सामाजिक सुरक्षा संख्या: 848441809",
        "Nimewo Sekirite Sosyal: 848 44 1809",
        "Pull the YTD earnings for 848-44-1809",
        "El seguro social del empleado es 848441809, favor de darlo de alta.",
        "Me piden tu social para el W-2... el mío es 848 44 1809",
        "Ann  16:03\npayroll needs your SSN and DOB\nBo  16:07\n848 44 1809 and 06/26/1992",
        "You asked for my SSN and the date of birth. 848 44 1809, and hers is 07/15/2001.",
        "# SSNs of the new hires\n- name: Ann\n  value: 848441809",
        "We need the SSN of each signer.\nRavi: 848441809",
        "SSN of the applicant, not of the spouse: 848441809",
        '[{"k":"ssn","v":"848441809"}]',
        'employee.setSsn("848441809");',
        "제 SSN은 848441809입니다.",
    ],
)
def test_a_number_beside_a_person_a_label_or_nothing_is_masked(text: str):
    assert mask_private(text).kinds == {"ssn": 1}


@pytest.mark.parametrize(
    "text",
    [
        "Phone: 555-12-3456",
        "Budget 2024: 500-10-2000",
        "Tax map 337-42-5077",
        "social media 202395514 views",
        "Social security benefits rose to 202395514",
        "Aktenzeichen 461-37-5935",
        "invoice_no,amount\n427-23-0487,88.91",
        "<td>Fax</td><td>362-29-7197</td>",
        "<part>362-29-7197</part>",
        "Robert Lee, fax 362-29-7197",
        "Call 362-29-7197",
        '{"order": {"id": "362-29-7197"}}',
        "parts 362-29-7197, 362-29-7198 and 362-29-7199",
        "Steps  Floors  Calories\n278 78 4222",
        "Employees  Sites  Revenue(k)\n540 17 3392",
        "Stainless Sink 362-29-7197",
        "Baldwin Filters 362-29-7197",
        "New York Life 362-29-7197",
        "Student ID 362-29-7197, Jane Roe",
        "362-29-7197 is the gate code",
        "Is 362-29-7197 a part number?",
        "We use 362-29-7197 as the cost centre",
        "Codes in use\n362-29-7197  Accrued payroll",
        "Our order for Jane is 362-29-7197",
        "Jane Roe (fax) 362-29-7197",
        "cell phone for Jane Roe: 362-29-7197",
        "SMS from 362-29-7197: your code is 4410",
        "Texas Instruments 362-29-7197",
        "362-29-7197 | Professional services | 12,400",
        "362-29-7197  Utilities    1,100.00",
        "Jane Roe's claim, 362-29-7197, was denied",
        "GL 401-20-1000 is cash; why did 362-29-7197 get posted twice?",
        "<table><tr><th>Order</th><th>Total</th></tr><tr><td>362-29-7197</td><td>3</td></tr></table>",
        "<row><ssn>none</ssn><invoiceNo>362-29-7197</invoiceNo></row>",
        '<td class="sku">362-29-7197</td>',
        "ssn,valid\n950-26-1941,false",
        "고객센터 362-29-7197 로 문의하세요",
        "Agent: What's your order number?\nLayla: 362-29-7197",
        "Can you read me the serial off the back?\n\nyes it's 362-29-7197",
        '{"question":"Invoice number","answer":"362-29-7197"}',
        "Do you have your SSN at hand?\nPolicy number: 362-29-7197",
        "Charge to: 362-29-7197",
        "Payroll for Jane Roe: 60% to 362-29-7197",
        "Reclass $10.00 from 362-29-7197 Repairs",
        "<tr><td>362-29-7197</td><td>Salaries - Police</td></tr>",
        "Comp-TD-Yds through week 14: Roe 362-29-7197",
        "Player          Att TD Yds\nHaddad       362 29 7197",
        "USS Jefferson City (SSN-759): work package 362-29-7197",
        '<td class="pn">362-29-7197</td>',
        "PART NUMBER     NAME            QTY\n362-29-7197     O-ring, Viton    24",
        "Jane Roe | customer | 362-29-7197 | phone",
        "name,ssn_last4\n362297197,1159",
        "Reverse JE 362-29-7197, booked twice",
        "SO 362-29-7197 / ship 6/12",
        "INVOICE 19678       Vista Orthopedics\nQty  Part No.        Description\n4    362-29-7197     Brake rotor",
        "Do not put SSNs in tickets. Your ticket number is 362-29-7197",
        "We removed the SSN from the ticket. The ticket is 362-29-7197",
        "The SSN field was blank so I used the claim number, 362-29-7197",
        "branch | FICO avg | DTI % | avg draw\nDayton 362 29 7197",
        "El pedido de Jane es 362-29-7197",
        "El número de cliente es 362-29-7197",
        "Control number\n362-29-7197",
        "parts:\n  - id: 362-29-7197\n    name: hose",
        "[invoice]\nnumber = 362-29-7197",
        "reach Jane Roe at 362-29-7197",
        "You asked for the invoice number of Jane Roe. It's 362-29-7197.",
        "362-29-7197 was backordered",
        "We ask for no SSN; use upload code 362-29-7197",
        "362-29-7197 is not an SSN, it's our part number",
        "Accrue 12,000 to 362-29-7197 for June",
        "Ship three cases: 2 of 362-29-7197 to Jane Roe",
        "362-29-7197 qty 4",
    ],
)
def test_a_number_that_is_said_to_be_another_thing_stays(text: str):
    assert mask_private(text).text == text


def test_a_taxpayer_number_has_a_kind_of_its_own():
    assert mask_private("ITIN 912-78-1234").text == "ITIN [REDACTED:itin]"
