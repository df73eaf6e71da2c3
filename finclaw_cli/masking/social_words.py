"""Words that show whether a number of nine digits is a social security number; `social.py` has how they are read."""

from __future__ import annotations

from finclaw_cli.masking.vocabulary import ONE, OTHER


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _pairs(phrases: str) -> frozenset[tuple[str, str]]:
    words = [phrase.split() for phrase in phrases.split(";")]
    return frozenset((first, second) for first, second in words)


# Words for the number itself.
SSN_WORDS = _set("ssn ssns ss s.s s.s.n socsec socialsecurity ssa tin ssnumber ssnum ssno ssnbr nss tln sss")
# What a word for them contains, in languages that write it as one word or with marks that are no letters.
SSN_STEMS = tuple(
    str.split(
        """
        소셜 사회보장 주민 sozialversicherung socialsecurity 社会安全 社會安全 社会保障 社會保障 社安 工卡号
        ソーシャルセキュリティ ประกันสังคม
        """
    )
)
# The same as phrases, of which some words have such marks.
SSN_PHRASES = ("सामाजिक सुरक्षा", "सोशल सिक्योरिटी", "সামাজিক নিরাপত্তা", "সোশ্যাল সিকিউরিটি", "سوشل سیکیورٹی")
SSN_PAIRS = frozenset(
    {(first, second) for first in ("soc", "social") for second in ("sec", "security", "insurance", "number", "no")}
    | {("tax", "number"), ("tax", "no"), ("tax", "id"), ("tax", "identification"), ("ref", "sy")}
    | {("taxpayer", "id"), ("taxpayer", "identification")}
) | _pairs(
    """
    seguro social; seguridad social; sécurité sociale; securite sociale; segurança social; seguridade social;
    previdenza sociale; sicurezza sociale; sekirite sosyal; seguridad panlipunan; xã hội; xa hoi; الضمان الاجتماعي;
    الضمان الإجتماعي; تأمین اجتماعی; ביטוח לאומי; социального страхования; социального обеспечения;
    соціального страхування; ubezpieczenia społecznego; ubezpieczenia spolecznego; κοινωνικής ασφάλισης
    """
)
# The short forms, which other things have, too, unless they stand directly before the number.
SSN_SHORT = frozenset({"social", "soc", "socials"})

# Who has such a number: roles, relatives, pronouns and titles.
PERSON_WORDS = _set(
    """
    me my mine myself his her hers him he she their theirs them they your yours our who whose someone person people
    individual individuals employee employees worker applicant coapplicant co-applicant borrower coborrower
    co-borrower cosigner co-signer guarantor tenant landlord lessee renter resident owner joint_owner owners holder
    cardholder accountholder proprietor partner member subscriber insured claimant beneficiary beneficiaries
    annuitant decedent deceased payee recipient filer taxpayer debtor plaintiff defendant juror patient student
    participant enrollee candidate hire caller customer client contractor freelancer nanny caregiver spouse wife
    husband son daughter child children dependent dependents dependant kid kids mother father mom mum dad parent
    parents brother sister grandmother grandfather grandson granddaughter aunt uncle niece nephew cousin fiance
    fiancee widow widower heir executor trustee donor grantor settlor ward guardian veteran retiree mr mrs ms miss dr
    prof sr sra sr. jr ii iii esq identity born dob birth birthdate señor señora esposo esposa hijo hija madre padre
    empleado empleada solicitante cliente beneficiario titular su mi tu 고객 고객님 직원 배우자 자녀 본인 신청인
    수급자 가입자 환자 제 저의 님 씨 남편 아내 아들 딸
    """
)

# Words that say nothing about what a number is: what stands before them is read on.
FILLERS = _set(
    """
        number numbers num nums no nos nr nbr n.º nº núm número numero id ids identifier identification is are was
        were be being as the a an this that these those value values val text note notes memo comment comments
        content field data message messages body description desc detail details info output result stdout name names
        full fullname nid fed federal government gov govt national personal first last middle assigned shown correct
        new old actual real complete legal 넘버 시큐리티 es son est ist lautet
        của tôi là moja mój américain américaine el la le les der die das los las un
        una nombre 번호 성명 이름
        """
)
# Words that separate a number from the noun before them: verbs, prepositions, adverbs.
BREAKS = _set(
    """
    go goes come comes take took remember one ones same i you we us out up off down back over away to for from with
    without of on in at by into onto about against under after before between and or but also not now then here there
    please kindly just only again still yes hi hello hey dear thanks pls ok okay so use used using uses give gives
    gave given provide provides provided providing verify verifies verified verifying confirm confirms confirmed
    match matches matched enter enters entered entering write writes wrote written read reads said say says saying
    tell tells told ask asks asked asking need needs needed want wants wanted have has had get gets got send sends
    sent sending put puts see seen look looks lookup found find add added adding remove removed update updated
    changed run ran requested requesting show shows showed lists listed states stated contains reported reporting
    filed submitted submit typed include includes included including belongs belong issued received keep keeps kept
    stored delete deleted redact redacted mask masked attached which when where while if because until since do does
    did can could will would shall should may might must been it its it's that's here's what what's married single
    male female active inactive terminated hired hourly salaried retired effective primary secondary joint self
    signed closed opened pending moved approved denied passed failed january february march april june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday
    thursday friday saturday sunday today yesterday tomorrow de del para con en por y et und pour von du des dans mit
    für whether why how terminate enroll reinstate merge deactivate onboard rehire
    """
)
# With those above, what introduces the answer to a question.
ANSWERS = _set("uh um er hmm sure yep yeah yup oops sorry btw mine my full it thank alright well and um ah certainly")
_NOT_THINGS = PERSON_WORDS | FILLERS | BREAKS
# Things that have numbers; after them a number is theirs although other words are in between.
THINGS = (
    frozenset(word for word, kind in ONE.items() if kind == OTHER)
    | _set(
        """
        voicemail sms zelle venmo
        claim reclass v vs account acct accounts waybill parcel tax-map map contract resolution receipt quote lot job
        box locker lockbox combination code codes center centre project grant seat block booking locator envelope
        document doc certificate cert article bulletin ordinance permit licence license plate badge key gate meter
        reading readings odds score scores vote votes poll polls raffle lottery ticket winning page pages chapter
        verse psalm volume issue edition size sizes dimension dimensions width depth length weight frequency
        frequencies channel radio pager extension hotline toll telefon teléfono telephone phones apn upc rma po asin
        mpn oem cas pn file ein duns npi ndc din en iso swift bic vin passport visa dni nie nif curp rfc cpf cnpj sin
        nino ahv siren siret atin ptin range ranges forecast steps floors rooms calories bins histogram census mix
        bearing beam cable filter fittings valve kit drawing appropriation spreadsheet tracking shipment delivery
        carrier freight container flight train route table row rows section paragraph clause exhibit figure
        fig step stage
        series firmware router server host node session record records entry log process thread trace span release
        tag sprint story epic defect bug incident factura pedido aktenzeichen rechnung artikelnummer
        kundennummer telefax service services support desk line care office asset inventory warehouse bin shelf aisle
        rack pallet crate drum barrel cylinder engine motor pump chassis lens film tape disk chip board circuit panel
        breaker switch pole well lease tract deed book folio title plat statute amendment warranty coupon voucher
        promo rebate discount reservation itinerary pnr cabin berth dock pier yard terminal platform track course
        class lecture exam quiz assignment grade recipe menu playlist episode season album game round lap inning rank
        ranking rating speed altitude temperature pressure voltage dosage dose prescription refill lab biopsy chart
        mrn encounter visit appointment bed api endpoint branch revision checksum activation product subscription
        plan domain subnet packet property vendor supplier equipment vehicle machine device unit units handbook
        manual conference meeting pin passcode access zone hotel campsite survey sample specimen strain test
        experiment
        """
    )
) - _NOT_THINGS
# What is kept of people: "the earnings for 512-33-8841".
OF_PERSONS = _set("earnings income payroll record records file files benefits history credit balance transcript")
# Words of the titles of accounts in a ledger, which stand behind the code of the account.
LEDGER = _set(
    """
    salaries wages repairs prepaid accrued supplies postage utilities telephone janitorial depreciation amortization
    rent dues subscriptions fuel outlay payable receivable fees charges insurance interest expense expenses travel
    advertising maintenance services printing freight
    """
)
# The last words of companies and streets, which look like names.
PLACES = _set(
    """
        alabama alaska arizona arkansas california colorado connecticut delaware hawaii idaho illinois indiana iowa
        kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska
        nevada jersey mexico york ohio oklahoma oregon pennsylvania rhode tennessee texas utah vermont wisconsin wyoming
        boston chicago philadelphia seattle portland miami atlanta denver detroit baltimore memphis
        card cards inc llc llp ltd gmbh ag co corp corporation company bank union trust group partners holdings
        brokerage foods medical hospital clinic university college school church county city town state department
        office agency authority street st ave avenue road rd ct court lane ln drive blvd way apt suite floor hwy usa
        """
)
# Korean family names; with one or two syllables after them they are a person's.
KOREAN_FAMILY = frozenset(
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민"
    "진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용"
)
