"""Templates of tables, lists, logs, SQL, HTML and bank formats with private pieces."""

TEXTS = r"""
=== csv-comma-card | csv | en
date,card_number,amount,currency
«date:%Y-%m-%d»,«card:bare»,«dec:3:2»,USD
«date:%Y-%m-%d»,«card:bare»,«dec:4:2»,USD
«date:%Y-%m-%d»,«card:bare»,«dec:2:2»,EUR
=== csv-quoted-card | csv | en
"Name","Card Number","Amount"
"«name»","«card:space»","$«cmoney»"
"«name»","«card:dash»","$«cmoney»"
=== csv-semicolon-iban | csv | en
Name;IBAN;BIC;Betrag;Datum
«name»;«iban:bare»;«bic»;«grp:4:dot»,«d:2»;«date:%d.%m.%Y»
«name»;«iban:bare»;«bic»;«n:3»,«d:2»;«date:%d.%m.%Y»
=== csv-tab-ssn | csv | en
employee«tab»ssn«tab»gross«tab»net
«name»«tab»«ssn»«tab»«dec:5:2»«tab»«dec:4:2»
«name»«tab»«ssn»«tab»«dec:5:2»«tab»«dec:4:2»
=== csv-ssn-bare | csv | en
id,name,ssn,salary
«n:4»,«name»,«ssn:bare»,«n:6»
«n:4»,«name»,«ssn:bare»,«n:6»
=== csv-account-column | csv | en
account_number,symbol,quantity,market_value
«account:us8»,«tick»,«n:4»,«dec:6:2»
«account:us8»,«tick»,«n:3»,«dec:5:2»
«account:us8»,«tick»,«n:9»,«dec:12:2»
=== csv-account-title | csv | en
Account Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value
«account:fid»,INDIVIDUAL,«tick»,«firm»,«n:3»,$«dec:3:2»,$«cmoney»
«account:fid»,ROTH IRA,«tick»,«firm»,«dec:2:3»,$«dec:2:2»,$«cmoney»
=== csv-routing | csv | en
payee,routing_number,account_number,amount_cents
«firm»,«aba»,«account:us10»,«n:8»
«firm»,«aba»,«account:us10»,«n:9»
=== csv-mixed-card-cap | csv | en
customer,card,market_cap_krw,volume
«name»,«card:bare:visa»,«cardlike:amex»,«n:9»
«name»,«card:bare:mc»,«cardlike:amex»,«n:8»
=== md-cards | md | en
| Customer | Card number | Limit | Spent |
|---|---|---:|---:|
| «name» | «card:space» | «grp:5» | «dec:4:2» |
| «name» | «card:bare» | «grp:5» | «dec:3:2» |
=== md-iban | md | en
| Counterparty | IBAN | Amount (EUR) |
|:--|:--|--:|
| «firm» | `«iban:space»` | «grp:7» |
| «firm» | `«iban:bare»` | «grp:6».«d:2» |
=== md-accounts | md | en
| Account no. | Bank | Balance |
| --- | --- | --- |
| «account:us10» | Blue Harbor | $«cmoney» |
| «account:us12» | Contoso Trust | $«grp:9» |
=== md-bullets | md | en
- **SSN:** «ssn»
- **Account number:** «account:us10»
- **Card:** «card:space»
- **Net worth:** $«grp:7»
- **Since:** «date:%Y-%m-%d»
=== kv-profile | kv | en
name: «name»
ssn: «ssn:bare»
card_number: «card:bare»
net_worth: «n:8»
updated: «epoch:s»
=== kv-equals | kv | en
account_number=«account:us10»
routing_number=«aba»
balance=«dec:7:2»
as_of=«date:%Y%m%d»
=== kv-statement | kv | en
Account Number ........ «account:us10»
Statement Period ...... «date:%m/%d/%y» - «date:%m/%d/%y»
Beginning Balance ..... $«cmoney»
Deposits .............. $«grp:6».«d:2»
=== env-file | kv | en
OPENAI_API_KEY=«api_key:openai»
ANTHROPIC_API_KEY="«api_key:anthropic»"
GITHUB_TOKEN=«api_key:github»
AWS_ACCESS_KEY_ID=«api_key:aws»
TIMEOUT_MS=«n:5»
=== yaml-profile | yaml | en
customer:
  name: «name»
  iban: «iban:space»
  card: "«card:dash»"
  limits:
    daily: «n:5»
    monthly: «grp:6»
=== yaml-broker | yaml | en
broker:
  account_number: "«account:us9»"
  api_key: «api_key:plain»
  retries: «between:1:9»
  base_currency: USD
  cash: «dec:6:2»
=== toml-secrets | yaml | en
[provider]
api_key = "«api_key:anthropic»"
max_tokens = «n:5»

[alerts]
slack = "«token:slack»"
threshold = «dec:2:4»
=== toml-password | yaml | en
[database]
host = "«ip»"
port = 5432
user = "prices"
password = "«password»"
pool_size = «between:5:50»
=== log-payment | log | en
«date:%Y-%m-%d %H~%M~%S» INFO payment id=«n:8» card=«card:bare» amount=«dec:4:2» ms=«n:3»
«date:%Y-%m-%d %H~%M~%S» WARN retry id=«n:8» pan=«card:bare» status=402
=== log-auth | log | en
«date:%Y-%m-%dT%H~%M~%SZ» GET /v1/quotes?symbol=«tick» Authorization: Bearer «token:jwt» 200 «n:5»us
=== log-env-dump | log | en
[«epoch:ms»] env: AWS_ACCESS_KEY_ID=«api_key:aws» REGION=us-east-1 JOB=«uuid»
[«epoch:ms»] env: GOOGLE_API_KEY=«api_key:google» rows=«n:7»
=== log-curl | log | en
$ curl -H "x-api-key: «api_key:anthropic»" -d '{"max_tokens": «n:4»}' https://api.anthropic.com/v1/messages
HTTP/2 200, «n:5» bytes, request-id «uuid»
=== sql-insert | sql | en
INSERT INTO customers (id, name, ssn, card_number, balance) VALUES
(«n:5», '«name»', '«ssn»', '«card:bare»', «dec:6:2»);
=== sql-where | sql | en
SELECT date, amount FROM payments WHERE iban = '«iban:bare»' AND amount > «n:6» LIMIT 100;
=== sql-account | sql | en
UPDATE holdings SET quantity = «n:5», cost = «dec:4:4» WHERE account_number = '«account:us10»' AND isin = '«isin»';
=== html-table | html | en
<tr><th>IBAN</th><td>«iban:space»</td></tr>
<tr><th>Amount</th><td>«grp:6».«d:2» EUR</td></tr>
<tr><th>ISIN</th><td>«isin»</td></tr>
=== html-spans | html | en
<p class="card">Card number <b>«card:space»</b>, charged <span data-v="«n:6»">$«cmoney»</span></p>
=== html-ssn | html | en
<div>SSN: <code>«ssn»</code></div><div>Gross: <code>«dec:6:2»</code></div><div>Year: 2024</div>
=== ofx-account | ofx | en
<BANKACCTFROM>
<BANKID>«aba»
<ACCTID>«account:us10»
<ACCTTYPE>CHECKING
</BANKACCTFROM>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>«date:%Y%m%d%H%M%S»<TRNAMT>-«dec:3:2»<FITID>«n:12»</STMTTRN>
<LEDGERBAL><BALAMT>«dec:5:2»<DTASOF>«date:%Y%m%d»</LEDGERBAL>
=== swift-mt103 | ofx | en
:20:REF«n:9»
:32A:«date:%y%m%d»EUR«n:7»,«d:2»
:59:/«iban:bare»
«name»
:70:INVOICE «n:7»
:71A:SHA
=== swift-mt940 | ofx | en
:20:STMT«n:6»
:25:«iban:bare:DE»
:28C:«n:3»/1
:60F:C«date:%y%m%d»EUR«n:6»,«d:2»
:61:«date:%y%m%d%m%d»D«n:4»,«d:2»NTRFNONREF
:62F:C«date:%y%m%d»EUR«n:6»,«d:2»
"""
