"""Hand-written tables, JSON, logs and bank formats, each for itself."""

TEXTS = r"""
=== h-da-01 | csv | en
posted,merchant,card,amount
2025-03-02,COFFEE 4411,«card|4242424242424242»,4.75
=== h-da-02 | csv | en
Date;Payee;Account IBAN;Debit;Credit
01.02.2025;Stadtwerke;«iban|DE89370400440532013000»;-84,20;
=== h-da-03 | csv | en
ssn|w2_wages|fed_withheld
«ssn»|71234.00|9120.55
=== h-da-04 | csv | en
Run Date,Account,Account Number,Action,Symbol,Quantity,Price ($),Amount ($)
03/14/2025,INDIVIDUAL,«account:fid»,YOU BOUGHT,VOO,3,512.77,-1538.31
=== h-da-05 | csv | en
"emp_id","social_security_number","gross_pay"
"10412","«ssn:bare»","5820.00"
"10413","«ssn:bare»","6112.50"
=== h-da-06 | json | en
{"symbol": "AAPL", "shares": 120, "custodian": {"accountNumber": "«account:us9»", "dtc": "0226"}}
=== h-da-07 | json | en
{"object":"charge","amount":2000,"created":1712345678,"source":{"number":"«card|4000056655665556»","exp_month":8,"exp_year":2027}}
=== h-da-08 | json | en
{"CANO": "«account|50098217»", "ACNT_PRDT_CD": "01", "PDNO": "005930", "ORD_QTY": "10", "ORD_UNPR": "71200"}
=== h-da-09 | json | en
{"appkey": "«api_key:plain»", "appsecret": "«token:plain»", "grant_type": "client_credentials"}
=== h-da-10 | json | en
[{"name":"Northwind","iban":"«iban|AT611904300234573201»","open_amount":120030.55},{"name":"Fabrikam","iban":"«iban|PL61109010140000071219812874»","open_amount":88}]
=== h-da-11 | json | en
{"tool": "bank.lookup", "ok": true, "data": {"routingNumber": "«aba»", "bank": "Blue Harbor Bank", "assets_usd": 182334000000}}
=== h-da-12 | json | en
{
  "client": {"ssn": "«ssn»", "dob_year": 1979},
  "positions": [{"cusip": "037833100", "qty": 150, "mv": 28713.0}]
}
=== h-da-13 | json | en
{"smtp_password":"«password»","smtp_port":587,"daily_cap":2500}
=== h-da-14 | json | en
{"dsn": "postgres://quotes:«password|violet-Harbor-4418»@10.1.2.3:5432/prices", "pool": 20}
=== h-da-15 | md | en
| Field | Value |
|---|---|
| Card number | «card|5200 8282 8282 8210» |
| Authorised | $1,204.50 |
| Auth code | 082144 |
=== h-da-16 | md | en
**Beneficiary IBAN:** `«iban|IE29 AIBK 9311 5212 3456 78»`
**Amount:** EUR 250,000.00
**Trade date:** 2025-05-06
=== h-da-17 | kv | en
Routing Number : «aba»
Account Number : «account:us12»
Check Number   : 2291
Amount         : 640.00
=== h-da-18 | kv | en
ssn = «ssn:bare»
income_2023 = 118250
income_2024 = 124900
=== h-da-19 | yaml | en
payments:
  - card_number: "«card|2223003122003222»"
    amount: 199.00
  - card_number: "«card|6200000000000005»"
    amount: 1299.00
=== h-da-20 | yaml | en
slack:
  token: «token:slack»
  channel: "#trades"
limits: {max_rows: 50000, max_usd: 250000}
=== h-da-21 | log | en
2025-04-03T09:30:00.123Z ERROR gateway declined pan=«card|4111111111111111» amt=100.00 trace=000123
=== h-da-22 | log | en
DEBUG request headers={'Authorization': 'Bearer «api_key:openai»'} body_bytes=18233 elapsed=1.284
=== h-da-23 | log | en
+ export GITHUB_TOKEN=«token:pat»
+ python load.py --rows 120000 --since 2024-01-01
=== h-da-24 | sql | en
SELECT * FROM people WHERE ssn IN ('«ssn»', '«ssn»') AND net_worth > 1000000;
=== h-da-25 | sql | en
INSERT INTO wires(iban, amount, value_date) VALUES ('«iban|GB82WEST12345698765432»', 75000.00, '2025-03-31');
=== h-da-26 | html | en
<li>Account number: «account:us10»</li><li>Available: $2,310.44</li><li>Pending: $120.00</li>
=== h-da-27 | html | en
<input name="cardNumber" value="«card|378282246310005»"><input name="amount" value="2450.00">
=== h-da-28 | ofx | en
<INVACCTFROM><BROKERID>example.com<ACCTID>«account:us8»</INVACCTFROM><UNITS>125.5<UNITPRICE>44.1200<TOTAL>-5537.06
=== h-da-29 | ofx | en
<CCACCTFROM><ACCTID>«card|4012888888881881»</CCACCTFROM><TRNAMT>-42.10<DTPOSTED>20250311120000
=== h-da-30 | ofx | en
:50K:/«account:us10»
NORTHWIND ENERGY
:32A:250314USD1250000,
:59:/«iban|FR1420041010050500013M02606»
FABRIKAM STEEL
=== h-da-31 | ofx | en
<CdtrAcct><Id><IBAN>«iban|NL91ABNA0417164300»</IBAN></Id></CdtrAcct><InstdAmt Ccy="EUR">8750.25</InstdAmt>
=== h-da-32 | yaml | en
[default]
aws_access_key_id = «api_key:aws»
aws_secret_access_key = «token:plain»
region = ap-northeast-2
max_attempts = 5
=== h-da-33 | prose | en
cat ~/.ssh/id_ed25519
«private_key:lines:OPENSSH »
user@host:~$ wc -l prices.csv
251904 prices.csv
=== h-da-34 | prose | en
The tunnel key in the wiki is

«private_key:lines:EC »

and should be rotated every 90 days.
=== h-da-35 | json | en
{"messages":[{"role":"user","content":"My SSN is «ssn» and I made $82,150 in 2024. What do I owe?"}],"max_tokens":1024,"temperature":0.2}
=== h-da-36 | json | en
{"taxpayerSsn":"«ssn:bare»","box1":64120.00,"box2":8123.44,"ein":"12-3456789"}
"""
