"""The fifth set: templates of which nothing may change, by somebody who had seen no rule."""

TEXTS = r"""
=== fifth-ohlcv-csv | csv | en
Date,Open,High,Low,Close,Adj Close,Volume
«date:%Y-%m-%d»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«dec:3:12»,«ssnlike»
«date:%Y-%m-%d»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«dec:3:6»,«dec:3:12»,«abalike»
=== fifth-13f-infotable-csv | csv | en
nameOfIssuer,titleOfClass,cusip,value,sshPrnamt,sshPrnamtType,investmentDiscretion,votingSole
«firm»,COM,«cusip»,«n:11»,«ssnlike»,SH,SOLE,«ssnlike»
«firm»,CL A,«cusip»,«n:10»,«abalike»,SH,DFND,«n:8»
=== fifth-orders-csv | csv | en
order_id,client_order_id,symbol,side,qty,filled_avg_price,status,submitted_at
«n:10»,«uuid»,«tick»,buy,«n:3»,«dec:3:2»,filled,«date:%Y-%m-%dT%H~%M~%SZ»
«n:10»,«uuid»,«tick»,sell,«n:3»,«dec:3:2»,canceled,«date:%Y-%m-%dT%H~%M~%SZ»
=== fifth-trial-balance-csv | csv | en
Account,Account Name,Debit,Credit
1010,Cash - Operating Checking,«dec:6:2»,
1200,Accounts Receivable,«dec:6:2»,
2100,Credit Card Payable,,«dec:5:2»
4000,Sales,,«dec:7:2»
=== fifth-ar-aging-csv | csv | en
Customer No.,Customer,Invoice No.,Due Date,Current,1 - 30,31 - 60,Total
C«n:7»,«firm»,«n:8»,«date:%m/%d/%Y»,«dec:4:2»,0.00,0.00,«dec:4:2»
C«n:7»,«firm»,«n:8»,«date:%m/%d/%Y»,0.00,«dec:5:2»,0.00,«dec:5:2»
=== fifth-masked-card-statement | csv | en
Card,Posted Date,Reference Number,Payee,Amount
XXXX-XXXX-XXXX-«d:4»,«date:%m/%d/%Y»,2469216«d:16»,QUAY COFFEE,-«dec:1:2»
XXXX-XXXX-XXXX-«d:4»,«date:%m/%d/%Y»,2469216«d:16»,CITY TRANSIT,-«dec:2:2»
=== fifth-checking-txns-csv | csv | en
Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
DEBIT,«date:%m/%d/%Y»,"ORIG CO NAME:CITY POWER ENTRY DESCR:UTIL PMT SEC:PPD TRACE#:«d:15»",-«dec:2:2»,ACH_DEBIT,«dec:4:2»,
CHECK,«date:%m/%d/%Y»,CHECK «n:4»,-«dec:3:2»,CHECK_PAID,«dec:4:2»,«n:4»
=== fifth-positions-masked-csv | csv | en
"Positions for account Individual ...«d:3» as of «date:%I~%M %p ET, %m/%d/%Y»"
"Symbol","Description","Qty (Quantity)","Price","Mkt Val (Market Value)","Cost Basis"
"«tick»","«firm»","«n:4»","«dec:3:2»","$«cmoney»","$«cmoney»"
=== fifth-crypto-trades-csv | csv | en
Timestamp,Transaction Type,Asset,Quantity Transacted,Spot Price,Subtotal,Tx Hash
«date:%Y-%m-%dT%H~%M~%SZ»,Buy,BTC,0.«d:8»,«dec:5:2»,«dec:4:2»,
«date:%Y-%m-%dT%H~%M~%SZ»,Send,ETH,«dec:1:18»,«dec:4:2»,«dec:4:2»,0x«hexa:64»
=== fifth-payout-report-csv | csv | en
payout_id,automatic_payout_effective_at,balance_transaction_id,gross,fee,net,reporting_category,card_brand,card_last4
po_1«b58:23»,«date:%Y-%m-%d %H~%M~%S»,txn_3«b58:23»,«dec:3:2»,«dec:1:2»,«dec:3:2»,charge,visa,«d:4»
=== fifth-bond-list-tsv | csv | en
ISIN«tab»CUSIP«tab»FIGI«tab»Coupon«tab»Maturity«tab»Amount Issued«tab»Ask Yield
«isin»«tab»«cusip»«tab»«figi»«tab»«dec:1:3»«tab»«date:%m/%d/%Y»«tab»«n:10»«tab»«dec:1:3»
«isin»«tab»«cusip»«tab»«figi»«tab»«dec:1:3»«tab»«date:%m/%d/%Y»«tab»«abalike»«tab»«dec:1:3»
=== fifth-option-chain-csv | csv | en
contractSymbol,lastTradeDate,strike,lastPrice,bid,ask,volume,openInterest,impliedVolatility
AAPL«date:%y%m%d»C00«n:3»000,«date:%Y-%m-%d %H~%M~%S»+00:00,«n:3».0,«dec:1:2»,«dec:1:2»,«dec:1:2»,«n:5»,«n:6»,0.«d:16»
=== fifth-fred-csv | csv | en
observation_date,TOTRESNS,CCLACBW027SBOG
«date:%Y-%m-01»,«dec:4:1»,«dec:3:4»
«date:%Y-%m-01»,«dec:4:1»,«dec:3:4»
=== fifth-shop-orders-csv | csv | en
Name,Financial Status,Paid at,Total,Payment Method,Payment Reference,Id,Shipping Phone
#«n:4»,paid,«date:%Y-%m-%d %H~%M~%S -0500»,«dec:2:2»,Shopify Payments,c«n:14».1,«n:13»,«phone»
=== fifth-quote-json | json | en
{"symbol":"«tick»","regularMarketPrice":«dec:3:2»,"marketCap":«n:13»,"regularMarketVolume":«ssnlike»,"averageDailyVolume3Month":«abalike»,"sharesOutstanding":«n:11»,"regularMarketTime":«epoch:s»,"firstTradeDateMilliseconds":«epoch:ms»,"gmtOffSetMilliseconds":-18000000}
=== fifth-aggs-json | json | en
{"ticker":"«tick»","queryCount":2,"resultsCount":2,"adjusted":true,"results":[{"v":«ssnlike»,"vw":«dec:3:4»,"o":«dec:3:2»,"c":«dec:3:2»,"t":«epoch:ms»,"n":«n:6»},{"v":«dec:8:6»,"vw":«dec:3:4»,"o":«dec:3:2»,"c":«dec:3:2»,"t":«epoch:ms»,"n":«n:6»}],"status":"OK","request_id":"«hexa:32»","count":2}
=== fifth-alphavantage-daily | json | en
{"Meta Data":{"1. Information":"Daily Prices (open, high, low, close) and Volumes","2. Symbol":"«tick»","3. Last Refreshed":"«date:%Y-%m-%d»"},"Time Series (Daily)":{"«date:%Y-%m-%d»":{"1. open":"«dec:3:4»","4. close":"«dec:3:4»","5. volume":"«ssnlike»"}}}
=== fifth-overview-json | json | en
{"Symbol":"«tick»","CIK":"«n:6»","Exchange":"NYSE","MarketCapitalization":"«n:12»","EBITDA":"«n:11»","RevenueTTM":"«n:12»","GrossProfitTTM":"«abalike»","SharesOutstanding":"«ssnlike»","52WeekHigh":"«dec:3:2»","LatestQuarter":"«date:%Y-%m-%d»"}
=== fifth-companyfacts-json | json | en
{"cik":«n:7»,"entityName":"«firm»","facts":{"us-gaap":{"AccountsReceivableNetCurrent":{"label":"Accounts Receivable, after Allowance for Credit Loss, Current","units":{"USD":[{"end":"«date:%Y-%m-%d»","val":«n:11»,"accn":"«accession»","fy":2024,"fp":"FY","form":"10-K","filed":"«date:%Y-%m-%d»"},{"end":"«date:%Y-%m-%d»","val":«abalike»,"accn":"«accession»","fy":2023,"fp":"FY","form":"10-K"}]}}}}}
=== fifth-submissions-json | json | en
{"cik":"«cik»","sic":"«n:4»","name":"«firm»","ein":"«n:9»","lei":"«lei»","phone":"«phone»","filings":{"recent":{"accessionNumber":["«accession»"],"fileNumber":["001-«d:5»"],"filmNumber":["«n:9»"],"acceptanceDateTime":["«date:%Y-%m-%dT%H~%M~%S.000Z»"],"size":[«n:8»]}}}
=== fifth-coin-market-json | json | en
[{"id":"shiba-inu","current_price":«sci»,"market_cap":«n:10»,"total_volume":«ssnlike»,"circulating_supply":589«d:12».«d:4»,"total_supply":589«d:12».«d:3»,"max_supply":null,"ath_change_percentage":-«dec:2:5»,"last_updated":"«date:%Y-%m-%dT%H~%M~%S.%fZ»"}]
=== fifth-klines-json | json | en
[[«epoch:ms»,"«dec:5:8»","«dec:5:8»","«dec:5:8»","«dec:5:8»","«dec:4:8»",«epoch:ms»,"«dec:9:8»",«n:6»,"«dec:4:8»","«dec:9:8»","0"]]
=== fifth-exchange-fill-json | json | en
{"symbol":"BTCUSDT","orderId":«n:11»,"tradeId":«n:10»,"clientOrderId":"x-«b58:22»","transactTime":«epoch:ms»,"price":"«dec:5:2»","origQty":"0.«d:8»","cummulativeQuoteQty":"«dec:4:8»","commissionAsset":"BNB","timeInForce":"GTC"}
=== fifth-eth-tx-json | json | en
{"blockNumber":"«n:8»","timeStamp":"«epoch:s»","hash":"0x«hexa:64»","from":"0x«hexa:40»","to":"0x«hexa:40»","value":"«cardlike:mc»","gas":"21000","gasPrice":"«n:11»","tokenSymbol":"USDC","tokenDecimal":"6","confirmations":"«n:7»"}
=== fifth-broker-order-json | json | en
{"id":"«uuid»","client_order_id":"«uuid»","asset_id":"«uuid»","symbol":"«tick»","qty":"«n:3»","filled_qty":"«n:3»","filled_avg_price":"«dec:3:2»","order_type":"limit","limit_price":"«dec:3:2»","submitted_at":"«date:%Y-%m-%dT%H~%M~%S.%fZ»","next_page_token":"«b64:40»"}
=== fifth-charge-object-json | json | en
{"id":"ch_3«b58:23»","object":"charge","amount":«n:5»,"balance_transaction":"txn_3«b58:23»","created":«epoch:s»,"payment_method_details":{"card":{"brand":"mastercard","checks":{"cvc_check":"pass"},"exp_month":8,"exp_year":2027,"fingerprint":"«b58:16»","last4":"«d:4»","network":"mastercard"},"type":"card"},"receipt_number":"«n:4»-«n:4»","statement_descriptor":null}
=== fifth-plaid-transactions | json | en
{"transactions":[{"account_id":"«b58:37»","amount":«dec:2:2»,"category_id":"«n:8»","date":"«date:%Y-%m-%d»","merchant_name":"Quay Coffee","payment_meta":{"reference_number":null,"ppd_id":null},"pending":false,"personal_finance_category":{"primary":"FOOD_AND_DRINK"},"transaction_id":"«b58:37»"}],"total_transactions":«n:3»}
=== fifth-gleif-openfigi | json | en
[{"data":[{"figi":"«figi»","name":"«firm»","ticker":"«tick»","exchCode":"US","compositeFIGI":"«figi»","securityType":"Common Stock","shareClassFIGI":"«figi»"}],"lei":"«lei»","isin":"«isin»","bic":"«bic»"}]
=== fifth-llm-usage-json | json | en
{"id":"msg_01«b58:22»","model":"claude-sonnet-4-5","usage":{"input_tokens":«n:6»,"cache_creation_input_tokens":«n:9»,"cache_read_input_tokens":«n:10»,"output_tokens":«n:4»},"stop_reason":"end_turn"}
=== fifth-qbo-invoice-json | json | en
{"Invoice":{"Id":"«n:5»","DocNumber":"«n:7»","SyncToken":"«d:1»","TxnDate":"«date:%Y-%m-%d»","TotalAmt":«dec:5:2»,"CustomerRef":{"value":"«n:4»","name":"«firm»"},"DepositToAccountRef":{"value":"35","name":"Checking"},"ARAccountRef":{"value":"84","name":"Accounts Receivable (A/R)"},"Balance":«n:9»}}
=== fifth-bank-balance-json | json | en
{"account":"Operating Checking (...«d:4»)","currency":"USD","balance":«abalike»,"available_balance":«ssnlike».00,"as_of":"«date:%Y-%m-%dT%H~%M~%SZ»","pending_ach_credits":«n:9»,"interest_accrued_ytd":«dec:5:8»}
=== fifth-news-json | json | en
{"id":«n:8»,"headline":"«firm» beats estimates as card spending rises","summary":"Purchase volume reached $«n:12» and deposits per account grew «pct».","datetime":«epoch:s»,"url":"https://news.example.com/a/«n:16»-earnings","image":"https://img.example.com/«hexa:32».jpg","related":"«tick»"}
=== fifth-json-schema | json | en
{"type":"object","title":"Payout v«n:3»","properties":{"account_number":{"type":"string","minLength":4,"maxLength":17,"description":"The account number at the bank"},"routing_number":{"type":"string","pattern":"^[0-9]{9}$"},"amount":{"type":"integer","maximum":«n:11»}},"required":["account_number","routing_number"]}
=== fifth-tool-error-json | json | en
{"ok":false,"error":{"code":"INVALID_API_KEY","message":"The API key is missing or invalid. Set FINNHUB_API_KEY and retry.","request_id":"req_«b58:24»","status":401,"retry_after_ms":«n:5»,"at":"«date:%Y-%m-%dT%H~%M~%SZ»"}}
=== fifth-portfolio-tool-json | json | en
{"as_of":"«date:%Y-%m-%d»","net_worth":«abalike»,"positions":[{"symbol":"BTC","qty":0.«d:8»,"cost":«dec:5:2»,"market_value":«dec:5:2»},{"symbol":"«tick»","qty":«n:4»,"market_value":«n:9»}],"beta":«small:16»,"sharpe":«small:15»,"volatility":«sci»}
=== fifth-10k-liquidity | prose | en
As of December 31, 2024 we had cash of $«n:9» and availability of $«grp:9» under our credit facility. Accounts receivable were $«grp:9», and «ssnlike» shares of common stock were outstanding. See Note «between:2:20», File No. 001-«d:5».
=== fifth-10k-cover | prose | en
Commission file number 001-«d:5»   I.R.S. Employer Identification No. «d:2»-«d:7»   Registrant's telephone number «phone»
Number of shares outstanding as of «date:%B %d, %Y»: «ssnlike»   Central Index Key «cik»
=== fifth-earnings-news | prose | en
«firm» («tick») posted revenue of $«dec:2:1» billion, up «pct» from a year ago. Card volume was $«n:12», with «n:9» active accounts. Shares traded at $«dec:3:2» on volume of «n:9».
=== fifth-ir-press-contact | prose | en
The webcast replay is available until «date:%B %d, %Y» at «phone», conference ID «n:8». Investor contact: «name», ir@example.com.
=== fifth-wire-news-rates | prose | en
The won traded at «dec:4:2» per dollar. Foreign reserves stood at $«n:12»; the 10-year yield was «dec:1:3»% and Brent $«dec:2:2». Turnover on the KOSPI was «n:14» won.
=== fifth-order-status-email | prose | en
Your order #«n:10» has shipped! Tracking number: 9400«d:18». Total charged to Visa ending in «d:4»: $«dec:2:2». Questions? Call «phone» and mention case «n:8».
=== fifth-receipt-text | prose | en
QUAY COFFEE  Store «n:4»  Reg 02  «date:%m/%d/%Y %H~%M»
VISA ************«d:4»  APPROVED  AUTH «d:6»  REF «d:12»  AID A0000000031010  TVR 0000008000
TOTAL $«dec:2:2»
=== fifth-crm-note-plain | prose | en
«date:%Y-%m-%d» «name» asked which account type suits a rollover and how the routing of wires works. Holds «n:5» shares «tick», portfolio about $«grp:7». Opportunity 006«b58:15», next call «date:%m/%d %H~%M», tel «phone».
=== fifth-support-macro | prose | en
Ticket #«n:7»: please never send your full card number, SSN or password by e-mail. To verify you we only need the last four digits (for instance «d:4») and the ZIP «d:5». Reference «date:%Y%m%d»-«n:6».
=== fifth-invoice-plain | prose | en
Invoice No. «n:10»   PO No. 45«d:8»   Customer No. «n:8»   Date «date:%m/%d/%Y»
Qty «n:4»  Item «n:6»-«n:3»  Unit price «dec:3:2»  Line total $«cmoney»
Pay by check to «firm», EIN «d:2»-«d:7». Terms Net 30.
=== fifth-vat-invoice | prose | en
«firm» GmbH, HRB «n:6», USt-IdNr. DE«n:9», Steuernummer «n:2»/«n:3»/«n:5», D-U-N-S «n:2»-«n:3»-«n:4». Rechnungsnummer «n:10», Lieferschein «n:9», Gesamtbetrag «n:4»,«d:2» EUR.
=== fifth-slack-trading-chat | prose | en
dana: filled «n:5» «tick» @ «dec:3:2», order «n:9»
marcus: nice, P&L today +«grp:6». The account is flat now, right?
dana: yes. vol was «ssnlike» shares, vwap «dec:3:4», ts «epoch:ms»
=== fifth-analyst-email | prose | en
Hi «name», the model now uses $«n:10» of 2025 revenue and «n:9» diluted shares, so the target moves to $«n:3». EV/EBITDA falls from «dec:2:1»x to «dec:2:1»x. Dial-in «phone», conference ID «n:7».
=== fifth-market-cap-krw | prose | en
Samsung's market capitalisation reached KRW «cardlike:amex», while foreigners sold «n:12» won of shares; SK hynix stood at «n:15» won.
=== fifth-token-news | prose | en
The protocol burned «cardlike:visa» tokens on «date:%B %d» in transaction 0x«hexa:64»; supply is now «n:15» and the price is $«small:8».
=== fifth-pdf-fund-factsheet | prose | en
Fund facts   NAV USD «dec:2:4»   Net assets «grp:10»   ISIN «isin»   SEDOL «sedol»   Bloomberg NWEQUSD LX
Inception «date:%d/%m/%Y»   Minimum investment «grp:5»   Registration No. B «n:6»   Ongoing charge 0.«d:2»%
=== fifth-pdf-balance-sheet | prose | en
(in thousands)                          2024            2023
Cash and due from banks          «abalike»       «ssnlike»
Card receivables, net            «ssnlike»       «ssnlike»
Customer deposits            «n:10»      «n:10»
=== fifth-deposit-agreement-fee | prose | en
Schedule of fees «date:%m/%y»: outgoing wire $«n:2».00, stop payment $«n:2», card replacement $«d:1».00. Daily ATM limit $«n:4»; accounts under $«n:5» pay $«n:2» monthly. Member FDIC, NMLS ID «n:6».
=== fifth-confirm-no-account | prose | en
Order confirmation «n:9»: BUY «n:3» «tick» LIMIT «dec:3:2» DAY. Time «date:%Y-%m-%d %H~%M~%S ET». Execution ID 0000«hexa:4».«hexa:8».01.01, exchange ARCA, commission «dec:1:4».
=== fifth-filing-index-md | md | en
| Form | Filed | Accession | File no. | Film no. |
|---|---|---|---|---|
| 10-Q | «date:%Y-%m-%d» | «accession» | 001-«d:5» | «n:9» |
| 8-K | «date:%Y-%m-%d» | «accession» | 001-«d:5» | «n:8» |
=== fifth-readme-env-md | md | en
| Variable | Default | Meaning |
|---|---|---|
| `OPENAI_API_KEY` | – | your key, e.g. `sk-...` |
| `DB_PASSWORD` | – | password of the ledger database |
| `MAX_ROWS` | «n:9» | rows read from one account at most |
=== fifth-changelog-md | md | en
## 2.«n:2».0 - «date:%Y-%m-%d»
- Password reset now expires after «n:4» s (#«n:5»)
- Fix token refresh with IBAN accounts, see «hexa:40»
=== fifth-xbrl-inline | html | en
<td>Deposits</td><td><ix:nonFraction unitRef="usd" contextRef="c-«n:3»" decimals="-3" name="us-gaap:InterestBearingDepositLiabilities" scale="3" id="f-«n:4»">«grp:9»</ix:nonFraction></td>
=== fifth-13f-xml | html | en
<infoTable><nameOfIssuer>«firm»</nameOfIssuer><cusip>«cusip»</cusip><figi>«figi»</figi><value>«n:10»</value><shrsOrPrnAmt><sshPrnamt>«ssnlike»</sshPrnamt><sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt></infoTable>
=== fifth-html-login-form | html | en
<form action="/login?next=%2Faccounts&v=«n:10»"><label>Account number <input name="account_number" maxlength="12"></label><label>Password <input type="password" name="password" autocomplete="current-password"></label></form>
=== fifth-quote-html | html | en
<fin-streamer data-symbol="«tick»" data-field="regularMarketVolume" data-value="«ssnlike»">«grp:9»</fin-streamer><span title="Market cap" data-ts="«epoch:ms»">«dec:3:2»B</span>
=== fifth-access-log | log | en
«ip» - - [«date:%d/%b/%Y~%H~%M~%S +0000»] "GET /v1/accounts/«uuid»/transactions?limit=500&cursor=«b58:24» HTTP/1.1" 200 «n:9» «n:6»
=== fifth-rate-limit-log | log | en
«date:%Y-%m-%d %H~%M~%S,123» WARNING polygon: 429 Too Many Requests (x-request-id «hexa:32», reset «epoch:s»), waiting «dec:2:3» s; token bucket «n:9»
=== fifth-pydantic-error | log | en
pydantic_core._pydantic_core.ValidationError: 2 validation errors for Payee
account_number
  Field required [type=missing, input_value={'name': 'Northwind', 'amount': «ssnlike»}, input_type=dict]
routing_number
  String should match pattern '^[0-9]{9}$' [type=string_pattern_mismatch]
=== fifth-key-error-trace | log | en
  File "/app/src/recon.py", line «n:3», in match
    rows = by_account[row["account_number"]]
KeyError: 'account_number' (row «n:7», pid «n:5», at 0x7f«hexa:10»)
=== fifth-auth-fail-log | log | en
«date:%Y-%m-%dT%H~%M~%SZ» ERROR psycopg2.OperationalError: FATAL: password authentication failed for user "ledger" (host «ip», port 5432, attempt «n:5»)
=== fifth-job-log | log | en
INFO import done file=stmt_«date:%Y%m%d».csv rows=«n:9» bytes=«n:10» accounts=«n:7» cards=«n:6» took_ns=«n:12» sha256=«hexa:64»
=== fifth-git-log | log | en
commit «hexa:40»
Date:   «date:%a %b %d %H~%M~%S %Y» +0900

    Rename acct_no to account_number, drop card_number column (#«n:4»)
=== fifth-help-text | log | en
usage: finclaw pay [-h] [--account ACCOUNT] [--api-key KEY] [--password-stdin] [--limit N] amount
  --account ACCOUNT   account number or nickname (default: first account)
  --api-key KEY       API key; read from $PAY_API_KEY when not given
  --limit N           largest amount in cents (default: «n:9»)
=== fifth-env-example | kv | en
# copy to .env
OPENAI_API_KEY=your-api-key-here
DB_PASSWORD=${DB_PASSWORD}
SECRET_KEY=<generate one>
MAX_ORDER_NOTIONAL=«n:9»
=== fifth-ci-yaml | yaml | en
env: {API_TOKEN: "${{ secrets.API_TOKEN }}", RUN_ID: «n:11»}
steps:
  - uses: actions/checkout@«hexa:40»
=== fifth-mapping-yaml | yaml | en
columns:
  account_number: Acct No
  card_number: Card
  password_field: null
limits: {max_amount: «n:10», min_volume: «ssnlike», since: «date:%Y-%m-%d»}
=== fifth-api-doc-text | prose | en
Parameters: account_number (string, required): 8 to 12 digits. api_key (string): pass it in the X-API-Key header. token_ttl (integer): seconds, at most «n:9». from, to: epoch milliseconds such as «epoch:ms».
=== fifth-sql-ddl | sql | en
CREATE TABLE accounts (account_number VARCHAR(34) NOT NULL, routing_number CHAR(9), ssn_hash BYTEA, balance NUMERIC(18,2) DEFAULT 0);
SELECT account_type, SUM(balance) FROM accounts WHERE balance > «n:10» AND created_at < '«date:%Y-%m-%d»' GROUP BY 1;
=== fifth-code-env | code | en
api_key = os.environ["ALPACA_API_KEY"]
password = getpass.getpass("Password: ")
ACCOUNT_RE = re.compile(r"\b\d{8,12}\b")
MAX_INT, START_MS = 9007199254740991, «epoch:ms»
=== fifth-code-dataframe | code | en
>>> df[["account", "volume"]].describe()
count    «n:6».000000
mean     «dec:9:6»
max      «ssnlike».000000
Name: volume, dtype: float64  # «date:%Y-%m-%d»
=== fifth-ko-price-csv | csv | ko
일자,종가,대비,등락률,시가,거래량,거래대금,시가총액,상장주식수
«date:%Y/%m/%d»,«n:5»,-«n:3»,-«dec:1:2»,«n:5»,«n:8»,«n:12»,«cardlike:amex»,«n:10»
«date:%Y/%m/%d»,«n:5»,«n:3»,«dec:1:2»,«n:5»,«n:8»,«n:12»,«n:15»,«n:10»
=== fifth-ko-card-history-csv | csv | ko
이용일자,카드명,이용가맹점,이용금액,승인번호,가맹점사업자번호
«date:%Y.%m.%d»,본인 *«d:3»,한빛마트,"«grp:5»",«d:8»,«biz_reg»
«date:%Y.%m.%d»,본인 *«d:3»,새론서점,"«grp:5»",«d:8»,«biz_reg»
=== fifth-ko-ledger-csv | csv | ko
전표번호,일자,계정과목코드,계정과목,차변,대변,적요
«date:%Y%m%d»«d:5»,«date:%Y-%m-%d»,10300,보통예금,«n:9»,0,«kfirm» 입금
«date:%Y%m%d»«d:5»,«date:%Y-%m-%d»,25300,미지급금,0,«n:9»,카드대금
=== fifth-ko-dart-json | json | ko
{"status":"000","message":"정상","list":[{"corp_code":"00«n:6»","corp_name":"«kfirm»","stock_code":"«krcode»","jurir_no":"«corp_reg»","bizr_no":"«biz_reg»","rcept_no":"«date:%Y%m%d»«d:6»","account_nm":"현금및현금성자산","account_id":"ifrs-full_CashAndCashEquivalents","thstrm_amount":"«n:14»","frmtrm_amount":"«n:13»"}]}
=== fifth-ko-kis-quote-json | json | ko
{"rt_cd":"0","msg1":"정상처리 되었습니다.","output":{"stck_shrn_iscd":"«krcode»","stck_prpr":"«n:5»","acml_vol":"«n:8»","acml_tr_pbmn":"«n:13»","lstn_stcn":"«n:10»","hts_avls":"«n:7»","w52_hgpr_date":"«date:%Y%m%d»"}}
=== fifth-ko-payment-json | json | ko
{"orderId":"«date:%Y%m%d»«n:8»","orderName":"원두 1kg 외 2건","method":"카드","card":{"issuerCode":"11","number":"«n:4»«n:2»******«d:3»*","approveNo":"«d:8»","installmentPlanMonths":0},"totalAmount":«n:5»,"approvedAt":"«date:%Y-%m-%dT%H~%M~%S»+09:00"}
=== fifth-ko-earnings-news | prose | ko
«kfirm»(«krcode»)는 «date:%d일» 연결 기준 영업이익이 «hangul_money»으로 전년 동기 대비 «pct» 늘었다고 공시했다. 매출은 «n:13»원, 거래량은 «n:8»주였다.
=== fifth-ko-bank-news | prose | ko
은행권 요구불예금 계좌 잔액이 «hangul_money»으로 집계됐다. 신용카드 승인액은 «cardlike:amex»원, 비밀번호 오류로 잠긴 계좌는 «grp:6»개였다.
=== fifth-ko-disclosure | prose | ko
접수번호 «date:%Y%m%d»«d:6» | «kfirm» | 법인등록번호 «corp_reg» | 사업자등록번호 «biz_reg» | 발행주식총수 «grp:9»주 | 대표전화 «krphone»
=== fifth-ko-delivery-sms | prose | ko
[«kfirm»] 주문번호 «date:%Y%m%d»«n:7» 상품이 발송되었습니다. 운송장번호 «n:4»-«n:4»-«n:4», 문의 «krphone»
=== fifth-ko-card-sms | prose | ko
[Web발신] 한빛카드(«d:4») 승인 «kname»님 «grp:6»원 일시불 «date:%m/%d %H~%M» 새론마트 누적 «grp:7»원
=== fifth-ko-counsel-note | prose | ko
«date:%Y-%m-%d» 상담: 계좌 개설 절차와 카드 한도 문의. 주민등록번호, 계좌번호, 비밀번호는 채팅으로 받지 않는다고 안내함. 접수번호 «n:10», 연락처 «krphone»
=== fifth-ko-tax-invoice | prose | ko
전자세금계산서 승인번호 «date:%Y%m%d»-«n:8»-«n:8»  공급자 «kfirm» «biz_reg»  공급가액 «grp:8»  세액 «grp:7»  작성일 «date:%Y/%m/%d»
=== fifth-ko-statement-masked | kv | ko
예금주: «kname»
계좌번호: 110-***-***«d:3»
현재잔액: «n:10»원
출금가능금액: «grp:9»원
조회일시: «date:%Y-%m-%d %H~%M~%S»
=== fifth-ko-error-log | log | ko
«date:%Y-%m-%d %H~%M~%S» ERROR [주문] 종목 «krcode» 수량 «n:4» 주문번호 «n:10» 거부: 계좌 비밀번호 오류 횟수 초과 (코드 APBK«d:4», tr_id TTTC0802U, «epoch:ms»)
=== fifth-ko-holdings-md | md | ko
| 종목 | 코드 | 수량 | 평가금액 | 수익률 |
|---|---|--:|--:|--:|
| «kfirm» | «krcode» | «n:4» | «n:9» | «pct» |
| «kfirm» | «krcode» | «n:3» | «grp:8» | «pct» |
=== fifth-ko-api-doc | md | ko
| 항목 | 타입 | 설명 |
|---|---|---|
| CANO | String(8) | 종합계좌번호 앞 8자리 |
| appkey | String(36) | 발급받은 앱키 |
| tot_evlu_amt | String | 총평가금액, 예: «n:9» |
=== fifth-ko-crypto-json | json | ko
{"market":"KRW-BTC","korean_name":"비트코인","timestamp":«epoch:ms»,"acc_trade_price_24h":«dec:12:8»,"acc_trade_volume_24h":«dec:4:8»,"trade_price":«n:9».0,"trade_time":"«date:%H%M%S»"}
=== fifth-ko-mail-meeting | prose | ko
«kname»님, 회의는 «date:%m월 %d일 %H시»입니다. Zoom 회의 ID «n:3» «n:4» «n:4», 예산은 «n:9»원, 결재문서 번호는 FIN-«date:%Y»-«n:6»입니다.
=== fifth-ko-stock-report | prose | ko
목표주가 «grp:6»원 유지. 25년 예상 순이익 «n:12»원, 발행주식 «n:9»주 기준 EPS «grp:5»원. ISIN KR7«krcode»00«d:1», 외국인 순매수 «n:11»원.
=== fifth-ko-fx-kv | kv | ko
기준일: «date:%Y-%m-%d»  매매기준율: «dec:4:2»  현찰 살 때: «dec:4:2»  송금 보낼 때: «dec:4:2»  고시회차: «n:3»
=== fifth-ko-job-log | log | ko
«date:%H~%M~%S» INFO 거래내역 수집 완료: 계좌 «n:1»개, 카드 «n:1»장, 거래 «n:8»건, 합계 «n:12»원, 작업번호 «uuid»
=== fifth-ko-code-columns | code | ko
df = df.rename(columns={"계좌번호": "account_no", "카드번호": "card_no", "거래금액": "amount"})  # 최대 «n:10»원
=== fifth-ko-tool-error | json | ko
{"error_code":"EGW00123","error_description":"기간이 만료된 token 입니다.","path":"/uapi/domestic-stock/v1/trading/inquire-balance","timestamp":«epoch:ms»,"trace":"«hexa:32»"}
"""
