"""The fourth set: templates of which nothing may change, by somebody who had seen no rule."""

TEXTS = r"""
=== fourth-dts-json | json | en
{"data":[{"record_date":"«date:%Y-%m-%d»","account_type":"Treasury General Account (TGA) Closing Balance","close_today_bal":"«n:6»","open_month_bal":"«n:6»","src_line_nbr":"«between:1:9»"}],"meta":{"count":1,"total-count":«n:6»}}
=== fourth-auction-csv | csv | en
cusip,security_type,auction_date,offering_amt,total_tendered,total_accepted,bid_to_cover_ratio
«cusip»,Note,«date:%Y-%m-%d»,«n:11»,«n:12»,«cardlike:visa»,«dec:1:2»
=== fourth-call-report | kv | en
RCON2200  Total deposits (domestic offices)                    «ssnlike»
RCONB549  Savings deposits: accounts other than MMDAs          «abalike»
RIADK129  Bank card and credit card interchange fees           «n:7»
=== fourth-y9c-pipe | csv | en
RSSD9001|RSSD9999|BHCK2170|BHCK3210|BHDM6631|BHCKB538
«n:7»|«date:%Y%m%d»|«ssnlike»|«n:9»|«abalike»|«n:8»
=== fourth-nport-xml | html | en
<invstOrSec><name>«firm»</name><lei>«lei»</lei><cusip>000000000</cusip><identifiers><isin value="«isin»"/></identifiers><balance>«ssnlike».00000000</balance><units>NS</units><valUSD>«dec:9:8»</valUSD></invstOrSec>
=== fourth-xbrl-frame-csv | csv | en
accn,cik,entityName,loc,end,val
«accession»,«n:7»,"«firm»",US-DE,«date:%Y-%m-%d»,«cardlike:mc»
=== fourth-xbrl-dei | html | en
<dei:EntityTaxIdentificationNumber contextRef="c-1">«d:2»-«d:7»</dei:EntityTaxIdentificationNumber><dei:LocalPhoneNumber contextRef="c-1">555-01«d:2»</dei:LocalPhoneNumber><dei:EntityCommonStockSharesOutstanding contextRef="c-2" decimals="INF">«ssnlike»</dei:EntityCommonStockSharesOutstanding>
=== fourth-fs-json | json | en
{"calendarYear":"2024","accountPayables":«n:11»,"netReceivables":«abalike»,"cashAndShortTermInvestments":«cardlike:visa»,"fillingDate":"«date:%Y-%m-%d»","finalLink":"https://www.sec.gov/Archives/edgar/data/«n:7»/000«n:15»/a.htm"}
=== fourth-mdna | prose | en
Average checking and savings balances rose to $«n:11» from $«n:11»; credit card loans were «cardlike_grouped:visa» won and the allowance covered «pct» of them. We closed «between:10:99» branches and «n:6» dormant accounts.
=== fourth-risk-factor | prose | en
We process names, Social Security numbers, bank account and routing numbers and payment card data of about «ssnlike» individuals; PCI DSS fines may reach $«n:6» per month (see Note «between:2:20», Commission File No. 001-«d:5»).
=== fourth-s1-exhibit | kv | en
Registration No. 333-«d:6»            CIK «cik»            SIC «n:4»
4.1   Indenture, dated «date:%B %d, %Y» (File No. 001-«d:5», Film No. «n:8»)
10.7  Deposit Account Control Agreement (filed «date:%m/%d/%Y», accession «accession»)
=== fourth-proxy-votes | md | en
| Nominee | For | Withheld | Broker non-votes |
|---|--:|--:|--:|
| «name» | «ssnlike» | «n:8» | «abalike» |
=== fourth-transfer-agent-news | prose | en
«firm» will mail checks of $«dec:1:4» a share to holders of record; CUSIP «cusip», ISIN «isin», payable «date:%B %d», «ssnlike» shares eligible, about $«n:9» in total.
=== fourth-wire-breach-court | prose | en
The suit (No. 1:24-cv-«d:5») says the bank wired $«grp:8» to a wrong account in «date:%B»; the routing took «n:3» minutes, and «n:6» customers got letters. Docket entry «n:4», damages KRW «cardlike:amex».
=== fourth-fintech-earnings | prose | en
Cash App actives were «n:8», of which «n:8» hold the card; gross payment volume came to $«cardlike:visa» and inflows per account to $«n:4».
=== fourth-ecb-csv | csv | en
KEY,FREQ,TIME_PERIOD,OBS_VALUE,UNIT
PSS.Q.F000.N.CP0.Z00Z.1.Z.,Q,«date:%Y-Q1»,«ssnlike»,PURE_NUMB (card payments)
BSI.M.U2.N.A.L20.A.1.U2.2300.Z01.E,M,«date:%Y-%m»,«dec:7:6»,EUR (deposits)
=== fourth-bok-json | json | ko
{"StatisticSearch":{"list_total_count":«n:3»,"row":[{"STAT_CODE":"«n:3»Y«d:3»","ITEM_NAME1":"신용카드 일평균 이용금액","UNIT_NAME":"백만원","TIME":"«date:%Y%m»","DATA_VALUE":"«n:7»"}]}}
=== fourth-quote-info-repr | code | en
{'impliedSharesOutstanding': «n:11», 'governanceEpochDate': «epoch:s», 'firstTradeDateMilliseconds': «epoch:ms», 'enterpriseValue': «cardlike:mc», 'phone': '«phone»', 'zip': '«d:5»-«d:4»', 'messageBoardId': 'finmb_«n:6»'}
=== fourth-upbit-ticks | json | en
[{"market":"KRW-BTC","trade_timestamp":«epoch:ms»,"acc_trade_price_24h":«dec:12:8»,"sequential_id":«n:17»,"ask_bid":"BID"},{"market":"KRW-ETH","trade_timestamp":«epoch:ms»,"acc_trade_price_24h":«n:15».0,"sequential_id":«n:17»,"ask_bid":"ASK"}]
=== fourth-wallet-balances | json | en
{"makerCommission":10,"accountType":"SPOT","updateTime":«epoch:ms»,"uid":«n:9»,"balances":[{"asset":"SHIB","free":"«n:16».00","locked":"0.00"},{"asset":"BTC","free":"0.«d:8»","locked":"0.00"}]}
=== fourth-explorer-json | json | en
{"status":"1","message":"OK","result":[{"account":"0x«hexa:40»","balance":"«n:20»"},{"account":"0x«hexa:40»","balance":"«cardlike:visa»"}]}
=== fourth-payment-processor-object | json | en
{"id":"pi_3«b58:23»","object":"payment_intent","amount":«n:6»,"created":«epoch:s»,"latest_charge":"ch_3«b58:23»","payment_method_details":{"card":{"brand":"visa","last4":"«d:4»","exp_year":20«between:27:31»,"network_transaction_id":"«n:15»"}}}
=== fourth-balance-txn-csv | csv | en
id,Type,Source,Amount,Fee,Net,Card Brand,Card Last4,Created (UTC)
txn_3«b58:23»,charge,ch_3«b58:23»,«dec:3:2»,«dec:1:2»,«dec:3:2»,Visa,«d:4»,«date:%Y-%m-%d %H~%M»
=== fourth-amex-export | csv | en
Date,Receipt,Description,Card Member,Account #,Amount,Reference
«date:%m/%d/%Y»,,QUAY HOTEL SEOUL,HUGO FERREIRA,-«d:5»,«dec:3:2»,'32025«d:13»'
=== fourth-checking-export | csv | en
Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
DEBIT,«date:%m/%d/%Y»,"Online Transfer to SAV ...«d:4» transaction#: «n:11» «date:%m/%d»",-«dec:3:2»,ACCT_XFER,«dec:4:2»,
CREDIT,«date:%m/%d/%Y»,"NORTHWIND ENERGY DIR DEP PPD ID: «n:10»",«dec:4:2»,ACH_CREDIT,«dec:4:2»,
=== fourth-statement-pdf-masked | kv | en
Checking Account ******«d:4»             Statement period «date:%m/%d/%Y» to «date:%m/%d/%Y»
«date:%m/%d»   ACH CREDIT NORTHWIND ENERGY PAYROLL «date:%y%m%d»        «dec:4:2»
«date:%m/%d»   CHECK «n:4»  IMAGE REF «n:15»                       -«dec:3:2»
=== fourth-estatement-mail | prose | en
Your statement for the account ending in «d:4» is ready. New balance $«cmoney», autopay on «date:%B %d». Questions? Call «phone» and quote message «n:10».
=== fourth-broker-1099-masked | kv | en
Account XXXX-«d:4»     Recipient's TIN: XXX-XX-«d:4»     Payer's TIN: «d:2»-«d:7»
«n:3».00000   «tick»   «date:%m/%d/%y»   «date:%m/%d/%y»   «dec:5:2»   «dec:5:2»   CUSIP «cusip»
=== fourth-fill-notice | prose | en
Order #«n:10» filled: bought «n:4» «tick» @ $«dec:3:4» in the Roth account, commission $0.00, execution «hexa:8».«hexa:8».01.01, perm id «n:10».
=== fourth-oms-csv | csv | en
perm_id,client_id,exec_id,symbol,cum_qty,avg_price,account_group,last_liquidity
«n:9»,«between:0:9»,0000«hexa:4».«hexa:8».01.01,«tick»,«ssnlike»,«dec:3:6»,family,2
=== fourth-dtcc-csv | csv | en
DISSEMINATION_ID,ORIGINAL_DISSEMINATION_ID,NOTIONAL_AMOUNT_1,EXECUTION_TIMESTAMP,UPI
«n:10»,«n:10»,"«grp:9»+",«date:%Y-%m-%dT%H~%M~%SZ»,QZ«b32:10»
=== fourth-trace-tape | kv | en
«cusip»  «date:%m/%d/%Y %H~%M~%S»  «n:6»  «dec:2:3»  «dec:1:4»  B  C  seq «d:7»
=== fourth-sap-lineitems | csv | en
G/L Account;DocumentNo;Pstng Date;Amount in LC;LCurr;Assignment;Clrng doc.
0000«n:6»;1900«d:6»;«date:%d.%m.%Y»;«grp:7:dot»,«d:2»;EUR;«date:%Y%m%d»;2000«d:6»
=== fourth-coa-json | json | en
{"Accounts":[{"AccountID":"«uuid»","Code":"«n:3»","Name":"Business Bank Account","Type":"BANK","BankAccountType":"BANK","UpdatedDateUTC":"/Date(«epoch:ms»+0000)/"},{"AccountID":"«uuid»","Code":"«n:4»","Name":"Company Credit Card","Type":"BANK"}]}
=== fourth-aging-md | md | en
| Customer no. | Invoice | Due | 1-30 | Over 90 |
|---|---|---|--:|--:|
| 10«d:8» | 90«d:8» | «date:%d-%b-%y» | «grp:9» | «cardlike_grouped:mc» |
=== fourth-utility-invoice | kv | en
Invoice number «n:12»     Meter «n:10»     Supply point (MPAN) 00 «d:3» «d:3» 12 «d:4» «d:4» «d:3»
Usage «n:5» kWh at «dec:2:3» p     VAT no. GB «d:3» «d:4» «d:2»     Total due £«cmoney»
=== fourth-travel-receipt | prose | en
E-ticket 180-«n:10», locator «b32:6», KE0«d:3» ICN-FRA on «date:%d %b», fare EUR «dec:4:2», charged to Visa xx«d:4», approval «d:6». Invoice «n:9».
=== fourth-po-mail | prose | en
Hello «name», PO 4500«d:6» line 10 is short by «n:4» pcs; packing slip «n:10», UPS 1Z«b32:6»03«d:8», commodity code «n:10». Credit note over $«dec:4:2» follows.
=== fourth-renewal-crm | kv | en
Opportunity: Renewal FY«between:25:29» («firm»)     Stage: Negotiation     ARR: $«n:7»
Account owner: «name»     Seats: «n:4»     Quote Q-«n:6»     Phone: «phone»
=== fourth-crm-activity-json | json | en
{"hs_object_id":"«n:11»","hs_createdate":"«epoch:ms»","hs_note_body":"<p>Talked about switching bank accounts and cards; AUM «n:9» USD, fee «dec:1:2»%.</p>","hubspot_owner_id":"«n:9»","portalId":«n:8»}
=== fourth-support-macro | prose | en
Thanks for writing in! For your safety never send us your full card number, SSN or password. We only need the last four digits («d:4»), the amount ($«dec:2:2») and the order id «n:10». Ticket «n:7».
=== fourth-faq-account | prose | en
Where do I find my account number? It is the 9- to 12-digit number at the top right of your statement; the routing number is printed left of it. Wires over $«grp:6» close at «date:%H~%M». Ref KB«d:7».
=== fourth-calendar-ics | kv | en
UID:«uuid»
SUMMARY:Bank account signatories - «firm»
DESCRIPTION:Dial «phone»\, PIN on request\, deck v«between:2:9»\, exposure USD «n:9»
=== fourth-slack-export | json | en
[{"type":"message","user":"U0«b32:9»","ts":"«epoch:s».«d:6»","client_msg_id":"«uuid»","text":"card volumes look off: «cardlike:visa» won vs «n:15» won, see row «n:6»","thread_ts":"«epoch:s».«d:6»","team":"T0«b32:9»"}]
=== fourth-yield-table-pdf | kv | en
Pool        Balance          Accounts     WAC      60+ dpd
Cards A     «cardlike:visa»  «ssnlike»    «dec:2:3»   «dec:1:2»
Cards B     «n:16»  «n:9»    «dec:2:3»   «dec:1:2»
=== fourth-api-doc-params | md | en
| Parameter | Type | Description |
|---|---|---|
| `account_number` | string, required | Number returned by `GET /accounts`, without dashes |
| `access_token` | header | `Authorization: Bearer <ACCESS_TOKEN>`; lives «n:4» s |
=== fourth-readme-quickstart | md | en
1. Get a free key at https://fred.stlouisfed.org/docs/api/api_key.html
2. `export FRED_API_KEY=<your key>` or put `api_key = "YOUR_API_KEY"` in `config.toml`
3. `finclaw series GDP --limit «n:5»` (rate limit: «n:3» calls a minute)
=== fourth-readme-secrets | md | en
Secrets never go on the command line: use `finclaw secrets set NAME`, which asks for the value. A password needs at least «between:12:20» characters; tokens are kept in the keyring, and `--token-stdin` reads one from a pipe (since build «n:6»).
=== fourth-changelog | md | en
## 0.«n:2».0 - «date:%Y-%m-%d»
- Fix: account numbers of «n:2» digits were cut in the statement view (#«n:4»)
- `password` and `api_key` settings are never printed («hexa:7», «hexa:7»)
=== fourth-doc-curl | code | en
curl -X POST https://api.example.com/v2/accounts/{account_id}/orders \
  -H "APCA-API-KEY-ID: $APCA_API_KEY_ID" -H "APCA-API-SECRET-KEY: $APCA_API_SECRET_KEY" \
  -d '{"symbol":"«tick»","qty":"«n:3»","limit_price":"«dec:3:2»"}'
=== fourth-pydantic-model | code | en
class Payee(BaseModel):
    account_number: str = Field(..., min_length=6, max_length=«between:12:17», description="digits only")
    api_token: SecretStr = SecretStr("")  # schema «n:10»
=== fourth-protobuf | code | en
message BankDetails { string account_number = 1; string routing_number = 2; string iban = 3; fixed64 limit_minor = 4; }
// CRC «n:10», reserved 1000 to «n:9»; sort_code moved to field «n:2»
=== fourth-ts-types | code | en
export interface Session { accessToken: string; refreshToken?: string; password: never; expiresAt: number /* e.g. «epoch:ms» */ }
export const LIMITS = { maxAccounts: «n:9», dailyCapMinor: «n:12», tokenBytes: «n:2» } as const;
=== fourth-graphql-sdl | code | en
type Client { ssn: String @deprecated(reason: "use taxIdLast4"), accountNumber: String @mask(keep: 4), cardNumber: String, netWorth: BigInt }
# schema hash «hexa:40», build «n:10»
=== fourth-sql-create | sql | en
CREATE TABLE accounts (account_id BIGINT PRIMARY KEY, account_number_enc BYTEA NOT NULL, ssn_hash CHAR(64), api_key_id UUID DEFAULT '«uuid»', balance NUMERIC(20,2) CHECK (balance < «n:14»));
CREATE INDEX CONCURRENTLY idx_accounts_«hexa:8» ON accounts (account_number_enc);
=== fourth-dbt-log | log | en
«date:%H~%M~%S»  «n:2» of «n:3» OK created sql table model finance.dim_bank_accounts ... [SUCCESS «ssnlike» in «dec:2:2»s]
«date:%H~%M~%S»  «n:2» of «n:3» PASS not_null_dim_cards_card_key ........... [PASS in 0.«d:2»s, query_id 01b«hexa:5»-«d:4»-«hexa:4»-0000-«hexa:12»]
=== fourth-bq-job | json | en
{"statistics":{"creationTime":"«epoch:ms»","totalBytesProcessed":"«cardlike:visa»","totalSlotMs":"«n:9»","query":{"totalBytesBilled":"«n:13»","estimatedBytesProcessed":"«cardlike:mc»","cacheHit":false}}}
=== fourth-kafka-lag | log | en
GROUP        TOPIC                 PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG
card-events  card.authorizations   «n:2»         «n:10»      «n:10»      «n:4»
ledger       account.postings      «n:1»          «ssnlike»       «ssnlike»       «n:3»
=== fourth-redis-info | kv | en
used_memory:«n:10»
total_net_input_bytes:«cardlike:visa»
keyspace_hits:«ssnlike»
requirepass:(not shown)
=== fourth-py-traceback-key | log | en
  File "/srv/app/feeds/client.py", line «n:3», in __init__
    api_key = settings["api_key"]
KeyError: 'api_key'
During handling of run «n:10» (pid «n:6», «epoch:ns»)
=== fourth-node-stack | log | en
TypeError: Cannot read properties of undefined (reading 'accountNumber')
    at maskAccount (/srv/app/dist/mask.js:«n:3»:«n:2»)
    at async Promise.all (index «n:3»)   heap «n:9», ts «epoch:ms»
=== fourth-tool-timeout | log | en
ToolError: edgar.search timed out after «n:5» ms (attempt 3/3, cik=«cik», accession=«accession», trace=«hexa:32»); no token was spent, budget left «n:7»
=== fourth-filtered-log | log | en
Started POST "/sessions" for «ip» at «date:%Y-%m-%d %H~%M~%S» +0000
  Parameters: {"email"=>"[FILTERED]", "password"=>"[FILTERED]", "ssn"=>"[FILTERED]", "form_id"=>"«n:10»"}
=== fourth-ci-masked | log | en
Run finclaw sync --account *** --since «date:%Y-%m-%d»
env: POLYGON_API_KEY: ***  DB_PASSWORD: ***  RUNNER_TRACKING_ID: github_«uuid»
cache hit for key: pip-«hexa:64» (size «n:9» B)
=== fourth-config-dump-masked | yaml | en
provider: {name: anthropic, api_key: "<hidden>", max_tokens: «n:5»}
broker: {account_number: "<hidden>", password: null, session_ttl: «n:5»}
cache: {key_prefix: bars, max_bytes: «n:11»}
=== fourth-compose-refs | yaml | en
environment:
  PGPASSWORD: ${PGPASSWORD:?set it in .env}
  KIS_APP_SECRET_FILE: /run/secrets/kis_app_secret
  MAX_BARS: "«n:9»"
=== fourth-i18n-properties | kv | en
form.accountNumber.label=Account number
form.accountNumber.error=Account number must have {0} to {1} digits (code «n:5»)
form.password.hint=At least «between:8:16» characters, one digit
=== fourth-form-schema | json | en
{"title":"Payee","required":["iban","accountNumber"],"properties":{"iban":{"type":"string","pattern":"^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$"},"password":{"type":"string","writeOnly":true,"minLength":12},"amount":{"maximum":«cardlike:visa»}}}
=== fourth-error-catalog | csv | en
code,http,field,message
«n:5»,422,account_number,Account number not found
«n:5»,422,routing_number,Routing number failed its checksum
=== fourth-cli-listing | kv | en
NAME              TYPE       LAST USED             CALLS
broker-token      secret     «date:%Y-%m-%d %H~%M»      «n:8»
fred-api-key      secret     never                 0
=== fourth-llm-trace | json | en
{"trace_id":"«hexa:32»","span_id":"«hexa:16»","attributes":{"gen_ai.usage.input_tokens":«n:6»,"gen_ai.usage.output_tokens":«n:5»,"cost.micro_usd":«n:7»},"start_unix_nano":«epoch:ns»,"end_unix_nano":"«epoch:ns»"}
=== fourth-notebook-output | kv | en
RangeIndex: «n:9» entries, 0 to «n:9»
 0   account_id      int64      3   card_present   bool
 1   posted_on       datetime64[ns]   4   balance   float64
memory usage: «dec:3:1» MB, checksum «n:10»
=== fourth-numpy-print | code | en
>>> m.cov()
array([[ «small:8», -«sci»], [-«sci»,  «dec:1:15»]])
>>> df["market_cap"].max(), df["volume"].sum()
(«cardlike:amex», «ssnlike»)
=== fourth-url-mix | log | en
200 https://api.nasdaq.com/api/company/«tick»/insider-trades?limit=«n:3»&sortColumn=lastDate&_=«epoch:ms»
200 https://kind.krx.co.kr/common/disclsviewer.do?method=search&acptno=«date:%Y%m%d»«d:6»&docno=«date:%Y%m%d»«d:6»
=== fourth-rss-press | html | en
<entry><id>urn:uuid:«uuid»</id><title>«firm» adds «n:7» accounts, card spend tops $«cardlike:visa»</title><updated>«date:%Y-%m-%dT%H~%M~%SZ»</updated><link href="https://news.example.com/r/«n:12»"/></entry>
=== fourth-html-kpi-cards | html | en
<div class="card" id="card-«n:9»"><h3>Total deposits</h3><p data-raw="«cardlike:mc»">$«cardlike_grouped:mc»</p></div><div class="card"><h3>Accounts</h3><p>«ssnlike»</p></div>
=== fourth-html-redacted | html | en
<tr><td>Account number</td><td>XXXXXX«d:4»</td></tr><tr><td>Routing number</td><td>on file</td></tr><tr><td>Trace number</td><td>«n:15»</td></tr>
=== fourth-fund-facts | kv | en
ISIN «isin»   WKN A«d:1»«b32:4»   Valor «n:8»   SEDOL «sedol»   Bloomberg NWGLBEQ LX
Fund size EUR «n:10»   Share class assets EUR «cardlike:mc»   Units «dec:7:4»   NAV «dec:3:2»
=== fourth-settlement-instr-public | prose | en
Place of settlement: Clearstream (DAKVDEFF), common code «n:9», ISIN «isin», nominal EUR «grp:9», trade ref «n:12», our SWIFT «bic».
=== fourth-isin-lookup-json | json | en
{"results":[{"isin":"«isin»","wkn":"«d:6»","valor":«n:8»,"cusip9":"«cusip»","permId":"«n:10»","sharesIssued":«ssnlike»,"marketCapLocal":«cardlike:amex»}],"tookMs":«n:3»}
=== fourth-weights-csv | csv | en
date;instrument_key;weight;raw_score;z
«date:%Y%m%d»;«n:9»;0.«d:16»;«dec:2:13»;-0.«d:15»
«date:%Y%m%d»;«n:9»;0.«luhn:4:16»;«dec:2:13»;«sci»
=== fourth-backtest-json | json | en
{"seed":«n:9»,"equity_curve":[«dec:6:10»,«dec:6:10»,«dec:6:10»],"turnover_krw":«cardlike:visa»,"sharpe":«dec:1:14»,"started_ns":«epoch:ns»,"key_metric":"sortino"}
=== fourth-git-diff-secrets | code | en
-    password = os.environ["LEDGER_PASSWORD"]
+    password = keyring.get_password("finclaw", "ledger")
+    limit = «n:9»
=== fourth-terraform-plan | log | en
  # random_password.ledger will be created
  + length = «n:2»   + result = (sensitive value)
  # aws_db_instance.gl: password = (sensitive value), allocated_storage = «n:3» -> «n:4», arn = arn:aws:rds:eu-west-1:«n:12»:db:gl
=== fourth-whois-ids | prose | en
«firm»: UK company no. 0«d:7», VAT GB«d:9», DUNS «d:2»-«d:3»-«d:4», EIN «d:2»-«d:7», LEI «lei», NAICS «n:6», FRN «d:6».
=== fourth-loan-tape | csv | en
loan_id,orig_upb,cur_upb,fico,msa,servicer_loan_ref
F«between:20:25»Q«between:1:4»«d:7»,«n:6»,«dec:6:2»,«between:580:840»,«n:5»,«n:10»
=== fourth-ko-kosis-csv | csv | ko
통계표,시점,단위,값
지역별 예금은행 예금,«date:%Y.%m»,원,«cardlike:visa»
신용카드 발급장수,«date:%Y.%m»,장,«ssnlike»
=== fourth-ko-bank-report | prose | ko
금감원은 휴면계좌 «n:8»개에 남은 «n:13»원을 돌려줬다고 밝혔다. 카드 포인트 «cardlike:mc»원도 포함되며 신청은 «date:%m월 %d일»까지다.
=== fourth-ko-dart-report | prose | ko
주석 «between:5:40». 사용제한 예금: 당좌개설보증금 «n:8»천원, 질권설정 예금 «grp:9»천원. 법인카드 한도 «grp:10»원, 미사용 «cardlike_grouped:amex»원. 접수번호 «date:%Y%m%d»«d:6»
=== fourth-ko-business-card | kv | ko
(주)가온소프트 재무팀 «kname» 팀장
T 02-000-«d:4»  M 010-0000-«d:4»  사업자등록번호 «biz_reg»  법인등록번호 «corp_reg»  (우)«d:5»
=== fourth-ko-card-push | prose | ko
[한빛카드] «kname»님 «d:1»*«d:1»* 승인 «grp:5»원 일시불 «date:%m/%d %H~%M» 여의도분식 누적 «grp:7»원, 승인번호 «d:8»
=== fourth-ko-masked-statement | csv | ko
거래일,구분,내 계좌,상대 예금주,금액,잔액,거래번호
«date:%Y-%m-%d»,입금,110-***-***«d:3»,김*늘,«n:7»,«n:9»,«date:%Y%m%d»«n:8»
=== fourth-ko-registry-masked | prose | ko
소유자 «kname» «date:%y%m%d»-2******, 부동산 고유번호 «n:4»-«between:1996:2023»-«d:6», 거래가액 «grp:9»원, 채권최고액 금 «grp:9»원
=== fourth-ko-lawsuit | prose | ko
서울중앙지법 2024가합«n:6» 사건에서 «kfirm»은 «n:11»원을 청구했다. 관련 특허 제10-«n:7»호, 출원번호 10-2021-«d:7», 공시번호 «date:%Y%m%d»«d:6».
=== fourth-ko-error-help | log | ko
[APBK«d:4»] 계좌번호 입력 오류입니다. CANO는 앞 8자리, ACNT_PRDT_CD는 뒤 2자리를 입력하세요. (gt_uid «hexa:16», 초당 «n:2»건 제한, 누적 «n:9»건)
=== fourth-ko-order-json | json | ko
{"odno":"0000«n:6»","orgn_odno":"","pdno":"«krcode»","ord_qty":"«n:4»","tot_ccld_amt":"«n:10»","ord_tmd":"«date:%H%M%S»","infm_tmd":"«date:%H%M%S»","acml_tr_pbmn":"«n:14»","lstn_stcn":"«ssnlike»"}
=== fourth-ko-fund-md | md | ko
| 펀드 | 표준코드 | 설정액(원) | 계좌수 | 기준가 |
|---|---|--:|--:|--:|
| 한빛 배당주 1호 | KR5«d:9» | «cardlike:visa» | «n:6» | «dec:4:2» |
=== fourth-ko-shipping-mail | prose | ko
OTP 카드를 등기우편으로 보냈습니다(등기번호 «n:13»). 도착하면 앱에서 비밀번호를 새로 정해 주세요. 수수료 «grp:4»원, 문의 1599-«d:4», 접수 «n:9»
=== fourth-ko-payment-due | prose | ko
국세 «n:7»원, 전자납부번호 0126-«d:4»-«d:4»-«d:7», 납부기한 «date:%Y년 %m월 %d일». 카드 납부 수수료 0.8%, 계좌이체는 무료입니다.
=== fourth-ko-dev-readme | md | ko
`.env`에 `KIS_APP_KEY=발급받은_앱키`, `KIS_ACCOUNT_NO=계좌번호-상품코드` 형식으로 적습니다. 토큰은 «n:5»초 뒤 만료되고 호출은 하루 «n:7»건까지입니다.
=== fourth-ko-yaml-comment | yaml | ko
계좌:
  별칭: 연금저축   # 계좌번호는 키체인에 있음
  목표금액: «n:9»
  비밀번호_출처: keyring
"""
