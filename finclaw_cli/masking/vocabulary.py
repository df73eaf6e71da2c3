"""The words that show what a number is; `words.py` has how they are read."""

from __future__ import annotations

# Some quantity, or the number of something that is not private.
OTHER = "other"
# Money that moved: what follows is an amount, or the card that it moved from.
MOVED = "moved"

_WORDS: dict[str, str] = {
    "account": """
        account accounts acct accts acc a/c accountnumber accountno acctno acctnum acctnumber accountnum accno
        bankaccount accountid acctid dda a/cno bban clabe nuban konto kontonummer kontonr accountnumbers acctnos
        acctnumbers accountref bankacct cano
    """,
    "card": """
        card cards creditcard debitcard cardnumber cardno cardnum creditcardnumber pan cc ccnum ccnumber
        cardnumbers ccno debitcardnumber cardpayment cardinfo carddetails carddata paymentcard bankcard
    """,
    "brand": """
        visa mastercard amex jcb unionpay maestro diners
    """,
    "ssn": """
        ssn ssns socialsecurity socialsecuritynumber itin tin taxid taxpayerid ssnumber
    """,
    "rrn": """
        rrn residentregistrationnumber residentnumber jumin
    """,
    "aba": """
        aba rtn routing routingnumber routingno abarouting rtns routingnum routingcode usaba fedwire bankid mmbid micr
        abanumber abano transitnumber transitno routingtransitnumber
    """,
    "sort_code": """
        sortcode
    """,
    "iban": """
        iban ibans
    """,
    MOVED: """
        credited debited received paid transferred deposited withdrew withdrawn sent charged
    """,
    OTHER: """
        balance balances amount amounts total totals totalling totaling sum volume volumes cap capitalization
        capitalisation mktcap marketcap shares share price prices value values valued worth revenue revenues
        income profit profits loss losses assets liabilities debt equity cash sales turnover proceeds notional
        quantity qty units count size float outstanding issued receivable receivables payable payables expense
        expenses cost costs fee fees tax taxes earnings ebitda ebit dividend dividends limit supply circulating
        holdings position exposure aum nav gdp budget spend spending population growth margin leverage pnl
        returns review wages items rows records bytes tokens users subscribers customers visitors views downloads
        milliseconds nanoseconds microseconds seconds ms ns wei satoshi satoshis gas nonce timestamp timestamps
        epoch unix time date dated created updated opened closed since ts asof utc id ids uuid guid cik ciks
        accession isin isins cusip cusips figi lei leis sedol ticker symbol ein duns order orders invoice
        invoices ref reference tracking trace transaction transactions txn tx trade trades ticket tickets phone
        telephone tel fax mobile cell call dial contact hash sha commit block height sequence seq serial version
        build part sku model case docket filing form page isbn issn doi patent barcode ean upc gtin zip postcode
        imei mac port random seed number_of pid session request correlation job batch policy confirmation
        shipment receipt po bates deposits loans loan lending borrowings reserves capex opex inventory payroll surplus
        deficit gmv tpv arr mrr bookings billings backlog inflow inflows outflow outflows goodwill amortization
        depreciation average avg median mean counter ticks nanos micros millis offset duration latency grew rose fell
        climbed exceeded exceeding surpassed topped numbered averaged totalled totaled executive manager officer
        execution perm slot lamports null nulls distinct missing nonnull
        extension ext badge employee licence license npi crd nmls fdic certificate charter permit fund
    """,
}
# Every single English word with a meaning here.
ONE: dict[str, str] = {word: kind for kind, words in _WORDS.items() for word in words.split()}
# Pairs of words that say something else than each of them.
TWO: dict[tuple[str, str], str] = {
    ("soc", "sec"): "ssn",
    ("p", "l"): OTHER,
    ("s", "n"): OTHER,
    ("계좌", "수"): OTHER,
    ("계좌", "개수"): OTHER,
    **{("social", word): "ssn" for word in ("security", "sec", "insurance")},
    **{("tax", word): "ssn" for word in ("id", "identification", "identifier")},
    **{("taxpayer", word): "ssn" for word in ("id", "identification", "identifier")},
    **{(word, "id"): "account" for word in ("account", "acct", "acc")},
    **{("card", word): "card" for word in ("id",)},
    **{(word, "for"): OTHER for word in ("account", "accounts")},
    ("on", "account"): OTHER,
    ("into", "account"): OTHER,
    ("accounts", "of"): OTHER,
    ("number", "of"): OTHER,
    ("sort", "code"): "sort_code",
    **{("transit", word): "aba" for word in ("number", "no", "code", "num")},
    **{(word, "rtn"): "aba" for word in ("bank", "ach")},
    **{(word, kind): "account" for word in ("checking", "savings") for kind in ("number", "no", "ending", "#")},
    ("r", "t"): "aba",
    ("gift", "card"): OTHER,
    ("resident", "registration"): "rrn",
    ("resident", "number"): "rrn",
    ("alien", "registration"): "rrn",
    ("foreigner", "registration"): "rrn",
    ("resident", "no"): "rrn",
    ("resident", "id"): "rrn",
    ("american", "express"): "brand",
    ("primary", "account"): "account",
    ("general", "ledger"): OTHER,
    ("gl", "account"): OTHER,
    ("ledger", "account"): OTHER,
    **{(word, "account"): OTHER for word in ("control", "nominal", "contra", "expense", "revenue")},
    **{("account", word): OTHER for word in ("team", "director", "rep", "openings", "code", "codes", "payable")},
}
