"""Identifiers and numbers that look like private ones and are not, each named for what it is."""

TEXTS = r"""
=== nl-isbn | prose | en
ISBN «ean:978», ISBN-13: 978-«d:1»-«d:4»-«d:4»-«d:1», list price $«dec:2:2»
=== nl-barcode | prose | en
Barcode (EAN-13) «ean:880», UPC «n:12», GTIN-14 «n:14», shelf price «grp:5» won
=== nl-barcode-csv | csv | en
sku,ean13,price,stock
«n:6»,«ean:400»,«dec:2:2»,«n:4»
«n:6»,«ean:490»,«dec:2:2»,«n:4»
=== nl-cas | prose | en
CAS «n:5»-«d:2»-«d:1» futures at $«dec:3:2»/t, lot 1«d:4», NDC «d:5»-«d:3»-«d:2».
=== nl-patent | prose | en
US Patent No. «grp:8», application 17/«d:3»,«d:3», PCT/KR20«d:2»/«d:6», DOI 10.1016/j.jfineco.20«d:2».«d:2».«d:3»
=== nl-arxiv | prose | en
arXiv:«d:4».«d:5»v2, SSRN abstract id «n:7», PMID «n:8», ORCID of the lab is not given, JEL G12, G«d:2».
=== nl-flight | prose | en
Flight KE«d:3», ticket price «grp:7» won, booked «date:%d%b%y», fuel «dec:6:3» kg, tail HL«d:4».
=== nl-imei | prose | en
Handset shipment: «ssnlike» units, serial range «d:6»–«d:6», firmware «between:1:20».«d:1».«d:2», price «n:7» KRW.
=== nl-ip | prose | en
Servers «ip», «ip»:8443 and «ip»/24; gateway MAC «mac»; ASN «n:5».
=== nl-ipv6 | kv | en
addr: 2001:db8:«hexa:4»:«hexa:4»::«hexa:4»
mac: «mac»
mtu: 1500
rx_bytes: «n:16»
tx_bytes: «cardlike:visa»
=== nl-uuid-lists | kv | en
run: «uuid»
parent: «uuid»
job: job-«uuid»
attempt: «between:1:9»
=== nl-git | log | en
commit «hexa:40»
Merge: «hexa:7» «hexa:7»
Date:   «date:%a %b %d %H~%M~%S %Y» +0900
 prices.py | «n:3» +-
=== nl-git-index | log | en
diff --git a/fees.csv b/fees.csv
index «hexa:7»..«hexa:7» 100644
@@ -«n:4»,7 +«n:4»,9 @@
-total,«n:12»
+total,«cardlike:visa»
=== nl-hashes | kv | en
md5  «hexa:32»  prices-«date:%Y%m%d».csv
sha1 «hexa:40»  trades.bin
sha256 «hexa:64»  filings.zip
crc32 «hexa:8»  size «n:12»
=== nl-eth | prose | en
Contract 0x«hexa:40» received «dec:3:18» ETH in tx 0x«hexa:64» at block «n:8», gas «n:7».
=== nl-btc | prose | en
Address bc1q«b32:10» is truncated here; block «n:6», «dec:1:8» BTC, difficulty «n:14», hashrate «sci».
=== nl-btc-tx | json | en
{"txid":"«hexa:64»","vout":«between:0:5»,"value_sat":«n:10»,"confirmations":«n:6»,"fee_rate":«dec:2:3»}
=== nl-base64-image | prose | en
Chart: ![cap](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA«b64:220»==) of «tick», last «dec:3:2»
=== nl-data-url-json | json | en
{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAA«b64:240»"},"bytes":«n:6»}
=== nl-url-numbers | prose | en
https://finance.example.com/quote/«krcode».KS/history?period1=«epoch:s»&period2=«epoch:s»&interval=1d&id=«n:9»
=== nl-url-edgar | prose | en
https://www.sec.gov/Archives/edgar/data/«n:7»/000«n:15»/R«between:1:90».htm and https://data.sec.gov/api/xbrl/companyfacts/CIK«cik».json
=== nl-url-dart | prose | ko
https://dart.fss.or.kr/dsaf001/main.do?rcpNo=«date:%Y%m%d»«d:6»&dcmNo=«n:7»
=== nl-url-news | prose | en
https://news.example.com/article/«date:%Y/%m/%d»/«n:12»?sid=«n:3»&card=1&page=«between:1:40»
=== nl-path | prose | en
/var/data/«date:%Y%m%d»/acct-summary/part-«d:5».csv.gz ; C:\reports\«date:%Y»\bank_«n:8».xlsx ; s3://prices/«n:10»/«hexa:16»
=== nl-coords | prose | en
Plant at «lat», «lon» (elev. «dec:3:1» m), geohash wyd«hexa:6», output «n:9» t.
=== nl-versions | prose | en
numpy 1.«between:20:29».«d:1», kernel 5.15.0-«n:3»-generic, CUDA 12.«d:1», Chrome/«n:3».0.«n:4».«n:3», build 20«d:6»
=== nl-times | prose | en
09:30:00.«d:6» open, 15:59:59.«d:9» last, «between:10:12»:«between:10:59» PM, T+«d:1», «date:%H%M%S», UTC+09:00, «n:9» ns
=== nl-epochs | prose | en
epoch «epoch:s» s = «epoch:ms» ms = «epoch:us» µs = «epoch:ns» ns
=== nl-epoch-json | json | en
{"created":«epoch:s»,"updatedMs":«epoch:ms»,"us":«epoch:us»,"ns":"«epoch:ns»"}
=== nl-percentages | prose | en
Yield «pct», spread «pct», drawdown «pct», IRR «dec:2:4» %, beta «small:4», 12.5–«dec:2:1»%
=== nl-ranges | prose | en
Guidance «n:4»-«n:4» units, pages «n:3»-«n:3», FY2019-2024, 100-200-300 ladder, ratio «n:3»:«n:3», score «n:2»-«n:2».
=== nl-grouped-units | prose | en
«cardlike_grouped:visa» shares, «cardlike_grouped:amex» won, «cardlike_grouped:mc» yen, «grp:19» satoshi
=== nl-luhn-units | prose | en
«luhn:4:16» KRW, «luhn:51:16» won, «luhn:37:15» KRW, ₩«luhn:6011:16», «luhn:4:16» shares, $«luhn:35:16»
=== nl-luhn-decimals | prose | en
«luhn:4:16».«d:2» KRW and -«luhn:5:16».«d:4», sum «luhn:4:13».«d:8»
=== nl-decimal-tails | prose | en
0.«luhn:4:16», 1.«luhn:51:16», 12.«luhn:37:15», 4.«luhn:186:12», -0.«ssnlike», 3.«abalike»
=== nl-nine-units | prose | en
«abalike» USD, «ssnlike» shares, $«abalike», €«ssnlike», «abalike» bytes, «ssnlike» won
=== nl-ssn-shape-grouped | prose | en
Sections 12-34-5678a, model XR-«d:3»-«d:2», rule 10b5-1, CFR 17-240.«d:2»b-«d:1», form N-CSR «date:%m-%d-%Y».
=== nl-date-ranges | prose | en
«date:%Y-%m-%d»–«date:%Y-%m-%d», «date:%m-%d-%Y», «date:%d-%m-%Y», «date:%Y-%j», «date:%Y-W%V», «date:%d-%b-%y»
=== nl-file-numbers | prose | en
SEC file no. 333-«d:6», docket 1:2«d:1»-cv-0«d:4», case no. 20«d:2»가합«d:5», CRD «n:6», NMLS ID «n:6»
=== nl-company-numbers | prose | en
UK company number «d:8», EIN «d:2»-«d:7», VAT GB«d:9», DUNS number «d:2»-«d:3»-«d:4», LEI «lei»
=== nl-invoice-luhn | kv | en
Invoice number: «luhn:4:16»
Order number: «luhn:5:16»
Total: $«cmoney»
Due: «date:%Y-%m-%d»
=== nl-serials | kv | en
Serial number: «b32:4»«n:8»
Part number: «n:3»-«n:5»-«n:2»
Batch: «date:%Y%m%d»-«d:3»
Quantity: «n:6»
=== nl-tickets | prose | en
Ticket #«n:6», PR #«n:4», issue «n:5», JIRA FIN-«n:4», message id «n:19», retries «d:1».
=== nl-tickers | prose | en
«krcode».KS, «krcode».KQ, 0«d:3».HK, 6«d:5».SS, «n:4».T, BRK.B, ES=F, ^GSPC, «tick»2«d:1»0«d:1»1«d:1»C00«d:3»000
=== nl-option-symbol | json | en
{"contractSymbol":"«tick»«date:%y%m%d»C00«d:3»000","strike":«dec:3:1»,"openInterest":«n:5»,"impliedVolatility":«small:16»}
=== nl-pan-word | prose | en
The pan-European index rose «pct» to «dec:3:2»; PAN Asia shares traded «n:9»; frying-pan sales of $«n:9».
=== nl-cvv-explained | prose | en
A card number has 16 digits, a CVV 3 and an expiry date; chargebacks were «n:7» in «date:%Y», fees «dec:8:2» dollars.
=== nl-routing-explained | prose | en
A routing number has nine digits; FedACH moved «n:11» items worth $«n:14», «abalike» of them same-day.
=== nl-password-explained | prose | en
password: required, at least 12 characters. Passwords reset: «n:7». The word password occurs «n:4» times.
=== nl-jwt-explained | prose | en
A JWT has three parts; our gateway checks «n:9» tokens a day and rejects «pct», token lifetime «n:4» s.
=== nl-begin-public | prose | en
-----BEGIN CERTIFICATE-----
MIID«b64:60»
MIIB«b64:60»
-----END CERTIFICATE-----
serial «hexa:16», valid «date:%Y%m%d»
"""
