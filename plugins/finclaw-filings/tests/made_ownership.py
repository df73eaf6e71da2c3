"""Synthetic reports of holdings and of insiders, in the XML of SEC's technical specifications."""

from __future__ import annotations

TABLE = "http://www.sec.gov/edgar/document/thirteenf/informationtable"
FILER = "http://www.sec.gov/edgar/thirteenffiler"


def holding(issuer: str, value: str, shares: str = "10", more: str = "") -> str:
    return (
        f"<ns1:infoTable><ns1:nameOfIssuer>{issuer}</ns1:nameOfIssuer><ns1:titleOfClass>COM</ns1:titleOfClass>"
        f"<ns1:cusip>88579Y101</ns1:cusip><ns1:value>{value}</ns1:value><ns1:shrsOrPrnAmt><ns1:sshPrnamt>{shares}"
        f"</ns1:sshPrnamt><ns1:sshPrnamtType>SH</ns1:sshPrnamtType></ns1:shrsOrPrnAmt>{more}</ns1:infoTable>"
    )


def table(*holdings: str) -> str:
    return (
        f'<?xml version="1.0"?>\n<ns1:informationTable xmlns:ns1="{TABLE}">{"".join(holdings)}</ns1:informationTable>'
    )


def cover(entries: int, amendment: str = "") -> str:
    kind = f"<amendmentInfo><amendmentType>{amendment}</amendmentType></amendmentInfo>" if amendment else ""
    return (
        f'<edgarSubmission xmlns="{FILER}"><headerData><submissionType>13F-HR</submissionType><filerInfo><filer>'
        "<credentials><cik>0001234567</cik></credentials></filer><periodOfReport>12-31-2022</periodOfReport></filerInfo>"
        f"</headerData><formData><coverPage>{kind}<filingManager><name>Acme Capital</name></filingManager></coverPage>"
        f"<summaryPage><tableEntryTotal>{entries}</tableEntryTotal></summaryPage></formData></edgarSubmission>"
    )


def manager_report(main: str, rows: str, filed: str, form: str = "13F-HR", serial: int = 1) -> str:
    """A full submission of Form 13F for the last quarter of 2022."""
    return _submission(form, filed, serial, (form, main), ("INFORMATION TABLE", rows))


def insider_report(body: str, filed: str = "20230105", form: str = "4", serial: int = 1) -> str:
    """A full submission of a form of an insider, whose owner stands first in the header."""
    return _submission(form, filed, serial, (form, f'<?xml version="1.0"?>\n{body}'))


def _submission(form: str, filed: str, serial: int, *parts: tuple[str, str]) -> str:
    documents = "".join(
        f"<DOCUMENT>\n<TYPE>{kind}\n<TEXT>\n<XML>\n{body}\n</XML>\n</TEXT>\n</DOCUMENT>\n" for kind, body in parts
    )
    return f"""<SEC-DOCUMENT>0001234567-{filed[2:4]}-{serial:06d}.txt : {filed}
<SEC-HEADER>
ACCESSION NUMBER:		0001234567-{filed[2:4]}-{serial:06d}
CONFORMED SUBMISSION TYPE:	{form}
CONFORMED PERIOD OF REPORT:	20221231
FILED AS OF DATE:		{filed}
FILER:
	COMPANY DATA:
		COMPANY CONFORMED NAME:			ACME CORP
		CENTRAL INDEX KEY:			0001234567
</SEC-HEADER>
{documents}</SEC-DOCUMENT>
"""


def value(name: str, text: str, note: str = "") -> str:
    mark = f'<footnoteId id="{note}"/>' if note else ""
    return f"<{name}>{f'<value>{text}</value>' if text else ''}{mark}</{name}>"


SALE = (
    "<nonDerivativeTransaction>" + value("securityTitle", "Common Stock") + value("transactionDate", "2022-12-13-05:00")
    + "<transactionCoding><transactionCode>S</transactionCode></transactionCoding><transactionAmounts>"
    + value("transactionShares", "200.5") + value("transactionPricePerShare", "", "F1")
    + value("transactionAcquiredDisposedCode", "D") + "</transactionAmounts><postTransactionAmounts>"
    + value("sharesOwnedFollowingTransaction", "301") + "</postTransactionAmounts></nonDerivativeTransaction>"
)  # fmt: skip
OPTION = (
    "<derivativeTransaction>" + value("securityTitle", "Option") + value("conversionOrExercisePrice", "8.88")
    + value("transactionDate", "2022-12-14") + "<transactionCoding><transactionCode>M</transactionCode></transactionCoding>"
    + value("exerciseDate", "", "F1") + value("expirationDate", "2029-09-10") + "<underlyingSecurity>"
    + value("underlyingSecurityTitle", "Common Stock") + value("underlyingSecurityShares", "200000")
    + "</underlyingSecurity></derivativeTransaction>"
)  # fmt: skip


def insider(nonderivative: str = SALE, derivative: str = OPTION, owner: str = "Coyote Wile E.") -> str:
    return (
        "<ownershipDocument><documentType>4</documentType><periodOfReport>2022-12-31</periodOfReport><issuer><issuerCik>"
        "0001234567</issuerCik><issuerName>Acme Corp</issuerName></issuer><reportingOwner><reportingOwnerId><rptOwnerCik>"
        f"0000000042</rptOwnerCik><rptOwnerName>{owner}</rptOwnerName></reportingOwnerId><reportingOwnerRelationship>"
        "<isOfficer>1</isOfficer><isDirector>true</isDirector><officerTitle>Chief Engineer</officerTitle>"
        f"</reportingOwnerRelationship></reportingOwner><nonDerivativeTable>{nonderivative}</nonDerivativeTable>"
        f'<derivativeTable>{derivative}</derivativeTable><footnotes><footnote id="F1">A range of 1 to 2.</footnote>'
        "</footnotes></ownershipDocument>"
    )
