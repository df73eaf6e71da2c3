"""The second set: templates of which nothing may change, by somebody who had seen no rule."""

TEXTS = r"""
=== second-13f-xml | html | en
<infoTable><nameOfIssuer>«firm»</nameOfIssuer><cusip>«cusip»</cusip><value>«n:11»</value><shrsOrPrnAmt><sshPrnamt>«ssnlike»</sshPrnamt><sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt><votingAuthority><Sole>«abalike»</Sole></votingAuthority></infoTable>
=== second-form4-xml | html | en
<transactionShares><value>«n:8»</value></transactionShares><transactionPricePerShare><value>«dec:3:4»</value></transactionPricePerShare><rptOwnerCik>«cik»</rptOwnerCik>
=== second-inline-xbrl | html | en
<ix:nonFraction name="us-gaap:AccountsPayableCurrent" contextRef="c-«n:3»" decimals="-6" scale="6">«grp:6»</ix:nonFraction> <span id="f-«n:5»">«cardlike:visa»</span> won of total assets
=== second-ofx-bare | ofx | en
<STMTTRN><TRNTYPE>DIV<DTPOSTED>«date:%Y%m%d%H%M%S»<TRNAMT>«dec:5:2»<FITID>«date:%Y%m%d»«n:10»<MEMO>DIVIDEND «tick» «n:9» SHS</STMTTRN>
=== second-efts-hits | json | en
{"hits":{"total":{"value":«n:5»},"hits":[{"_id":"«accession»:ex99-1.htm","_source":{"ciks":["«cik»"],"file_num":["001-«d:5»"],"film_num":["«n:9»"]}}]}}
=== second-13d-prose | prose | en
On «date:%B %d, %Y» the Reporting Persons bought «ssnlike» shares with working capital of approximately $«grp:9», which accounts for «pct» of «grp:10» shares then outstanding (film no. «n:9»).
=== second-auditor-note | prose | en
PCAOB ID «n:3»; auditor since 19«between:70:99». Deposit accounts with related banks: «grp:8» (prior year «grp:8») thousand won.
=== second-bank-earnings-call | prose | en
Operator: On deposits, checking account balances averaged «n:12» dollars, card sales volumes were «n:11» dollars and we added «n:7» net new accounts.
=== second-digital-bank-news | prose | en
«firm» said its app now has «grp:8» savings accounts holding $«n:11», against «n:8» accounts a year ago; debit card purchases reached €«cardlike:mc».
=== second-card-network-kpi | md | en
| Metric (quarter) | This year | Last year |
|:--|--:|--:|
| Purchase volume, cards (USD) | «n:13» | «cardlike:amex» |
| Cards in circulation | «ssnlike» | «abalike» |
| Transactions switched | «n:11» | «n:11» |
=== second-receipt-slip | kv | en
MID: 4445«n:11»
TID: «d:8»
STAN: «d:6»
RRN: «n:12»
AUTH: «d:6»
CARD: ************«d:4»
TOTAL: USD «dec:2:2»
=== second-acquirer-csv | csv | en
settle_date,mid,batch,arn,gross,interchange
«date:%Y-%m-%d»,«n:12»,«d:6»,7«n:22»,«dec:4:2»,«dec:2:4»
«date:%Y-%m-%d»,«n:12»,«d:6»,7«n:22»,«dec:4:2»,«dec:2:4»
=== second-masked-broker | csv | en
Account,Date,Action,Symbol,Quantity,Amount
XXXX-«d:4»,«date:%m/%d/%Y»,Buy,«tick»,«n:4»,-«dec:5:2»
XXXX-«d:4»,«date:%m/%d/%Y»,Sell,«tick»,«n:3»,«dec:5:2»
=== second-masked-html | html | en
<p>Deposited to checking &bull;&bull;&bull;&bull;«d:4»; SSN on file: XXX-XX-«d:4»; card x«d:4»; deposit $«cmoney»; confirmation «n:10»</p>
=== second-masked-json | json | en
{"card":{"brand":"visa","last4":"«d:4»","bin":"«d:6»","fingerprint":"«b58:16»"},"account":{"mask":"«d:4»","subtype":"checking"},"amount":«n:7»}
=== second-fedwire-imad | kv | en
IMAD: «date:%Y%m%d»MMQFMPYZ«d:6»
OMAD: «date:%Y%m%d»GMQFMP01«d:6»«d:8»FT01
UETR: «uuid»
Amount: USD «grp:7».«d:2»
=== second-swift-refs | ofx | en
:20:FX«n:12»
:21:NONREF
:30T:«date:%Y%m%d»
:36:«dec:4:5»
:32B:USD«n:8»,
:33B:KRW«cardlike:visa»,
=== second-isda-prose | prose | en
UTI «lei»«n:12»; USI 10«d:8»«b32:14»; notional «grp:9» EUR; fixed «dec:1:4»%, floating €STR, effective «date:%d %b %Y».
=== second-fix-caret | log | en
8=FIX.4.2^9=«n:3»^35=D^11=CL«n:10»^55=«tick»^38=«n:6»^44=«dec:3:2»^60=«date:%Y%m%d-%H~%M~%S»^37=«n:14»^10=«d:3»^
=== second-trade-tape | log | en
T,«tick»,«epoch:ns»,«dec:3:4»,«n:3»,@FTI,«n:14»,C
Q,«tick»,«epoch:ns»,«dec:3:2»,«n:2»,«dec:3:2»,«n:2»,R
=== second-bars-page-token | json | en
{"bars":{"«tick»":[{"t":"«date:%Y-%m-%dT%H~%M~%SZ»","o":«dec:3:4»,"v":«ssnlike»,"n":«n:6»,"vw":«dec:3:6»}]},"next_page_token":"QUFQTHxNfDIw«b64:28»"}
=== second-idempotency | json | en
{"idempotency_key":"«uuid»","client_order_id":"finclaw-«hexa:12»","cache_key":"bars:«tick»:1d:«epoch:s»","partition_key":"«n:10»","ttl_ms":«n:8»}
=== second-orders-api | json | en
{"id":"«uuid»","asset_id":"«uuid»","filled_qty":"«n:8»","filled_avg_price":"«dec:3:6»","order_class":"","hwm":null,"source":"access_key","notional":"«n:9»"}
=== second-option-chain | md | en
| Contract | Strike | OI | IV | Last trade |
|---|--:|--:|--:|---|
| O:SPY«date:%y%m%d»C00«d:3»000 | «dec:3:2» | «n:9» | «small:8» | «epoch:ms» |
| O:SPY«date:%y%m%d»P00«d:3»000 | «dec:3:2» | «n:8» | «small:8» | «epoch:ms» |
=== second-bond-table | csv | en
isin;coupon;maturity;amount_issued;clean;dirty
«isin»;«dec:1:3»;«date:%Y-%m-%d»;«n:13»;«dec:2:5»;«dec:2:9»
«isin»;«dec:1:3»;«date:%Y-%m-%d»;«cardlike:visa»;«dec:2:5»;«dec:2:9»
=== second-etf-basket | csv | en
Ticker,SEDOL,Name,Shares Held,Market Value,Notional Weight
«tick»,«sedol»,«firm»,«ssnlike»,«n:13»,«small:12»
«tick»,«sedol»,«firm»,«abalike»,«n:12»,«small:12»
=== second-cot-report | kv | en
CFTC Code: 0«n:5»
Open Interest: «n:7»
Noncommercial Long: «n:6»
Nonreportable Short: «ssnlike»
As of Date: «date:%y%m%d»
=== second-factor-matrix | kv | en
            MKT          SMB          HML
«date:%Y%m»  «small:13»  «small:13»  «small:13»
«date:%Y%m»  «small:13»  «small:13»  «small:13»
t-stat  «dec:1:9»  «small:9»  «small:9»
=== second-backtest-report | md | en
### Run `«hexa:10»`
- final equity: «dec:8:10»
- trades: «n:5» (win rate «pct»)
- turnover: «cardlike:amex» KRW
- seed: «n:9», started «epoch:ms»
=== second-macro-csv | csv | en
DATE,M2SL,GDP,TOTBKCR,CCLACBW027SBOG
«date:%Y-%m-01»,«dec:5:1»,«dec:5:3»,«dec:5:4»,«dec:4:4»
«date:%Y-%m-01»,«n:14»,«n:14»,«cardlike:visa»,«n:13»
=== second-population-json | json | en
{"indicator":"SP.POP.TOTL","values":[{"year":«between:1990:2024»,"value":«n:9»},{"year":«between:1990:2024»,"value":«ssnlike»}],"source":"WDI","lastupdated":«epoch:s»}
=== second-dark-pool | prose | en
ATS volume for the week of «date:%Y-%m-%d»: «ssnlike» shares in «n:7» trades; lit venues routed «abalike» and retail wholesalers took the other «ssnlike».
=== second-company-ids | prose | en
Vendor master: SIREN «n:3» «d:3» «d:3», SIRET «n:14», ABN 51 «d:3» «d:3» «d:3», HRB «n:6» B, Corporate Number (Japan) «n:13», EIN «d:2»-«d:7».
=== second-shipping-news | prose | en
The tanker (IMO «n:7», MMSI «n:9») loaded «grp:7» barrels; box MSCU«d:7» under B/L «n:9» carries HS «d:10» goods worth $«grp:7».
=== second-oil-wells | csv | en
api_no,operator,first_prod,cum_oil_bbl
42-«d:3»-«d:5»,«firm»,«date:%Y-%m»,«n:8»
35-«d:3»-«d:5»-00,«firm»,«date:%Y-%m»,«ssnlike»
=== second-pharma-news | prose | en
Trial NCT0«d:7» met its endpoint (p=0.00«d:4»); NDA 21«d:4», NDC «d:4»-«d:4»-«d:2»; «firm» sold «ssnlike» doses for $«n:10».
=== second-court-docket | prose | en
Case 1:«between:18:25»-cv-«d:5»-LAK, ECF No. «n:3»; bankruptcy petition «between:18:25»-«d:5» lists assets of $«n:10» and «n:5» creditors; FERC docket ER«between:18:25»-«n:4»-000.
=== second-procurement | kv | en
Solicitation: W912«d:2»-«between:18:25»-R-«d:4»
Contract No: FA8«d:3»-«between:18:25»-C-«d:4»
UEI: «b32:12»
CAGE: 1«b32:4»
Obligated: $«n:11».«d:2»
=== second-call-details | prose | en
Dial-in for the call on «date:%B %d»: US +1 646 555 01«d:2», UK +44 20 7946 0«d:3», conference ID «n:8», replay code «n:7» until «date:%m/%d/%y».
=== second-meeting-invite | prose | en
Join: https://meet.example.com/j/«n:11»?pwd=_ask_ | Meeting ID: «n:3» «n:4» «n:4» | Host: «name» | Agenda: «tick» at $«dec:3:2»
=== second-ir-contact | prose | en
Media: «name», «phone», ir@harborline.example. «firm» (NYSE) manages $«n:12» for «n:7» clients from «n:2» branches in ZIP «d:5»-«d:4».
=== second-courier-mail | prose | en
Your statement envelope (DHL waybill «n:10», item RR«d:9»DE) left on «date:%d.%m.%Y»; customs value EUR «dec:2:2»; weight 0.«d:3» kg.
=== second-refund-mail | prose | en
We refunded $«dec:3:2» to the card you paid with. Refund reference «n:15», order «n:3»-«n:7»-«n:7», ticket «n:8». It may take «between:3:10» days to reach your bank account.
=== second-po-lines | csv | en
po_number,line,gtin,qty,unit_cost,invoice_no
45«d:8»,«between:1:90»,«n:14»,«n:5»,«dec:3:4»,90«d:8»
45«d:8»,«between:1:90»,«n:14»,«n:5»,«dec:3:4»,90«d:8»
=== second-gl-journal | csv | en
journal,period,gl_account,cost_center,debit,credit
JE«n:6»,«date:%Y-%m»,«n:4»,«n:5»,«dec:9:2»,0.00
JE«n:6»,«date:%Y-%m»,«n:4»,«n:5»,0.00,«dec:9:2»
=== second-beancount | code | en
«date:%Y-%m-%d» open Assets:US:HarborBank:Checking  USD
«date:%Y-%m-%d» * "«firm»" "invoice «n:8»"
  Liabilities:CreditCard:Visa   -«dec:4:2» USD
  Expenses:Bank:Fees             «dec:2:2» USD
«date:%Y-%m-%d» balance Assets:US:HarborBank:Checking  «n:9».«d:2» USD
=== second-trial-balance | md | en
| Account | Debit | Credit |
|---|--:|--:|
| Checking account | «n:10» | |
| Card clearing | | «n:11» |
| Bank loans, current | | «cardlike:visa» |
=== second-budget-sheet | code | en
=IF(Accounts!C«n:3»>«n:8»,ROUND(B«n:3»/«dec:1:10»,2),INDEX(Caps!$B:$B,MATCH("«tick»",Caps!$A:$A,0)))+«cardlike:amex»
=== second-account-json-numbers | json | en
{"account":{"status":"ACTIVE","currency":"USD","cash":"«n:8»","portfolio_value":"«n:9»","long_market_value":«n:10»,"daytrading_buying_power":"«n:10»","multiplier":"4"}}
=== second-card-limits-json | json | en
{"card_program":{"cards_issued":«ssnlike»,"card_volume":«cardlike:mc»,"card_limit_minor":«n:9»,"card_tier":"platinum","interchange":«small:6»}}
=== second-bank-stats-json | json | en
{"bank":"«firm»","routing":{"mode":"smart","retries":«between:1:9»,"latency_ns":«abalike»},"deposits":"«n:12»","account_openings":«n:8»,"total":«cardlike:visa»}
=== second-tool-schema | json | en
{"name":"transfer","input_schema":{"properties":{"account_number":{"type":"string","pattern":"^[0-9]{8,12}$"},"ssn":{"type":"null"},"amount":{"maximum":«n:9»},"token":{"maxLength":«n:3»}}}}
=== second-null-secrets | json | en
{"api_key":null,"password":"","token":"********","secret_ref":"keyring:finclaw/desk«n:2»","max_tokens":«n:6»,"token_count":«n:9»}
=== second-vault-refs | yaml | en
broker:
  api_key: "{{ vault.read('kv/broker') }}"
  password: !secret broker_password
  token: $BROKER_TOKEN
  account_refresh_ms: «n:8»
  card_sync: false
=== second-env-example | kv | en
# copy to .env and fill in (takes «n:2» s)
API_KEY=changeme
DB_PASSWORD=<your password here>
SLACK_TOKEN=xoxb-your-token-here
MAX_ROWS=«n:9»
=== second-argparse-help | code | en
  --api-key KEY        provider key (default: read from the keyring)
  --password-file F    file with the password, mode 0600
  --account ID         account to use; see `finclaw accounts`
  --limit N            rows, at most «n:7»
=== second-lint-output | log | en
prices/auth.py:«n:3»:«n:2»: S105 Possible hardcoded password assigned to: "token_field"
prices/auth.py:«n:3»:«n:2»: S106 Possible hardcoded password assigned to argument: "key_name"
Found «n:2» errors in «n:6» ms
=== second-auth-error | log | en
401 Unauthorized: invalid API key provided. Check the api_key setting (key id missing, header length 0), request «uuid», «n:4» bytes
=== second-http-headers | log | en
< etag: W/"«hexa:32»"
< x-ratelimit-reset: «epoch:s»
< cf-ray: «hexa:16»-ICN
< x-request-id: req_«b58:24»
< content-length: «n:9»
=== second-profiler | log | en
ncalls «n:8» tottime «dec:2:3» percall 0.«d:9» cumtime «dec:3:6» token_bucket.py:«n:3»(take)
peak rss «n:10» bytes, page faults «n:9», ctx switches «ssnlike»
=== second-sqlite-shell | code | en
sqlite> SELECT count(*), sum(volume), max(market_cap) FROM bars;
«n:9»|«n:15»|«cardlike:amex»
sqlite> SELECT rowid, ts FROM bars LIMIT 1;
«n:9»|«epoch:ns»
=== second-explain-plan | code | en
Seq Scan on accounts  (cost=0.00..«n:8».«d:2» rows=«n:9» width=«n:3») (actual time=0.0«d:2»..«n:5».«d:3» rows=«ssnlike» loops=1)
  Filter: (account_number IS NOT NULL)
=== second-pandas-describe | kv | en
count    «n:9».000000
mean     «dec:15:6»
std      «dec:14:6»
max      «n:16».000000
Name: total_assets, dtype: float64
=== second-lockfile | code | en
[[package]]
name = "keyring"
sdist = { url = "https://files.example.org/packages/«hexa:2»/«hexa:2»/«hexa:60»/keyring-25.tar.gz", hash = "sha256:«hexa:64»", size = «n:8» }
=== second-public-key | prose | en
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI«b64:43» prices@desk (SHA256:«b64:43», added «date:%Y-%m-%d»)
=== second-public-pem | prose | en
-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA«b64:20»
«b64:64»
-----END PUBLIC KEY-----
verified «n:7» webhooks
=== second-defi-tx | json | en
{"token":"USDC","token_address":"0x«hexa:40»","tokenId":«n:7»,"value":"«n:19»","gasPrice":"«n:11»","blockHash":"0x«hexa:64»","nonce":«n:5»}
=== second-chain-prose | prose | en
Wallet 0x«hexa:40» swapped «n:16» wei for «dec:9:6» tokens; slot «n:9», epoch «n:3», signature «b58:88».
=== second-stablecoin-news | prose | en
Circulating supply hit «cardlike:visa» tokens after a mint of «ssnlike»; reserves at banks were $«n:11» and the token traded at $0.99«d:2».
=== second-llm-usage-table | md | en
| Model | Input tokens | Output tokens | Cost (micro-USD) |
|---|--:|--:|--:|
| small | «n:9» | «n:8» | «n:10» |
| large | «abalike» | «ssnlike» | «n:11» |
=== second-news-ticker | prose | en
BUZZ-«firm» +«pct» premkt, vol «n:9», 52-wk range $«dec:2:2»-$«dec:3:2», mkt cap KRW «cardlike:amex», RIC «krcode».KS, PermID «n:10»
=== second-analyst-table | kv | en
Target price    «grp:6» won (from «grp:6»)
Shares out      «ssnlike»
Float           «n:9»
Enterprise val  «cardlike:visa» won
Report id       «date:%Y%m%d»-«d:4»
=== second-password-reset-mail | prose | en
Hi «name», you asked to reset your password on «date:%d %b %Y at %H~%M». The link works for «n:2» minutes. If it was not you, call «phone». Case «n:8».
=== second-security-review | prose | en
Review: passwords must have «between:10:16» characters; «n:5» tokens were rotated, «n:4» private keys retired, «n:7» card numbers and «n:6» SSNs purged from «n:9» rows.
=== second-bank-holiday | prose | en
Bank account maintenance on «date:%d %B %Y», «date:%H~%M» to «date:%H~%M» UTC, change CHG«d:7»; wires over $«n:8» wait for «date:%Y-%m-%d».
=== second-ko-disclosure | prose | ko
[주요사항보고서] «kfirm»(A«krcode») 전환사채 «grp:11»원 발행, 전환가액 «grp:5»원, 전환청구기간 «date:%Y.%m.%d»~«date:%Y.%m.%d», 접수번호 «date:%Y%m%d»«d:6»
=== second-ko-card-news | prose | ko
여신금융협회에 따르면 지난달 카드 승인금액은 «cardlike:visa»원, 승인건수는 «n:10»건, 체크카드 발급은 «n:9»장이다.
=== second-ko-bank-news | prose | ko
«kfirm»은행의 요구불예금 계좌는 «n:8»개로 늘었고 계좌 잔액 합계는 «cardlike:mc»원, 비대면 개설 계좌는 «grp:7»개였다.
=== second-ko-dart-json | json | ko
{"rcept_no":"«date:%Y%m%d»«d:6»","corp_code":"00«d:6»","jurir_no":"«corp_reg»","bizr_no":"«biz_reg»","thstrm_amount":"«cardlike:visa»","frmtrm_amount":"«n:15»"}
=== second-ko-krx-csv | csv | ko
종목코드,종목명,상장주식수,시가총액,외국인보유수량
A«krcode»,«kfirm»,«n:10»,«cardlike:amex»,«ssnlike»
A«krcode»,«kfirm»,«abalike»,«cardlike:amex»,«ssnlike»
=== second-ko-balance-md | md | ko
| 계정 | 당기말(원) | 전기말(원) |
|---|--:|--:|
| 보통예금 | «n:12» | «cardlike:visa» |
| 미지급카드대금 | «n:10» | «n:10» |
| 은행차입금 | «cardlike_grouped:mc» | «cardlike:amex» |
=== second-ko-account-summary | kv | ko
[계좌 요약]
총자산 «n:10»
매수가능금액 «n:9»
실현손익 -«n:7»
계좌 개설일 «date:%Y%m%d»
=== second-ko-delivery | prose | ko
카드가 발송되었습니다. 등기번호 «n:13», 문의 1544-«d:4», 배송 예정일 «date:%m월 %d일». 연회비 «grp:5»원.
=== second-ko-bill | kv | ko
전자납부번호: «n:19»
고지번호: «n:10»
납부금액: «grp:6»원
납기: «date:%Y-%m-%d»
=== second-ko-contact | prose | ko
담당 «kname» 과장, 직통 «krphone», 사업자등록번호 «biz_reg», 통신판매업 «between:2015:2025»-서울강남-0«d:4», 우편번호 «d:5»
=== second-ko-masked-log | log | ko
«date:%H~%M~%S» 이체 성공 계좌=***«d:4» 주민번호=******-******* 금액=«n:8» 거래고유번호=«date:%Y%m%d»«n:12»
=== second-ko-notice | prose | ko
비밀번호 5회 오류 시 이용이 제한됩니다. 토큰 유효시간 «n:5»초, 누적 호출 «n:9»건, 앱키 재발급 «n:4»건.
=== second-ko-tax-law | prose | ko
주민등록번호 대신 고유식별번호 대체수단을 쓴 신고는 «n:7»건, 세액은 «n:13»원이며 계좌번호 오류로 환급이 안 된 금액은 «n:11»원이다.
=== second-ko-api-error | json | ko
{"rt_cd":"1","msg_cd":"OPSQ«d:4»","msg1":"계좌번호를 확인하여 주십시오","output":{"acml_vol":"«ssnlike»","hts_avls":"«n:7»","lstn_stcn":"«n:10»","acml_tr_pbmn":"«n:14»"}}
=== second-ko-html-fund | html | ko
<tr><th>설정액</th><td>«n:13»</td><th>기준가</th><td>«dec:4:2»</td><th>펀드코드</th><td>K55«d:3»B«d:5»</td><th>계좌수</th><td>«n:8»</td></tr>
"""
