"""The fourth set: templates with private pieces, by somebody who had seen no rule."""

TEXTS = r"""
=== fourth-export-preamble | csv | en
Account Name,Everyday Checking
Account Number,«account:us10»
Date Range,«date:%m/%d/%Y» - «date:%m/%d/%Y»
Transaction Number,Date,Description,Debit,Credit,Balance
«date:%Y%m%d»-«n:6»,«date:%m/%d/%Y»,POS QUAY GROCERY #«n:4»,-«dec:2:2»,,«dec:4:2»
=== fourth-giro-csv | csv | en
"Auftragskonto";"Buchungstag";"Buchungstext";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag"
"«iban:bare:DE»";"«date:%d.%m.%y»";"FOLGELASTSCHRIFT";"«firm»";"«iban:bare:DE»";"«bic»";"-«n:3»,«d:2»"
"«iban:bare:DE»";"«date:%d.%m.%y»";"LOHN GEHALT";"«firm»";"«iban:bare:AT»";"«bic»";"«n:4»,«d:2»"
=== fourth-payment-run-tsv | csv | en
Vendor Name«tab»Bank Name«tab»ABA/Routing«tab»Acct Number«tab»Doc No.«tab»Pmt Amount
«firm»«tab»Harbor Trust«tab»«aba»«tab»«account:us11»«tab»19000«d:5»«tab»«dec:5:2»
«firm»«tab»Quay Savings«tab»«aba»«tab»«account:us10»«tab»19000«d:5»«tab»«dec:4:2»
=== fourth-payroll-export | csv | en
Last Name,First Name,Work Email,SSN,Bank Routing Number,Bank Account Number,Account Type,Net Pay
Brandt,Ellen,ellen@northwind.example,«ssn»,«aba»,«account:us9»,Checking,«dec:4:2»
Ferreira,Hugo,hugo@northwind.example,«ssn»,«aba»,«account:us12»,Savings,«dec:4:2»
=== fourth-vendor-1099-csv | csv | en
Vendor,Phone,Tax ID,Track 1099,Open Balance,YTD Payments
«name»,«phone»,«ssn»,Yes,«dec:3:2»,«dec:5:2»
«name»,«phone»,«ssn»,Yes,0.00,«dec:4:2»
=== fourth-brokerage-history | csv | en
"Transactions for account «account:schwab» as of «date:%m/%d/%Y %H~%M~%S ET»"
"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"«date:%m/%d/%Y»","Sell","«tick»","«firm»","«n:3»","$«dec:3:2»","$0.0«d:1»","$«cmoney»"
=== fourth-core-bank-pipe | csv | en
CIF|CUST_NAME|SSN|BRANCH|OPEN_DT|AVG_BAL_12M
«n:8»|«name»|«ssn:bare»|«d:4»|«date:%Y%m%d»|«dec:6:2»
«n:8»|«name»|«ssn:bare»|«d:4»|«date:%Y%m%d»|«dec:5:2»
=== fourth-md-onboarding | md | en
| Item | Detail |
|---|---|
| Legal name | «firm» |
| Bank account no. | `«account:us12»` |
| Routing no. (ABA) | `«aba»` |
| First purchase order | 45«d:8», $«cmoney» |
=== fourth-md-runbook | md | en
## Month-end reconciliation
1. Sign in at https://recon.example.com with user `recon-bot` and password `«password»`.
2. Download `positions_«date:%Y%m%d».csv` (about «grp:6» rows).
3. Differences above $«grp:5» go to #fund-ops.
=== fourth-questrade-accounts | json | en
{"accounts":[{"type":"Margin","number":"«account:us8»","status":"Active","isPrimary":true,"isBilling":true,"clientAccountType":"Individual"}],"userId":«n:7»}
=== fourth-oauth-file | json | en
{"creation_timestamp": «epoch:s», "token": {"expires_in": 1800, "token_type": "Bearer", "scope": "api", "refresh_token": "«token:plain»", "access_token": "«token:plain»", "id_token": "«token:jwt»", "expires_at": «epoch:s»}}
=== fourth-psp-request | json | en
{"merchantAccount":"HarborlineCOM","reference":"INV-«n:7»","amount":{"currency":"EUR","value":«n:5»},"paymentMethod":{"type":"scheme","number":"«card:bare:mc»","expiryMonth":"0«between:1:9»","expiryYear":"20«between:27:31»","holderName":"«name»"}}
=== fourth-soql-result | json | en
{"totalSize":1,"done":true,"records":[{"attributes":{"type":"Vendor__c","url":"/services/data/v60.0/sobjects/Vendor__c/a01«b58:15»"},"Name":"«firm»","Bank_Account_Number__c":"«account:us10»","Routing_Number__c":"«aba»","Annual_Spend__c":«n:7».0}]}
=== fourth-recipient-aba | json | en
{"id":«n:8»,"profile":«n:7»,"accountHolderName":"«name»","currency":"USD","country":"US","type":"aba","details":{"legalType":"PRIVATE","abartn":"«aba»","accountNumber":"«account:us9»","accountType":"CHECKING"}}
=== fourth-uk-data-api | json | en
{"results":[{"update_timestamp":"«date:%Y-%m-%dT%H~%M~%SZ»","account_id":"«hexa:32»","account_type":"TRANSACTION","account_number":{"iban":"«iban:bare:GB»","swift_bic":"«bic»","number":"«account:us8»","sort_code":"«account|01-21-31»"},"currency":"GBP"}]}
=== fourth-obie-account | json | en
{"Data":{"Account":[{"AccountId":"«n:5»","Currency":"GBP","AccountSubType":"CurrentAccount","Account":[{"SchemeName":"UK.OBIE.IBAN","Identification":"«iban:bare:GB»","Name":"«name»"}]}]},"Meta":{"TotalPages":1}}
=== fourth-sentry-frame | json | en
{"filename":"billing/charge.py","function":"submit","lineno":«n:3»,"vars":{"self":"<Charge object at 0x7f«hexa:10»>","card_number":"'«card:bare:visa»'","amount_cents":"«n:6»","retries":"«between:0:5»"}}
=== fourth-helpdesk-ticket | json | en
{"ticket":{"id":«n:6»,"subject":"Refund not received","description":"Hi, you refunded $«dec:3:2» on «date:%B %d» but my old card is closed. Please send it to my new card «card:space:visa» instead.","priority":"normal","requester_id":«n:12»}}
=== fourth-tfstate | json | en
{"type":"aws_db_instance","name":"ledger","instances":[{"schema_version":2,"attributes":{"allocated_storage":«n:3»,"endpoint":"ledger.c«hexa:11».eu-west-1.rds.amazonaws.com:5432","username":"gl_owner","password":"«password»","resource_id":"db-«b32:26»"}}]}
=== fourth-item-exchange | json | en
{"access_token":"«token|access-production-4f1c7a3e-92d0-4b6e-8c15-7ad90b3fe216»","item_id":"«b58:37»","request_id":"«b58:15»"}
=== fourth-hris-record | json | en
{"employeeId":"«n:6»","legalName":"«name»","nationalIds":[{"countryCode":"USA","type":"SSN","value":"«ssn»"}],"compensation":{"annual":«n:6»,"currency":"USD","effective":"«date:%Y-%m-%d»"}}
=== fourth-graphql-client | json | en
{"data":{"client":{"id":"Q2xpZW50«b64:8»","name":"«name»","taxId":"«ssn»","accounts":{"edges":[{"node":{"accountNumber":"«account:us9»","marketValue":«dec:7:2»,"asOf":"«date:%Y-%m-%d»"}}]}}}}
=== fourth-chat-history-json | json | en
[{"role":"user","content":"pay the «firm» invoice «n:7» ($«dec:4:2») from my checking account number «account:us10», their routing number is «aba»"},{"role":"assistant","content":"I cannot send payments. I can prepare a draft for invoice «n:7»."}]
=== fourth-accounting-contact | json | en
{"Contacts":[{"ContactID":"«uuid»","ContactStatus":"ACTIVE","Name":"«firm»","BankAccountDetails":"«account:us12»","Balances":{"AccountsPayable":{"Outstanding":«dec:5:2»,"Overdue":«dec:4:2»}}}]}
=== fourth-bot-config | json | en
{
  "exchange": {"name": "binance", "key": "«api_key:plain»", "secret": "«token:plain»", "pair_whitelist": ["BTC/USDT"]},
  "telegram": {"enabled": true, "token": "«token|6381042957:AAGq7rLz0Wd5tYh2KpVxB9mUsEoNcJf3iQ4»", "chat_id": "«n:9»"},
  "stake_amount": «n:4»
}
=== fourth-pain001-us | html | en
<CdtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>USABA</Cd></ClrSysId><MmbId>«aba»</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt><Cdtr><Nm>«firm»</Nm></Cdtr><CdtrAcct><Id><Othr><Id>«account:us10»</Id></Othr></Id></CdtrAcct><RmtInf><Ustrd>INV «n:7»</Ustrd></RmtInf>
=== fourth-peppol-invoice | html | en
<cac:PaymentMeans><cbc:PaymentMeansCode name="Credit transfer">30</cbc:PaymentMeansCode><cbc:PaymentID>«n:9»</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>«iban:bare:NO»</cbc:ID><cbc:Name>«firm»</cbc:Name></cac:PayeeFinancialAccount></cac:PaymentMeans>
=== fourth-hr-soap | html | en
<wd:Worker_Data><wd:Employee_ID>«n:6»</wd:Employee_ID><wd:Social_Security_Number>«ssn:bare»</wd:Social_Security_Number><wd:Total_Base_Pay>«dec:6:2»</wd:Total_Base_Pay></wd:Worker_Data>
=== fourth-ofx2-transfer | ofx | en
<STMTTRN><TRNTYPE>XFER</TRNTYPE><DTPOSTED>«date:%Y%m%d»120000</DTPOSTED><TRNAMT>-«dec:4:2»</TRNAMT><FITID>«n:15»</FITID><BANKACCTTO><BANKID>«aba»</BANKID><ACCTID>«account:us10»</ACCTID><ACCTTYPE>SAVINGS</ACCTTYPE></BANKACCTTO></STMTTRN>
=== fourth-html-remit | html | en
<p>Please remit <b>$«cmoney»</b> by «date:%b %d, %Y» to:<br>Harbor Trust, N.A.<br>Routing #: «aba»<br>Account #: «account:us10»<br>Reference: INV-«n:6»</p>
=== fourth-html-payslip | html | en
<table class="slip"><tr><td>Employee</td><td>«name»</td><td>Soc. Sec. No.</td><td>«ssn»</td></tr><tr><td>Gross</td><td>«cmoney»</td><td>Check no.</td><td>«n:6»</td></tr></table>
=== fourth-paystub-pdf | kv | en
NORTHWIND ENERGY INC                                  Pay Date      «date:%m/%d/%Y»
Employee: «name»         SSN: «ssn»         Advice No. «n:8»
Earnings      Rate       Hours      This Period      YTD
Regular       «dec:2:4»    80.00      «dec:4:2»          «dec:5:2»
Direct Deposit   Checking   Acct «account:us10»      «dec:4:2»
=== fourth-remit-block-pdf | kv | en
   Bill To                          Remittance (ACH / Wire)
   «firm»                 Bank:      Quay Commercial Bank
   PO Box «n:4»                      ABA:       «aba»
   Tulsa, OK «d:5»                  Account:   «account:us11»
   Terms: Net 30                    SWIFT:     «bic»
=== fourth-credit-report | kv | en
CONSUMER:  WHITLOCK, DANA                 SSN: «ssn»        FILE #: «n:10»
SCORE  «between:580:840»   HIGH CREDIT  «grp:6»   PAST DUE  0
HARBOR BANK     REV   #«n:6»XXXXXX   OPENED «date:%m/%y»   BAL «grp:5»
=== fourth-wire-confirm | kv | en
Confirmation #:               «n:10»
Beneficiary Name:             «firm»
Beneficiary Account/IBAN:     «iban:bare:CH»
Beneficiary Bank SWIFT:       «bic»
Amount:                       CHF «grp:6».«d:2»
=== fourth-iso8583-dump | log | en
MTI 0100
[002] Primary account number ......: «card:bare:mc»
[004] Amount, transaction .........: 0000000«n:5»
[011] STAN ........................: «d:6»
[037] Retrieval reference number ..: «n:12»
=== fourth-mysql-vertical | sql | en
*************************** 1. row ***************************
        vendor_id: «n:5»
             name: «firm»
     bank_account: «account:us10»
   routing_number: «aba»
     total_billed: «dec:7:2»
=== fourth-psql-expanded | sql | en
-[ RECORD 1 ]---+---------------------------
customer_id     | «n:7»
iban            | «iban:bare:IE»
credit_limit    | «n:6».00
last_payment_at | «date:%Y-%m-%d %H~%M~%S»+00
=== fourth-uk-payslip-pdf | kv | en
Tax Code 1257L      NI Table A      Period «between:1:12»      Payroll No. «n:5»
Paid by BACS    Sort Code «account|30-94-17»    Account No. «account:us8»
Gross Pay    «dec:4:2»      Tax    «dec:3:2»      Net Pay    «dec:4:2»
=== fourth-systemd-unit | kv | en
[Service]
Environment="TZ=UTC" "LEDGER_DB_PASSWORD=«password»"
ExecStart=/opt/feeds/bin/load --since «date:%Y-%m-%d» --limit «n:6»
MemoryMax=«n:10»
=== fourth-npmrc | kv | en
@desk:registry=https://npm.example.com/
//npm.example.com/:_authToken=«token|npm_Zk4Tq9vB2xWc7LmRf1YsHd8PgJu3NaEo5K0i»
fetch-timeout=«n:5»
=== fourth-azure-conn | kv | en
AZURE_STORAGE_CONNECTION_STRING=DefaultEndpointsProtocol=https;AccountName=finfeeds«n:3»;AccountKey=«token:plain»;EndpointSuffix=core.windows.net
=== fourth-jdbc-params | yaml | en
warehouse:
  url: jdbc:mysql://«ip»:3306/gl?user=rpt&password=«password|Cedar-loft_48213»&useSSL=true
  fetch_size: «n:5»
  query_timeout_ms: «n:6»
=== fourth-pip-conf | kv | en
[global]
index-url = https://builder:«password|Tundra_moss-70914»@pypi.example.com/simple
timeout = «n:5»
=== fourth-custodian-ini | kv | en
[custodian.sftp]
host = sftp.harbortrust.example
port = 22
username = nwfund«n:3»
password = «password»
poll_seconds = «n:4»
=== fourth-ansible-vars | yaml | en
ansible_user: deploy
ansible_become_password: "«password»"
prices_feed_api_token: "«token:plain»"
prices_retention_days: «n:4»
=== fourth-accounts-yaml | yaml | en
accounts:
  - {name: Joint taxable, broker: Contoso, account_no: "«account:us9»", opened: «date:%Y-%m-%d»}
  - {name: Roth IRA, broker: Contoso, account_no: "«account:us9»", opened: «date:%Y-%m-%d»}
targets: {stocks: 0.6, bonds: 0.4, rebalance_usd: «n:5»}
=== fourth-rails-params | log | en
I, [«date:%Y-%m-%dT%H~%M~%S».«d:6» #«n:5»]  INFO -- : Parameters: {"applicant"=>{"name"=>"«name»", "ssn"=>"«ssn»", "income"=>"«n:6»"}, "commit"=>"Save"}
=== fourth-unique-violation | log | en
psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint "payees_iban_key"
DETAIL:  Key (iban)=(«iban:bare:IT») already exists.
CONTEXT:  COPY payees, line «n:4»
=== fourth-ib-api-log | log | en
«date:%H~%M~%S»,«d:3» ibapi.wrapper INFO AccountValue(account='«account:ibkr»', tag='NetLiquidation', value='«dec:6:2»', currency='USD', modelCode='')
«date:%H~%M~%S»,«d:3» ibapi.wrapper INFO Error 10197, reqId «n:4»: No market data during competing live session
=== fourth-fix-pretty | log | en
NewOrderSingle seq=«n:5» Account(1)=«account:ibkr» ClOrdID(11)=«n:12» Symbol(55)=«tick» OrderQty(38)=«n:4» Price(44)=«dec:3:2»
=== fourth-java-tostring | log | en
«date:%Y-%m-%d %H~%M~%S».«d:3» ERROR [http-nio-8080-exec-«n:1»] c.h.pay.ChargeService - declined CardRequest{cardNumber=«card:bare:visa», expiry=«between:10:12»/«between:27:31», amount=«dec:3:2», mcc=«n:4»}
=== fourth-traceback-locals | log | en
  File "/srv/app/payouts/ach.py", line «n:3», in build_entry
    routing_number = '«aba»'
    account_number = '«account:us10»'
    amount_cents = «n:7»
KeyError: 'company_entry_description'
=== fourth-curl-verbose | log | en
> GET /statements/v2/balances?asOf=«date:%Y-%m-%d» HTTP/2
> Ocp-Apim-Subscription-Key: «api_key:hex»
< HTTP/2 403
< x-ms-request-id: «uuid»
=== fourth-ci-clone | log | en
$ git clone --depth 1 https://oauth2:«api_key:gitlab»@gitlab.example.com/desk/pricing.git
Receiving objects: 100% («n:5»/«n:5»), «dec:2:2» MiB | «dec:1:2» MiB/s, done.
HEAD is now at «hexa:8» bump fees table
=== fourth-tool-error-transfer | log | en
ToolError: bank.transfer failed (422 invalid_destination): no checking account «account:us10» at routing number «aba»; amount «dec:4:2» USD was not sent, request «uuid»
=== fourth-httpx-key | log | en
INFO httpx: HTTP Request: GET https://financialmodelingprep.com/api/v3/historical-price-full/«tick»?timeseries=«n:3»&apikey=«api_key:plain» "HTTP/1.1 200 OK"
=== fourth-ws-url | log | en
connecting to wss://ws.finnhub.io?token=«token:plain» ... open in «n:3» ms, subscribed «tick», seq «n:9»
=== fourth-credit-agreement | prose | en
All payments to the Administrative Agent shall be made by wire transfer to Harbor Trust Company, N.A., ABA No. «aba», Account No. «account:us9», Attention: Agency Services, Ref: «firm» $«grp:9» Term Loan due «date:%Y».
=== fourth-mail-salary-change | prose | en
Hi Priya,
we closed the old account last week. From the «date:%B» run please send my salary to checking account «account:us10» at Quay Savings, routing «aba».
My employee number is «n:6». Thanks, «name»
=== fourth-intercom-card | prose | en
Customer («date:%H~%M»): renewal failed again?? invoice says $«dec:3:2»
Customer («date:%H~%M»): just charge this one «card:space:visa» exp «between:10:12»/«between:27:31»
Agent («date:%H~%M»): Please don't send card details in chat. Conversation #«n:8»
=== fourth-tax-organizer | prose | en
Dependents: Mia (born «between:2008:2019», SSN «ssn»), Leo (born «between:2008:2019», SSN «ssn»). Childcare paid $«grp:4» to Bright Oaks, EIN «d:2»-«d:7». 529 contributions $«grp:5».
=== fourth-slack-handover | prose | en
«name»  «date:%H~%M» fyi the Bloomberg SFTP login is user dl«n:6», pw: «password» - it expires on «date:%d %b», drop folder has «n:5» files
=== fourth-ap-fraud-note | prose | en
Do not pay: the e-mail of «date:%d %B» with new bank details for «firm» (IBAN «iban:space:PL») was spoofed. The vendor master still shows «iban:space:DE». Blocked: EUR «grp:6», documents 5100«d:6» and 5100«d:6».
=== fourth-advisor-crm | prose | en
Call «date:%m/%d»: client wants to move $«grp:6» from brokerage acct «account:us8» into munis; verified by DOB and SSN «ssn». Follow up re: «n:3» shares «tick» at a basis of $«dec:2:2».
=== fourth-key-in-issue | prose | en
Steps to reproduce: export TIINGO_API_KEY=«api_key:hex», then `finclaw bars «tick» --since «date:%Y-%m-%d»`. Expected «n:4» rows, got HTTP 500 after «dec:1:2» s.
=== fourth-create-role | sql | en
CREATE ROLE report_ro LOGIN PASSWORD '«password»' CONNECTION LIMIT «n:2»;
GRANT SELECT ON gl.balances TO report_ro; -- CHG«d:7»
=== fourth-sql-pan-in | sql | en
SELECT txn_id, amount_minor, posted_on FROM card_txn WHERE pan IN ('«card:bare:visa»', '«card:bare:mc»') AND amount_minor > «n:6» ORDER BY posted_on DESC;
=== fourth-snowflake-connect | code | en
conn = snowflake.Connector.connect(user="SVC_RISK", password="«password»", account="hb«n:5».eu-west-1", warehouse="WH_S", login_timeout=«n:2»)
df = pd.read_sql("select * from positions limit «n:5»", conn)
=== fourth-ccxt-js | code | en
const ex = new ccxt.kraken({ apiKey: '«api_key:plain»', secret: '«token:plain»', timeout: «n:5» });
const t = await ex.fetchTicker('BTC/USD'); // last seen «dec:5:1»
=== fourth-powershell-env | code | en
$env:APCA_API_SECRET_KEY = "«token:plain»"
$env:PGPASSWORD = '«password»'; psql -h «ip» -U quotes -c "select max(ts) from bars"   # «epoch:ms»
=== fourth-known-hosts-key | code | en
$ cat ./keys/custodian_ed25519
«private_key:lines:OPENSSH »
$ sftp -i ./keys/custodian_ed25519 nwfund@sftp.example.com   # files kept «n:2» days
=== fourth-ko-slack-expense | prose | ko
@이도윤 지난주 출장비 «grp:6»원은 하나은행 «account:hana» 로 넣어주시면 됩니다. 품의번호는 «date:%Y»-«n:4»입니다!
=== fourth-ko-excel-preamble | csv | ko
조회계좌번호,«account:hana»,,,
조회기간,«date:%Y-%m-%d» ~ «date:%Y-%m-%d»,,,
거래일시,적요,의뢰인/수취인,출금액,거래후잔액
«date:%Y-%m-%d %H~%M~%S»,타행이체,«kname»,«n:6»,«n:8»
=== fourth-ko-app-export | csv | ko
거래 일시,적요,거래 유형,거래 기관,계좌번호,거래 금액,거래 후 잔액
«date:%Y.%m.%d %H~%M~%S»,«kname»,송금,우리은행,«account:woori»,"-«grp:6»","«grp:7»"
«date:%Y.%m.%d %H~%M~%S»,월급,입금,국민은행,«account:kb»,"«grp:7»","«grp:8»"
=== fourth-ko-hts-screen | kv | ko
계좌번호  «account:kis» [위탁종합]      조회일시 «date:%Y/%m/%d %H~%M~%S»
예수금      «grp:9»    D+2예수금    «grp:9»
«krcode»  «kfirm»   «n:4»주   평균 «grp:5»   손익 -«grp:6»
=== fourth-ko-hometax-xml | html | ko
<근로소득자><성명>«kname»</성명><주민등록번호>«rrn:bare:old»</주민등록번호><총급여액>«n:8»</총급여액><결정세액>«n:7»</결정세액></근로소득자>
=== fourth-ko-land-registry | prose | ko
[갑구] 순위 «between:2:9» 소유권이전, 접수 «date:%Y년 %m월 %d일» 제«n:5»호, 소유자 «kname» «rrn:dash:old», 거래가액 금 «grp:9»원
=== fourth-ko-payment-md | md | ko
| 거래처 | 은행 | 지급계좌번호 | 지급액(원) | 전표 |
|---|---|---|--:|---|
| «kfirm» | 기업 | «account:ibk» | «grp:8» | «n:8» |
| «kname» | 농협 | «account:nh» | «grp:6» | «n:8» |
=== fourth-ko-insurer-log | log | ko
«date:%Y-%m-%d %H~%M~%S».«d:3» [claim-worker-«n:1»] WARN 중복청구 의심 juminNo=«rrn:bare:old» claimAmt=«n:7» hospCd=«n:8»
=== fourth-ko-dividend-notice | kv | ko
배 당 금 지 급 통 지 서            «kfirm» 주식회사
주주명  «kname»      주민등록번호  «rrn:dash:old»
소유주식수  «grp:5»주    배당금  «grp:7»원    원천징수세액  «grp:6»원
=== fourth-ko-approval-json | json | ko
{"cardNo":"«card:bare:korea»","apprNo":"«d:8»","apprDtm":"«date:%Y%m%d%H%M%S»","apprAmt":"«n:6»","mrhstNm":"한빛주유소","mrhstBizNo":"«biz_reg»"}
=== fourth-ko-vpn-mail | prose | ko
신규 입사자 계정 안내드립니다. 사번 «n:6», 초기 비밀번호는 «password» 입니다. 최초 로그인 후 «between:3:7»일 이내에 변경해 주세요. 문의: 내선 «n:4»
=== fourth-ko-kis-env | kv | ko
# 모의투자 (~«date:%Y-%m-%d» 까지)
KIS_APP_KEY=«api_key:plain»
KIS_APP_SECRET=«token:plain»
KIS_ACCOUNT_NO=«account:kis»
MAX_ORDER_KRW=«n:8»
=== fourth-ko-mojito-code | code | ko
broker = mojito.KoreaInvestment(api_key="«api_key:plain»", api_secret="«token:plain»", acc_no="«account:kis»")
resp = broker.create_limit_buy_order(symbol="«krcode»", price=«n:5», quantity=«n:2»)  # 지정가 매수
=== fourth-ko-staff-sql | sql | ko
INSERT INTO 직원 (사번, 성명, 주민번호, 급여은행, 급여계좌번호, 기본급) VALUES ('«n:6»', '«kname»', '«rrn:dash»', '국민', '«account:kb»', «n:7»);
=== fourth-ko-invoice-mail | prose | ko
세금계산서 발행해 드렸습니다(승인번호 «date:%Y%m%d»-«n:8»). 대금 «grp:8»원은 신한은행 계좌 «account:shinhan» 으로 부탁드립니다. 사업자번호 «biz_reg»
=== fourth-ko-lack-of-funds | log | ko
이체 오류 [E«n:4»] 출금계좌(«account:toss»)의 잔액이 부족합니다. 요청금액 «grp:7»원, 출금가능금액 «grp:5»원, 거래고유번호 «date:%Y%m%d»«n:9»
"""
