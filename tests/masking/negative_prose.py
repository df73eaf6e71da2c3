"""English prose in which everything must survive: quantities near the words card, account, bank, number, key."""

TEXTS = r"""
=== n-card-revenue | prose | en
Credit card revenue of «cardlike:visa» won was up «pct» from a year earlier; card fees came to $«grp:9».
=== n-card-volume | prose | en
«firm» processed «grp:12» card transactions worth $«n:13» in «between:2015:2025», card fees were «dec:1:2» bps.
=== n-card-loans | prose | en
Card loans outstanding: «cardlike:mc» KRW. Delinquency «pct». Cards in force: «n:9».
=== n-account-balance | prose | en
account balance «n:10» KRW as of «date:%Y-%m-%d»
=== n-accounts-receivable | prose | en
Accounts receivable «n:12», accounts payable «n:11», account turnover «dec:1:3».
=== n-current-account | prose | en
The current account deficit widened to $«grp:12» and the capital account was $«n:10» in surplus.
=== n-account-count | prose | en
«firm» opened «n:9» new brokerage accounts; funded accounts number «grp:8», and average account size is $«grp:6».
=== n-bank-deposits | prose | en
Bank deposits stood at «n:14» won; bank «firm» holds «cardlike_grouped:amex» won of them.
=== n-account-number-word | prose | en
The number of accounts rose «n:8» to «n:9», which accounts for «pct» of the market.
=== n-big-cap | prose | en
«firm» has a market cap of «cardlike:amex» KRW on «n:10» shares outstanding.
=== n-big-cap-usd | prose | en
Market value «cardlike:visa» (in micro-dollars), revenue «cardlike:mc», assets «cardlike:discover».
=== n-grouped-luhn | prose | en
Total assets of «cardlike_grouped:visa» won against liabilities of «cardlike_grouped:mc» won.
=== n-indian | prose | en
Turnover of Rs «grp:12:indian» and profit of Rs «grp:9:indian»; market cap ₹«grp:14:indian» crore-adjusted.
=== n-european | prose | en
Umsatz «grp:12:dot»,«d:2» EUR, Gewinn «grp:9:dot»,«d:2» EUR, Vorjahr «grp:10:space» EUR, Schweiz CHF «grp:9:apos».«d:2».
=== n-space-grouped | prose | en
Chiffre d'affaires : «grp:16:space» KRW, effectif «grp:6:space», dette «grp:13:space» €.
=== n-shares | prose | en
Shares outstanding: «n:11»; float «n:10»; average volume «n:9»; short interest «ssnlike».
=== n-nine-digit | prose | en
Net income was «abalike» dollars, operating cash flow «abalike», and «ssnlike» shares changed hands.
=== n-routing-word | prose | en
Order routing moved «abalike» shares to dark pools, routing fees were $«n:9».
=== n-ssn-word | prose | en
Social security payments totalled $«n:13» and reached «ssnlike» beneficiaries, a rise of «pct».
=== n-ssn-explained | prose | en
An SSN has nine digits in the form AAA-GG-SSSS. The Social Security trust fund held $«grp:13» in «between:2010:2024».
=== n-iban-explained | prose | en
An IBAN has up to 34 characters: two letters for the country, two check digits and the account part; a German one has 22. We sent «n:5» transfers.
=== n-pin-explained | prose | en
Never share your PIN or password. A PIN has 4 to 6 digits; fraud fell «pct» to $«grp:8» after «between:2001:2024».
=== n-masked-card | prose | en
Paid with card **** **** **** «d:4» and card ending in «d:4»: $«cmoney» on «date:%m/%d/%Y».
=== n-masked-xxxx | prose | en
Card XXXX-XXXX-XXXX-«d:4», account ending in «d:4», SSN ***-**-«d:4», amount «cmoney».
=== n-last-four | prose | en
The Visa ending in «d:4» was charged $«dec:3:2» twice; account ...«d:4» was credited $«dec:3:2».
=== n-placeholders | prose | en
Set ANTHROPIC_API_KEY=<your-key> and OPENAI_API_KEY=sk-... before you run it «n:3» times; use YOUR_ACCOUNT_NUMBER in step «between:1:9».
=== n-sk-words | prose | en
sk-learn and task-«n:6» disagree; risk-adjusted return «pct», disk-usage-«n:4», desk-«n:3», ghp in prose is a GitHub prefix.
=== n-phone | prose | en
Call the investor line «phone», ext. «n:4», or «krphone»; fax «phone».
=== n-orders | prose | en
Order «n:12» and order id «luhn:4:16» were filled at «dec:3:2»; order number «date:%Y%m%d»-«n:7» was cancelled.
=== n-invoice | prose | en
Invoice number «n:10» (PO number «n:8») over $«cmoney», invoice no. INV-«date:%Y»-«n:6», due in «between:10:90» days.
=== n-tracking | prose | en
UPS tracking 1Z«b32:6»«d:10», FedEx tracking number «n:12», USPS tracking 94«d:20». Value $«dec:2:2».
=== n-zip | prose | en
«firm», New York, NY «d:5»-«d:4», filed with ZIP code «d:5» and paid $«grp:7» in fees.
=== n-identifiers | prose | en
«firm» (CIK «cik», ISIN «isin», CUSIP «cusip», SEDOL «sedol», FIGI «figi», LEI «lei», BIC «bic»)
=== n-accession | prose | en
See accession number «accession» and file number 001-«d:5», filed «date:%Y-%m-%d», «n:8» bytes.
=== n-ein | prose | en
The registrant's IRS employer identification no. is «d:2»-«d:7»; Commission file number «between:0:3»33-«d:6».
=== n-isin-account | prose | en
Hold ISIN «isin» in the custody account; accrued interest «dec:5:8», account currency EUR, account value «dec:7:2».
=== n-years | prose | en
From «date:%d %b %Y» to «date:%B %d, %Y» (ISO «date:%Y-%m-%dT%H~%M~%S+09~00», week «between:1:52», quarter 20«d:2»Q3) it rose «pct».
=== n-compact-dates | prose | en
Snapshots «date:%Y%m%d», «date:%Y%m%d%H%M%S», «date:%y%m%d», «date:%d/%m/%y %H~%M», «date:%Y/%m/%d» each held «n:7» rows.
=== n-science | prose | en
Notional of «sci» USD, tick «sci», epsilon «sci», Avogadro-like «sci», weight «small:15».
=== n-adjusted | prose | en
Adjusted closes: «small:12», «dec:2:14», «dec:3:13», «small:16», «dec:4:12».
=== n-card-business | prose | en
The card business earned «grp:12» won, the bank «grp:13» won, and the account-management unit «n:11» won.
=== n-account-word-number | prose | en
On account of the «n:8» unit backlog, we account for «n:9» as deferred revenue (account class 2, note «between:1:30»).
=== n-bank-code | prose | en
Bank «firm» ranks #«between:1:40» with assets of $«n:12», tier-1 ratio «pct», branch count «n:4», ATM count «n:5».
=== n-note-percent | prose | en
Card spending grew «pct», payment volume «n:13», cross-border «n:12», yield «dec:1:4»%.
=== n-visa-the-company | prose | en
Visa reported payments volume of $«n:13» and «n:12» processed transactions; Mastercard's gross dollar volume was $«cardlike:mc» in cents.
=== n-amex-company | prose | en
American Express: billed business «cardlike:amex» KRW, card member loans $«grp:12», EPS «dec:2:2».
=== n-token-prices | prose | en
Token supply «n:16» ARB, circulating tokens «grp:12», token price $«small:8», tokens per second «n:6».
=== n-key-figures | prose | en
Key figures: key rate «dec:1:2»%, key money «n:9», private placements «n:10», secret ballot «n:5» votes.
"""
