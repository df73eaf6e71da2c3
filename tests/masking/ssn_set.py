"""Social security numbers and what looks like them, in the sentences of forms, mails, exports and reports.

Written from the ways in which people write such numbers, not from the rules that look for them: every template is
filled with numbers of both forms, with hyphens and with spaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

NAMES = ("Jane Roe", "John Q. Public", "María López", "O'Neil, Pat", "Kim Min-jun", "Dr. Ada Byron", "DOE JOHN A")
PRIVATE = """\
{name} {ssn}
{name}, {ssn}
{name}: {ssn}
{name} ({ssn})
{name} - {ssn}
{name} / {ssn}
{name}\t{ssn}
{name} | {ssn} | Boston
{name};{ssn};MA
{ssn}
{ssn} {name}
{ssn}, {name}, Boston MA
- {ssn}
1. {name} {ssn}
SSN {ssn}
SSN: {ssn}
ssn={ssn}
Social Security Number: {ssn}
Social security no. {ssn}
soc sec {ssn}
Tax ID: {ssn}
His social is {ssn}.
My social is {ssn}, please update it.
Please add {name}, {ssn}, to the policy.
The applicant is {name}, {ssn}.
Applicant: {name}, {ssn}, born 04/12/1981
Spouse: {name} {ssn}
Beneficiary {name} {ssn} 50%
Dependent: {ssn}
Taxpayer {ssn}
Borrower {name}, {ssn}, and co-borrower
Employee {name} ({ssn}) was hired in May.
W-2 for {name}, {ssn}
1099 recipient: {name} {ssn}
Form W-9, {name}, {ssn}
We could not verify {ssn} with the bureau.
Can you run a credit check on {name} {ssn}?
Please use {ssn} for the background check.
Account opened for {name}, {ssn}.
Wire for {name} ({ssn}) is on hold.
{name}'s partner: {ssn}
Department of Labor record of {name}: {ssn}
Apartment owner {name} {ssn}
Patient {name}, {ssn}, insurance pending
Claimant: {name} {ssn}
Decedent {name}, {ssn}
Student {name} {ssn}
Signed, {name}, {ssn}
Re: {name} {ssn}
"name": "{name}", "note": "{ssn}"
<td>{name}</td><td>{ssn}</td>
name,number\\n{name},{ssn}
identity: {ssn}
verify identity with {ssn} please
he gave {ssn} on the phone
the caller said {ssn}
it is {ssn}
use {ssn}
Name {name} SSN {ssn} DOB 1981-04-12
Last name, first name, SSN: {name}, {ssn}
"""
PUBLIC = """\
Phone: {ssn}
Phone {ssn}
Phone number: {ssn}
Tel. {ssn}
Tel: {ssn}
Telephone: {ssn}
Fax: {ssn}
Fax {ssn}
Mobile: {ssn}
Cell: {ssn}
Call {ssn} for help.
Dial {ssn}.
Hotline: {ssn}
Budget 2024: {ssn}
Budget: {ssn}
Forecast 2025: {ssn}
Range {ssn}
Ranges: {ssn}
Sizes: {ssn}
Size {ssn}
Dimensions: {ssn}
Dimensions {ssn} mm
Order {ssn}
Order #{ssn}
Order no. {ssn}
Invoice {ssn}
Invoice number {ssn}
Part {ssn}
Part no. {ssn}
Part number: {ssn}
Serial {ssn}
Serial number: {ssn}
SKU: {ssn}
Model {ssn}
Lot {ssn}
Lot number: {ssn}
Batch {ssn}
Case {ssn}
Case no. {ssn}
Ticket #{ssn}
Tracking {ssn}
Reference: {ssn}
Ref. {ssn}
Item {ssn}
Catalog no. {ssn}
Version {ssn}
Build {ssn}
Policy number {ssn}
Claim number {ssn}
Docket no. {ssn}
Permit {ssn}
License {ssn}
Batch size, step, total: {ssn}
Score: {ssn}
Scores {ssn}
Votes: {ssn}
Prices: {ssn}
Targets: {ssn}
Revenue: {ssn}
Units {ssn}
Quantity: {ssn}
Totals: {ssn}
Extension {ssn}
Room {ssn}
Flight {ssn}
Coordinates: {ssn}
Route {ssn}
Zip: {ssn}
Timestamp {ssn}
ISBN {ssn}
12 {spaced} 34 77
1,200 {spaced} 3,400
0.5 {spaced} 0.25
{spaced} 4410 9
{spaced} 88 1200 64
$ {ssn}
{ssn} USD
{ssn} shares
{ssn}%
/files/{ssn}/report.csv
https://example.com/p/{ssn}
v{ssn}
x{ssn}
{ssn}x
7-{ssn}
{ssn}-22
file_{ssn}.txt
"""

# Written after the rules had been fitted to the templates above.
MORE_PRIVATE = """\
Hi, this is {name} and I want to change my address; {ssn} is on file.
Loan file 4471: primary {name}, {ssn}
{name} (born 1979) {ssn}
Garnishment for {name} {ssn}, effective June
Please confirm the last four of {ssn}
Payroll: {name} {ssn} hourly
Insured: {name}, {ssn}, spouse none
{name} {ssn} M 12/01/1970
Member {name} / {ssn} / active
We matched {ssn} to {name}.
I lost my card, {ssn}
to: {name} <a@b.com>, {ssn}
{name} – {ssn} – verified
Credit report requested for {ssn}.
Joint filer: {name} {ssn}
child: {name} {ssn}
{name} [{ssn}]
'{ssn}'
"{ssn}"
**{name}** {ssn}
| {name} | {ssn} |
| {ssn} | {name} |
ID verification: {name}, {ssn}
Guarantor {name} {ssn} signed today
KYC {name} {ssn} passed
customer={name} ssn={ssn}
The estate of {name}, {ssn}, closed in May.
Provide {ssn} when asked.
{name} moved; {ssn}.
Remove {name} {ssn} from the plan
"""
MORE_PUBLIC = """\
Call us at {ssn} today
phone: {ssn} (office)
Contact phone {ssn}
Fax no. {ssn}
Your order {ssn} has shipped
order number is {ssn}
PO {ssn}
Purchase order no. {ssn}
Item #{ssn}
tracking number {ssn}
Case number: {ssn}
Invoice no: {ssn}
Invoice #{ssn} is due
Part # {ssn}
Model no. {ssn}
SKU {ssn}
Support ticket {ssn}
Budget: {ssn}
budget 2023 {ssn}
Price range: {ssn}
Sizes {ssn}
Quantities: {ssn}
Total {ssn}
Amount: {ssn}
Lot no. {ssn}
serial no. {ssn}
Room number {ssn}
Zip code {ssn}
Version: {ssn}
Policy no. {ssn}
Claim #{ssn}
License no. {ssn}
ISBN: {ssn}
EUR {ssn}
{ssn} EUR
{ssn} units
{ssn} people
{ssn} ms
https://x.org/{ssn}
a/{ssn}/b
id_{ssn}
4 {spaced} 5
100 {spaced} 200 300
99.5 {spaced} 3
"""


def numbers(random: Random) -> Iterator[str]:
    """Numbers that could have been issued, with hyphens and with spaces."""
    for separator in ("-", " "):
        area = random.choice([*range(1, 666), *range(667, 900)])
        yield separator.join((f"{area:03}", f"{random.randint(1, 99):02}", f"{random.randint(1, 9999):04}"))


def cases(templates: str, times: int, seed: int) -> Iterator[tuple[str, str]]:
    """Texts of these templates, each with its number."""
    random = Random(seed)
    for template in templates.splitlines():
        for _ in range(times):
            for number in numbers(random):
                if "{spaced}" in template and "-" in number:
                    continue  # between other numbers it may well be somebody's
                text = template.replace("\\n", "\n").replace("{name}", random.choice(NAMES))
                yield text.replace("{ssn}", number).replace("{spaced}", number), number
