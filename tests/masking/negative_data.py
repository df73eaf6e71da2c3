"""Tables, lists, logs and bank formats in which everything must survive."""

TEXTS = r"""
=== n-csv-prices | csv | en
Date,Open,High,Low,Close,Adj Close,Volume
«date:%Y-%m-%d»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«small:12»,«n:9»
«date:%Y-%m-%d»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«small:12»,«n:10»
=== n-csv-caps | csv | en
ticker,market_cap_krw,shares_outstanding
«krcode».KS,«cardlike:amex»,«n:10»
«krcode».KQ,«cardlike:amex»,«ssnlike»
=== n-csv-caps-visa | csv | en
date,total_assets,total_liabilities
«date:%Y-%m-%d»,«cardlike:visa»,«cardlike:mc»
«date:%Y-%m-%d»,«cardlike:discover»,«cardlike:jcb»
=== n-csv-nine-digit | csv | en
symbol,volume,short_volume
«tick»,«abalike»,«ssnlike»
«tick»,«ssnlike»,«abalike»
=== n-csv-epoch | csv | en
ts_ns,ts_us,ts_ms,bid,ask
«epoch:ns»,«epoch:us»,«epoch:ms»,«dec:2:5»,«dec:2:5»
«epoch:ns»,«epoch:us»,«epoch:ms»,«dec:2:5»,«dec:2:5»
=== n-csv-ids | csv | en
isin;cusip;sedol;figi;lei
«isin»;«cusip»;«sedol»;«figi»;«lei»
«isin»;«cusip»;«sedol»;«figi»;«lei»
=== n-csv-edgar | csv | en
cik|company|form|filed|path
«cik»|«firm»|10-K|«date:%Y-%m-%d»|edgar/data/«n:7»/«accession».txt
«n:7»|«firm»|8-K|«date:%Y-%m-%d»|edgar/data/«n:7»/«accession».txt
=== n-csv-accounts-lines | csv | en
account,2022,2023,2024
Accounts receivable,«n:12»,«n:12»,«n:12»
Cash and bank balances,«cardlike:visa»,«n:13»,«cardlike:amex»
Credit card receivables,«n:11»,«cardlike:mc»,«n:9»
=== n-csv-account-metrics | csv | en
month,account_balance,card_spend,bank_deposits,number_of_accounts
«date:%Y-%m»,«n:10»,«n:12»,«cardlike:visa»,«n:9»
«date:%Y-%m»,«n:11»,«n:11»,«cardlike:amex»,«n:8»
=== n-csv-tabs | csv | en
symbol«tab»mktcap«tab»revenue«tab»eps
«tick»«tab»«n:13»«tab»«cardlike:visa»«tab»«small:4»
«tick»«tab»«cardlike:mc»«tab»«n:12»«tab»«small:4»
=== n-csv-quoted | csv | en
"Issuer","Value (x$1000)","Shares","CUSIP"
"«firm»","«grp:12»","«grp:9»","«cusip»"
"«firm»","«grp:10»","«n:9»","«cusip»"
=== n-csv-ledger | csv | en
ledger code,description,debit,credit
«n:4»,Bank charges,«dec:4:2»,0.00
«n:4»,Card fees,«dec:9:2»,0.00
«n:4»,Account maintenance,0.00,«dec:10:2»
=== n-csv-trades | csv | en
trade_id,time,price,qty,order_id
«n:10»,«epoch:ms»,«dec:5:8»,«small:8»,«n:12»
«n:10»,«epoch:ms»,«dec:5:8»,«small:8»,«luhn:4:16»
=== n-csv-trade-strips | csv | en
seq,epoch_ns,value_krw
«n:7»,«epoch:ns»,«luhn:4:19»
«n:7»,«epoch:ns»,«luhn:4:13»
=== n-csv-phones | csv | en
company,ir_phone,fax,zip
«firm»,«phone»,«phone»,«d:5»
«kfirm»,«krphone»,«krphone»,«d:5»
=== n-csv-coords | csv | en
branch,lat,lon,deposits
«n:4»,«lat»,«lon»,«n:12»
«n:4»,«lat»,«lon»,«cardlike:visa»
=== n-md-figures | md | en
| Item | 2023 | 2024 |
|---|---:|---:|
| Credit card revenue | «grp:13» | «cardlike_grouped:visa» |
| Accounts receivable | «n:12» | «cardlike:mc» |
| Bank balances | «n:10» | «n:10» |
=== n-md-holdings | md | en
| Ticker | Shares | Market cap (KRW) | ISIN |
|:--|--:|--:|:--|
| «krcode».KS | «n:8» | «cardlike:amex» | «isin» |
| «krcode».KS | «ssnlike» | «n:15» | «isin» |
=== n-md-kpis | md | en
| KPI | Value |
|---|---|
| Cards issued | «ssnlike» |
| Active accounts | «abalike» |
| Card payment volume (won) | «cardlike:visa» |
| Tokens used | «n:9» |
=== n-md-fx | md | en
| Pair | Bid | Ask | Volume |
|---|---|---|---|
| EURUSD | 1.«d:5» | 1.«d:5» | «n:12» |
| USDKRW | «dec:4:2» | «dec:4:2» | «cardlike:visa» |
=== n-md-list | md | en
- **Market cap:** «cardlike:amex»
- **Shares outstanding:** «n:10»
- **Volume:** «ssnlike»
- **Enterprise value:** «cardlike:visa»
=== n-kv-quote | kv | en
symbol: «tick»
regularMarketPrice: «dec:3:6»
marketCap: «n:13»
sharesOutstanding: «n:11»
regularMarketTime: «epoch:s»
volume: «ssnlike»
=== n-kv-caps | kv | en
market_cap=«cardlike:amex»
enterprise_value=«cardlike:visa»
revenue_ttm=«cardlike:mc»
net_income=«abalike»
=== n-kv-balance | kv | en
Account balance: «n:10»
Account value: «n:12»
Account type: margin
Account opened: «date:%Y%m%d»
Card limit: «n:8»
=== n-kv-file | kv | en
file=/data/prices/«date:%Y/%m/%d»/part-«d:5»-«uuid».parquet
bytes=«n:10»
rows=«n:9»
sha256=«hexa:64»
md5=«hexa:32»
=== n-kv-version | kv | en
version: «between:0:9».«between:0:40».«between:0:99»
build: «date:%Y%m%d».«between:1:99»
commit: «hexa:40»
short: «hexa:7»
python: 3.11.«between:0:12»
=== n-yaml-config | yaml | en
limits:
  max_tokens: «n:6»
  max_rows: «n:9»
  token_budget: «n:8»
  timeout_ns: «n:16»
  card_fee_bps: «dec:2:2»
=== n-yaml-universe | yaml | en
universe:
  - {symbol: "«krcode».KS", cap: «cardlike:amex»}
  - {symbol: "«krcode».KS", cap: «n:15»}
as_of: «epoch:ms»
run_id: «uuid»
=== n-yaml-env-ref | yaml | en
provider:
  api_key: ${ANTHROPIC_API_KEY}
  max_retries: «between:1:9»
  budget_krw: «n:9»
  snapshot: «date:%Y-%m-%d»
=== n-toml | yaml | en
[risk]
var_99 = «dec:9:4»
notional = «cardlike:visa»
lambda = «small:10»
seed = «ssnlike»
=== n-log-latency | log | en
«date:%Y-%m-%d %H~%M~%S».«d:6» INFO fetched rows=«n:9» bytes=«n:12» in «n:4»ms trace=«hexa:32» span=«hexa:16»
«date:%Y-%m-%d %H~%M~%S».«d:6» INFO cache key=quotes/«tick»/«n:10» hit=«between:0:1»
=== n-log-network | log | en
«ip» - - [«date:%d/%b/%Y~%H~%M~%S» +0900] "GET /v2/bars?start=«epoch:s»&limit=«n:5» HTTP/1.1" 200 «n:9»
link «mac» up, ipv6 fe80::«hexa:4»:«hexa:4»:«hexa:4»:«hexa:4»
=== n-log-orders | log | en
«epoch:ns» ORDER id=«n:12» sym=«tick» px=«dec:3:4» qty=«n:6» cum=«ssnlike» notional=«n:14»
«epoch:ns» FILL id=«n:12» exec=«uuid» px=«dec:3:4» last=«n:5»
=== n-log-syslog | log | en
«date:%b %d %H~%M~%S» node-«between:1:99» prices[«n:5»]: loaded «n:9» ticks, offset «n:14», lag «n:6»us, mem «n:11»
=== n-log-usage | log | en
usage input_tokens=«n:6» output_tokens=«n:5» cache_read_tokens=«n:8» cost_usd=«small:8» request=req_«b58:24»
=== n-html-quote | html | en
<tr><td>Market cap</td><td data-raw="«cardlike:amex»">«cardlike_grouped:amex»</td></tr>
<tr><td>Volume</td><td>«ssnlike»</td></tr>
=== n-html-accounts | html | en
<p>Accounts receivable: <b>«n:12»</b>; card revenue <b>«cardlike:visa»</b> won; account balance <b>«n:10»</b></p>
=== n-html-links | html | en
<a href="https://www.sec.gov/Archives/edgar/data/«n:7»/000«n:15»/doc-«date:%Y%m%d».htm">10-K «date:%Y»</a>
<img src="data:image/png;base64,iVBORw0KGgo«b64:160»" width="«n:3»">
=== n-html-svg | html | en
<path d="M«dec:3:4» «dec:3:4» L«dec:2:6»,«dec:3:3» C«small:8» «small:8»,«dec:3:2» «dec:3:2»"/>
=== n-html-css | html | en
<div style="color:#«hexa:6»;width:«n:4»px" data-ts="«epoch:ms»" data-cap="«n:15»">«grp:13»</div>
=== n-ofx-trade | ofx | en
<BUYSTOCK><TRADEDATE>«date:%Y%m%d%H%M%S»<UNIQUEID>«cusip»<UNITS>«n:6»<UNITPRICE>«dec:3:4»<TOTAL>-«dec:9:2»
=== n-ofx-balance | ofx | en
<LEDGERBAL><BALAMT>«dec:10:2»<DTASOF>«date:%Y%m%d%H%M%S»</LEDGERBAL><AVAILBAL><BALAMT>«dec:9:2»</AVAILBAL>
=== n-swift-amounts | ofx | en
:32A:«date:%y%m%d»KRW«n:13»,
:33B:USD«n:9»,«d:2»
:36:«dec:4:6»
:71F:EUR«n:2»,«d:2»
=== n-fix | ofx | en
8=FIX.4.4|9=«n:3»|35=8|34=«n:6»|52=«date:%Y%m%d-%H~%M~%S».«d:3»|11=«n:12»|17=«n:14»|31=«dec:3:4»|32=«n:6»|14=«ssnlike»|10=«d:3»|
=== n-order-book | kv | en
ask  «dec:5:2»  «dec:1:8»  «n:9»
ask  «dec:5:2»  «dec:1:8»  «n:9»
---  spread «dec:1:2»  ---
bid  «dec:5:2»  «dec:1:8»  «n:9»
bid  «dec:5:2»  «dec:1:8»  «n:9»
=== n-fx-table | kv | en
USD/KRW  «dec:4:4»  «dec:4:4»  «pct»
EUR/USD  1.«d:6»  1.«d:6»  «pct»
USD/JPY  «dec:3:5»  «dec:3:5»  «pct»
BTC/KRW  «n:9»  «n:9»  «pct»
=== n-number-matrix | kv | en
«small:10» «small:10» «small:10» «small:10»
«small:10» «sci» «small:10» «sci»
«n:4» «n:4» «n:4» «n:3»
=== n-dataframe | kv | en
            revenue     assets   shares
«date:%Y-%m-%d»  «n:12»  «n:13»  «ssnlike»
«date:%Y-%m-%d»  «n:12»  «cardlike:visa»  «abalike»
[«n:4» rows x 3 columns]
"""
