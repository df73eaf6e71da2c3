"""The third set: templates of which nothing may change, by somebody who had seen no rule."""

TEXTS = r"""
=== third-intraday-csv | csv | en
datetime;open;high;low;close;volume;vwap
«date:%Y-%m-%d %H~%M~00»;«dec:3:4»;«dec:3:4»;«dec:3:4»;«dec:3:4»;«ssnlike»;«dec:3:12»
«date:%Y-%m-%d %H~%M~00»;«dec:3:4»;«dec:3:4»;«dec:3:4»;«dec:3:4»;«n:10»;«dec:3:12»
=== third-yahoo-info | json | en
{"shortName":"«firm»","marketCap":{"raw":«cardlike:visa»,"fmt":"«dec:1:2»T","longFmt":"«cardlike_grouped:visa»"},"floatShares":{"raw":«n:11»},"averageDailyVolume10Day":{"raw":«ssnlike»}}
=== third-screen-text | kv | en
  #  Symbol   Last       Chg%     Volume       Mkt cap (KRW)
  1  «krcode»   «grp:6»    «pct»    «ssnlike»    «cardlike:amex»
  2  «krcode»   «grp:5»     «pct»    «n:8»     «cardlike:amex»
=== third-frame-concepts | json | en
{"taxonomy":"us-gaap","tag":"DepositsMoneyMarketDeposits","ccp":"CY2024Q1I","uom":"USD","pts":«n:4»,"data":[{"accn":"«accession»","cik":«n:7»,"loc":"US-NY","val":«n:11»},{"accn":"«accession»","cik":«n:6»,"loc":"US-TX","val":«cardlike:mc»}]}
=== third-xbrl-instance | html | en
<us-gaap:DueFromBanks contextRef="FD2024Q4" decimals="-3" id="F_«n:6»" unitRef="USD">«n:10»</us-gaap:DueFromBanks><us-gaap:CreditCardReceivable contextRef="FD2024Q4" decimals="-3" unitRef="USD">«cardlike:visa»</us-gaap:CreditCardReceivable>
=== third-10k-note | prose | en
NOTE 7 - DEPOSITS. Noninterest-bearing checking accounts were $«n:10» and savings accounts $«n:10» at year end; time deposits of $250,000 or more totaled $«grp:9». Routing of customer funds did not change.
=== third-8k-cover | kv | en
        Delaware                001-«d:5»                «d:2»-«d:7»
(State of incorporation) (Commission File Number) (I.R.S. Employer Identification No.)
Registrant's telephone number, including area code: «phone»
=== third-edgar-index | kv | en
10-Q             «firm»        «n:7»     «date:%Y-%m-%d»  edgar/data/«n:7»/«accession».txt
SC 13G/A         «firm»        «n:7»     «date:%Y-%m-%d»  edgar/data/«n:7»/«accession».txt
=== third-13f-aligned | kv | en
NAME OF ISSUER      TITLE    CUSIP      VALUE        SHRS/PRN    SH  DISCR
«firm»    COM      «cusip»  «n:11»  «ssnlike»   SH  SOLE
«firm»    COM      «cusip»  «n:10»   «abalike»   SH  DFND
=== third-insider-prose | prose | en
«name», director of «firm», sold «n:6» shares at a weighted average of $«dec:3:4» on «date:%B %d» under a Rule 10b5-1 plan adopted «date:%Y-%m-%d», leaving «ssnlike» held directly (Form 4, «accession»).
=== third-earnings-flash | prose | en
«firm» Q«between:1:4»: card member spending $«n:12» (+«pct»), new cards acquired «n:7», reserve build $«n:9», EPS $«dec:2:2» vs $«dec:2:2» est; ID:nL«n:1»N«b32:2»«d:3»
=== third-payments-news | prose | en
Regulators said banks returned «abalike» dollars after «n:6» customers typed a wrong sort code or account number; instant payments totalled «n:14» pounds last year.
=== third-breach-news | prose | en
Hackers took names, Social Security numbers and bank account numbers of «ssnlike» people from «firm», according to a filing of «date:%B %d, %Y»; shares fell «pct» and $«n:10» of value was lost.
=== third-fomc-text | prose | en
Reserve balances with Federal Reserve Banks, «n:7»; Treasury general account, «n:6»; foreign official deposits, «n:5» (millions of dollars, week ended «date:%b %d, %Y»).
=== third-h41-table | csv | en
series;unit;multiplier;«date:%Y-%m-%d»;«date:%Y-%m-%d»
H41/RESPPLLDT_N.WW;USD;1;«n:13»;«n:13»
H41/RESPPMA_N.WW;USD;1;«cardlike:visa»;«n:13»
=== third-bis-md | md | en
| Country | Cards with a cash function | Card payments, value | Credit transfers (number) |
|---|--:|--:|--:|
| KR | «ssnlike» | «n:13» | «n:10» |
| GB | «abalike» | «n:12» | «n:10» |
=== third-bank-search-json | json | en
{"data":[{"data":{"NAME":"«firm»","CERT":"«n:5»","FED_RSSD":"«n:7»","ASSET":«n:9»,"DEP":«ssnlike»,"ZIP":"«d:5»","UNINUM":"«n:6»"}}],"totals":{"count":«n:4»}}
=== third-futures-settle | kv | en
ESZ«between:4:9»  «dec:4:2»  «dec:4:2»  «n:7»  «n:8»  «date:%y%m%d»
ZNZ«between:4:9»  «n:3»'«d:3»   «n:3»'«d:3»   «n:7»  «n:8»  «date:%y%m%d»
total open interest «ssnlike»
=== third-options-flow | json | en
{"sym":"O:«tick»«date:%y%m%d»P00«d:3»500","sip_timestamp":«epoch:ns»,"price":«dec:2:2»,"size":«n:3»,"exchange":«between:300:330»,"sequence_number":«n:9»,"conditions":[«n:3»]}
=== third-crypto-book | json | en
{"T":«epoch:ms»,"u":«n:14»,"b":[["«dec:5:1»","«small:8»",«n:2»],["«dec:5:1»","«n:9»",«n:2»]],"cs":"«d:10»","quoteVolume":"«dec:9:16»"}
=== third-onchain-csv | csv | en
block,txhash,from,token_symbol,token_id,value_wei
«n:8»,0x«hexa:64»,0x«hexa:40»,WETH,«n:5»,«n:19»
«n:8»,0x«hexa:64»,0x«hexa:40»,USDC,«n:5»,«cardlike:visa»
=== third-solana-prose | prose | en
Mint authority «b58:44» created «n:16» base units of the token, «n:9» holders so far; top account holds «pct», slot «n:9».
=== third-optimizer-log | log | en
iter «n:3»: obj=-«dec:1:15» grad=«sci» step=0.«d:16» feasible=«small:17»
iter «n:3»: obj=-«dec:1:15» grad=«sci» step=0.«d:16» feasible=«small:17»
=== third-returns-json-array | json | en
[0.«d:17»,-0.«d:17»,«sci»,-«sci»,0.«luhn:4:16»,-0.«luhn:37:15»,«dec:1:16»,0,null,«n:13»]
=== third-risk-yaml | yaml | en
book: macro-«n:2»
gross_exposure_krw: «cardlike:amex»
net_exposure_krw: -«cardlike:visa»
positions: {«krcode».KS: «n:9», «krcode».KQ: -«n:8»}
=== third-trade-ticket-prose | prose | en
Ticket «n:10»: we bought «grp:8» «firm» 4.25% 20«between:30:49» (ISIN «isin», CUSIP «cusip») at «dec:2:4», accrued «dec:5:2», net $«cmoney», trade id «n:16», settles T+1.
=== third-blotter-tsv | csv | en
order_no«tab»parent_no«tab»symbol«tab»side«tab»qty«tab»avg_px«tab»commission«tab»strategy_account_type
«n:10»«tab»«n:10»«tab»«tick»«tab»B«tab»«n:6»«tab»«dec:3:6»«tab»«dec:2:4»«tab»house
«n:12»«tab»«n:12»«tab»«tick»«tab»S«tab»«ssnlike»«tab»«dec:3:6»«tab»«dec:2:4»«tab»house
=== third-orders-prose-ids | prose | en
Order numbers «n:12», «n:12» and «luhn:4:16» were cancelled at «date:%H~%M~%S»; confirmation «n:9» and exchange reference «n:14» belong to the «n:5»-lot fill.
=== third-statement-masked-pdf | kv | en
Account number ending in: «d:4»                    Closing date «date:%m/%d/%Y»
Previous balance    $«cmoney»      Payments   -$«dec:3:2»      New charges  $«dec:3:2»
Visa Signature ....«d:4»           Customer service «phone»
=== third-masked-csv-bank | csv | en
Date,Description,Card,Amount,Running Bal.
«date:%m/%d/%Y»,"PURCHASE «d:4» «date:%m/%d» QUAY COFFEE",*«d:4»,-«dec:2:2»,"«cmoney»"
«date:%m/%d/%Y»,"Online transfer to CHK ...«d:4», confirmation# «n:10»",*«d:4»,-«dec:3:2»,"«cmoney»"
=== third-brokerage-masked-csv | csv | en
Individual Brokerage -«d:4»
Symbol,Last Price $,Change $,Quantity,Price Paid $,Day's Gain $,Value $
«tick»,«dec:3:2»,«small:2»,«n:4»,«dec:3:4»,«dec:4:2»,«dec:6:2»
=== third-bank-feed-masked | json | en
{"account_id":"«b58:37»","mask":"«d:4»","name":"Everyday Checking","official_name":null,"balances":{"available":«dec:4:2»,"limit":null},"persistent_account_id":"«hexa:64»","item_id":"«b58:37»"}
=== third-redacted-already | prose | en
Caller gave SSN [redacted] and account number <removed>; we quoted «n:3» shares at $«dec:3:2» and opened case «n:8».
=== third-pos-settlement | kv | en
BATCH «d:6»   TERMINAL «n:8»   MERCHANT «n:15»
SALES  «n:4»   $«cmoney»
REFUND «n:2»   $«dec:3:2»
HOST REF «n:12»  «date:%y%m%d%H%M%S»
=== third-invoice-pdf-cols | kv | en
Invoice no.   «n:10»        Customer no.  «n:6»       Date  «date:%d/%m/%Y»
Item          «n:13»     Qty «n:4»      Unit «dec:3:4»     «grp:6».«d:2»
PO  45«d:8»    Delivery note  80«d:8»    VAT ID  NL«d:9»B01
=== third-expense-json | json | en
{"expenseId":"«n:9»","reportKey":«n:7»,"vendor":"«firm»","lineItems":[{"glCode":"«n:6»","amount":«dec:4:2»,"taxCode":"S1"}],"paymentType":"CORPORATE_CARD","receiptImageKey":"rcpt/«date:%Y»/«n:12».jpg"}
=== third-erp-csv | csv | en
Belegnummer;Buchungskreis;Sachkonto;Betrag HW;Kostenstelle;Text
5100«d:6»;1000;«n:6»;«grp:6:dot»,«d:2»;«n:5»;Bankgebühren Q«between:1:4»
1900«d:6»;1000;«n:6»;-«grp:7:dot»,«d:2»;«n:5»;Kartenumsatz «date:%m/%Y»
=== third-gl-text | kv | en
Acct   Name                          Debit             Credit
1010   Operating bank account        «grp:9».«d:2»
2110   Corporate cards payable                         «grp:8».«d:2»
4000   Card processing revenue                         «cardlike_grouped:mc».00
=== third-netsuite-sql | sql | en
SELECT a.acctnumber, SUM(tal.amount) FROM transactionaccountingline tal JOIN account a ON a.id = tal.account WHERE tal.transaction > «n:9» AND a.accttype = 'Bank' HAVING SUM(tal.amount) > «n:10»;
=== third-sql-schema-comment | sql | en
ALTER TABLE counterparties ADD COLUMN iban_masked VARCHAR(34), ADD COLUMN ssn_last4 CHAR(4), ADD COLUMN routing_number_ok BOOLEAN DEFAULT false; -- migration «date:%Y%m%d%H%M%S», «n:9» rows
=== third-sql-agg-result | sql | en
 account_type | accounts |   total_balance   | avg_card_spend
--------------+----------+-------------------+----------------
 checking     | «n:8» | «cardlike:visa»  |   «dec:4:10»
 savings      | «n:8» | «n:15»   |   «dec:4:10»
=== third-parquet-schema | kv | en
account_number: string (nulls: «n:9»)
card_type: dictionary<values=string, indices=int8>
ssn_hash: fixed_size_binary[32]
balance: decimal128(18, 2)  min «n:4».«d:2»  max «n:12».«d:2»
=== third-column-doc-md | md | en
| Column | Type | Meaning |
|---|---|---|
| `account_number` | text | «between:8:9» to 17 digits, masked before export |
| `api_key_id` | int | row in table keys, e.g. «n:7» |
| `notional` | bigint | cents, e.g. «n:12» |
=== third-csv-headers-only | csv | en
employee_id,ssn,bank_account_number,routing_number,card_number,password_hash_algo,row_count
«n:6»,,,,,argon2id,«ssnlike»
=== third-openapi-yaml | yaml | en
securitySchemes:
  ApiKeyAuth: {type: apiKey, in: header, name: X-API-KEY}
  Bearer: {type: http, scheme: bearer, bearerFormat: JWT}
x-rate-limit: «n:5»
x-account-number-pattern: '^\d{8,12}$'
=== third-help-text | code | en
usage: finclaw broker [-h] [--account NUMBER] [--token-file PATH] [--max-cost USD]
  --account NUMBER   account number to trade in (asks when several)
  --token-file PATH  file with the access token; never give a token on the command line
  --since MS         epoch milliseconds, e.g. «epoch:ms»
=== third-settings-view | kv | en
provider.openai.api_key       set (keyring, «n:3» days old)
provider.anthropic.api_key    not set
db.password                   set (env FINCLAW_DB_PASSWORD)
limits.tokens_per_day         «n:8»
=== third-env-refs-shell | code | en
psql "host=$PGHOST user=$PGUSER password=$PGPASSWORD dbname=prices" -c "select count(*) from bars where ts > «epoch:s»"
export POLYGON_API_KEY=$(op read op://desk/polygon/key)  # cached «n:4» s
=== third-gha-secrets | yaml | en
      - run: python -m feeds.load --limit «n:6»
        env:
          POLYGON_API_KEY: ${{ secrets.POLYGON_API_KEY }}
          DB_PASSWORD: ${{ secrets.DB_PASSWORD }}
=== third-tf-vars | yaml | en
variable "db_password" {
  type      = string
  sensitive = true
}
resource "aws_db_instance" "gl" { allocated_storage = «n:4», password = var.db_password, port = «n:4» }
=== third-python-login-code | code | en
def login(user: str, password: str, *, token: str | None = None) -> Session:
    token = token or cache.get(f"token:{user}")
    return Session(user, password=password, token=token, timeout=«n:3», nonce=«n:10»)
=== third-js-config-code | code | en
const { apiKey, accountNumber } = await loadConfig(process.env.DESK_HOME);
if (!apiKey) throw new Error(`no apiKey for ${accountNumber} (code «n:5»)`);
cache.set('caps', «cardlike:visa», «n:9»);
=== third-pytest-output | log | en
tests/test_mask.py::test_card_number[visa-«n:2»] PASSED
tests/test_mask.py::test_password_in_url FAILED: AssertionError: assert «n:13» == «n:12»
= «n:3» passed, 1 failed in «dec:2:2»s (seed «n:10») =
=== third-pip-output | log | en
Downloading pandas_ta-0.4.«n:2»b0-py3-none-any.whl (size «n:8»)
  Hash: sha256=«hexa:64»
Successfully installed secretstorage-3.«between:1:9».«between:1:9» keyring-25.«n:1» tokenizers-0.«n:2».1
=== third-tool-error-auth | log | en
ToolError: broker.login: the account number is missing (field account_number is empty); set it with `finclaw config set broker.account`, error «n:6», trace «uuid»
=== third-401-json | json | en
{"error":{"type":"authentication_error","message":"invalid x-api-key","param":"api_key"},"request_id":"req_«b58:24»","retry_after_ms":«n:5»}
=== third-validation-json | json | en
{"errors":[{"loc":["body","iban"],"msg":"check digits do not match","type":"value_error"},{"loc":["body","ssn"],"msg":"must have 9 digits","ctx":{"length":«n:2»}}],"took_us":«ssnlike»}
=== third-token-metrics | log | en
llm.usage model=large prompt_tokens=«n:6» completion_tokens=«n:5» cached_tokens=«n:6» token_cost_usd=0.«d:6» key=session:«n:10» ttl=«n:5»
=== third-tokenizer-prose | prose | en
The context held «grp:6» tokens; the secret of the low bill ($«dec:2:2») is the prompt cache: key hit rate «pct», «n:9» tokens saved since «date:%d %B».
=== third-prometheus | log | en
auth_token_refresh_total{provider="kis"} «n:9»
card_payments_amount_sum{currency="KRW"} «sci»
account_sync_timestamp_seconds «epoch:s».«d:3»
process_resident_memory_bytes «n:9»
=== third-k8s-events | log | en
pod/prices-«hexa:10»-«b32:5» uid=«uuid» resourceVersion=«ssnlike» Secret "db-password" mounted, serviceAccountName=feeds, memory «n:10»
=== third-git-log-secret | log | en
«hexa:40» (HEAD -> main) rotate API key, drop password from config.toml
«hexa:40» mask account numbers in logs (#«n:4»)
 2 files changed, «n:3» insertions(+), blob «hexa:40»
=== third-arn-text | prose | en
role arn:aws:iam::«n:12»:role/prices-reader may read arn:aws:s3:::desk-«n:6»/caps/«date:%Y%m%d»/*; «n:9» objects, KMS key id «uuid».
=== third-url-list | prose | en
https://www.example.com/investors/account/«n:10»/news?id=«n:12»&token_type=fund
https://cdn.example.com/f/«hexa:32»/card-«n:6».png?v=«epoch:s»
https://query.example.com/v8/chart/«tick»?period1=«epoch:s»&period2=«epoch:s»&crumb=off
=== third-rss-xml | html | en
<item><title>«firm»: deposits up «pct»</title><guid isPermaLink="false">«n:16»</guid><link>https://news.example.com/a/«n:9»</link><pubDate>«date:%a, %d %b %Y %H~%M~%S» GMT</pubDate></item>
=== third-html-form-empty | html | en
<label>Account number <input name="account_number" maxlength="«between:12:17»" value=""></label><label>Password <input type="password" name="password" autocomplete="off"></label><input type="hidden" name="form_ts" value="«epoch:ms»">
=== third-html-data-attr | html | en
<tr id="row-«n:9»" data-uid="«n:16»"><td>«tick»</td><td class="num" data-market-cap="«cardlike:visa»">«cardlike_grouped:visa»</td><td>«dec:2:2»×</td></tr>
=== third-crm-opportunity | json | en
{"attributes":{"type":"Opportunity","url":"/services/data/v60.0/sobjects/Opportunity/006«b58:15»"},"Id":"006«b58:15»","AccountId":"001«b58:15»","Amount":«n:9».0,"Probability":«n:2»,"Account":{"Name":"«firm»","NumberOfEmployees":«n:6»}}
=== third-crm-note-plain | prose | en
Met «name» at the «firm» desk. Wants to consolidate three brokerage accounts ($«n:9» in all), asks about card rewards and the wire fee of $«n:2». Call back «phone», deal no. «n:8».
=== third-meeting-mail | prose | en
Subject: Account review «date:%B %d»

Dial «phone», conference «n:7», webinar id «n:3» «n:4» «n:4». Please bring the bank account reconciliation; open difference $«dec:5:2», journal «n:10».
=== third-parcel-mail | prose | en
Your new debit card left our plant on «date:%m/%d/%Y» (tracking no. «n:12», USPS 92«d:20»). Activate it at «phone». Annual fee $«n:2», cash limit $«n:4».
=== third-support-ticket | kv | en
Ticket ID: «n:9»
Category: Password reset
Account type: Joint brokerage
Callback: «phone»
Notes: reset link sent, portfolio value $«cmoney», case ref «n:4»-«n:4»-«n:4»
=== third-otp-policy | prose | en
Policy «n:4»: access tokens live «n:4» seconds, refresh tokens «n:7»; passwords need 14 characters; private keys stay in the HSM (slot «n:2», serial «n:9»).
=== third-reg-ids-eu | prose | en
KvK «n:8», NIP «n:10», REGON «n:9», CVR «n:8», Org.nr 556«d:3»-«d:4», P.IVA «n:11», CIF B«d:8», UID CHE-«d:3».«d:3».«d:3», turnover EUR «grp:8».
=== third-adviser-brochure | prose | en
SEC file no. 801-«d:5», CRD no. «n:6», NFA ID 0«d:6»; we manage $«n:10» in «n:5» discretionary accounts and $«n:9» in «n:4» non-discretionary accounts.
=== third-gleif-json | json | en
{"data":{"type":"lei-records","id":"«lei»","attributes":{"entity":{"registeredAs":"«n:9»","registeredAt":{"id":"RA000«d:3»"}},"bic":["«bic»XXX"],"mic":null,"ocid":"us_de/«n:7»"}}}
=== third-figi-map | json | en
[{"data":[{"figi":"«figi»","compositeFIGI":"«figi»","shareClassFIGI":"«figi»","ticker":"«tick»","uniqueID":"EQ00«d:14»"}]},{"warning":"No identifier found for «n:9»."}]
=== third-mortgage-pool | csv | en
PREFIX,POOL,CUSIP,ISSUE_UPB,CURRENT_UPB,WAC,LOAN_COUNT
CL,MA«n:4»,«cusip»,«n:12»,«ssnlike».«d:2»,«dec:1:3»,«n:5»
CI,AS«n:4»,«cusip»,«cardlike:mc»,«n:10».«d:2»,«dec:1:3»,«n:5»
=== third-macro-sdmx | html | en
<generic:Obs><generic:ObsDimension value="«date:%Y-%m»"/><generic:ObsValue value="«cardlike:visa»"/></generic:Obs><generic:Obs><generic:ObsDimension value="«date:%Y-%m»"/><generic:ObsValue value="-«n:13».«d:4»"/></generic:Obs>
=== third-fx-swift-camt | html | en
<Stmt><Id>«n:16»</Id><ElctrncSeqNb>«n:9»</ElctrncSeqNb><CreDtTm>«date:%Y-%m-%dT%H~%M~%S»</CreDtTm><Bal><Amt Ccy="KRW">«cardlike:mc»</Amt></Bal><TtlNtries><NbOfNtries>«ssnlike»</NbOfNtries></TtlNtries></Stmt>
=== third-itch-hex | log | en
«date:%H~%M~%S».«d:9» A ref=«n:16» B «ssnlike» «tick» «dec:3:4» mpid=HRBR
«date:%H~%M~%S».«d:9» E ref=«luhn:4:16» exec=«n:9» match=«n:12»
=== third-weather-energy-csv | csv | en
utc,lat,lon,mwh,emissions_t,meter_count
«epoch:s»,«lat»,«lon»,«dec:6:9»,«dec:5:12»,«ssnlike»
«epoch:s»,«lat»,«lon»,«dec:6:9»,«dec:5:12»,«abalike»
=== third-ko-news-bank | prose | ko
«kfirm»증권의 CMA 계좌는 «n:7»개, 위탁계좌 예탁금은 «n:14»원으로 집계됐다. 신용카드 결제 비중은 «pct», 간편송금은 하루 «n:9»건이다.
=== third-ko-dart-table | md | ko
| 과목 | 제 «between:10:60» 기 | 제 «between:10:60» 기 |
|---|--:|--:|
| 단기금융상품(은행예치) | «n:13» | «cardlike:amex» |
| 카드미지급금 | «n:10» | -«n:9» |
=== third-ko-card-sms | kv | ko
[Web발신]
한빛카드(«d:1»*«d:1»*) 승인 «kname»
«grp:6»원 일시불
«date:%m/%d %H~%M» 여의도상회 누적«grp:8»원
=== third-ko-openbank-masked | json | ko
{"api_tran_id":"«uuid»","res_list":[{"fintech_use_num":"«n:15»«d:9»","account_num_masked":"000-****-«d:4»-***","bank_code_std":"0«d:2»","balance_amt":"«n:9»","inquiry_agree_dtime":"«date:%Y%m%d%H%M%S»"}]}
=== third-ko-balance-cols | kv | ko
종목명        종목코드   보유수량      평균단가        평가금액      수익률
«kfirm»      «krcode»   «n:6»     «dec:5:2»    «n:10»   «pct»
계좌 합계                                         «n:11»   «pct»
=== third-ko-tax-invoice | kv | ko
승인번호: «date:%Y%m%d»-«n:8»-«d:8»
공급자 등록번호: «biz_reg»   상호: «kfirm»
공급가액: «grp:9»   세액: «grp:8»   작성일자: «date:%Y/%m/%d»
=== third-ko-registry | prose | ko
등기사항: 상호 «kfirm» 주식회사, 법인등록번호 «corp_reg», 등기번호 «d:6», 발행주식총수 «n:9»주, 자본금 «n:11»원, 설립 «date:%Y년 %m월 %d일».
=== third-ko-form-blank | csv | ko
성명,주민등록번호,계좌번호,카드번호,신청금액(원),접수번호
«kname»,,,,«n:8»,«date:%Y%m%d»«d:6»
=== third-ko-howto | prose | ko
계좌번호는 '-' 없이 10~14자리로, 비밀번호는 영문·숫자 포함 8자 이상으로 입력하세요. 주민번호 뒷자리는 받지 않습니다. 이용자 «n:7»명, 오류코드 «d:5», 상담 1588-«d:4».
=== third-ko-rights-notice | prose | ko
유상증자 발행가액 «grp:5»원, 신주 «n:9»주, 청약 «date:%Y.%m.%d»~«date:%m.%d», 환불금은 청약 계좌로 입금되며 배정비율 0.«d:10», 대표주관 «kfirm»증권(02-000-«d:4»).
=== third-ko-api-log | log | ko
«date:%Y-%m-%d %H~%M~%S» [DEBUG] 토큰 발급 성공(유효 «n:5»초) tr_id=FHKST0«d:7» 누적거래량=«abalike» 누적거래대금=«cardlike:visa» 처리=«n:6»us
"""
