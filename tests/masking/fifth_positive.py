"""The fifth set: templates with private pieces, by somebody who had seen no rule."""

TEXTS = r"""
=== fifth-bank-export-csv | csv | en
Account Number,Transaction Date,Transaction Type,Transaction Description,Transaction Amount,Balance
«account:us11»,«date:%m/%d/%y»,Debit,ACH Withdrawal CITY POWER AND LIGHT,«dec:3:2»,«dec:4:2»
«account:us11»,«date:%m/%d/%y»,Credit,Payroll deposit «firm»,«dec:4:2»,«dec:5:2»
=== fifth-uk-bank-csv | csv | en
Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance
«date:%d/%m/%Y»,DEB,«account|30-96-26»,«account:us8»,CORNER STORES «n:4»,«dec:2:2»,,«dec:4:2»
«date:%d/%m/%Y»,FPI,«account|30-96-26»,«account:us8»,«firm» «n:9»,,«dec:4:2»,«dec:4:2»
=== fifth-positions-csv | csv | en
Account Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value,Total Gain/Loss Percent,Type
«account:fid»,Individual - TOD,«tick»,«firm»,«n:3».«d:3»,$«dec:3:2»,$«cmoney»,+«pct»,Cash
«account:fid»,ROTH IRA,FXAIX,500 INDEX FUND,«dec:3:3»,$«dec:3:2»,$«cmoney»,+«pct»,Cash
=== fifth-ibkr-activity-csv | csv | en
Statement,Data,Period,"«date:%B %d, %Y»"
Account Information,Header,Field Name,Field Value
Account Information,Data,Name,«name»
Account Information,Data,Account,«account:ibkr»
Trades,Data,Order,Stocks,USD,«tick»,"«date:%Y-%m-%d, %H~%M~%S»",«n:3»,«dec:3:2»,-«dec:5:2»,-1.00
=== fifth-n26-csv | csv | en
"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Exchange Rate"
"«date:%Y-%m-%d»","«firm»","«iban:bare:DE»","Direct Debit","Rechnung «n:8»","-«dec:2:2»",""
"«date:%Y-%m-%d»","«name»","«iban:bare:AT»","Income","Miete","«dec:3:2»",""
=== fifth-payroll-register | csv | en
Employee ID,Last Name,First Name,SSN,Gross Pay,Federal W/H,FICA,Net Pay,Check Date
E«d:5»,Whitlock,Dana,«ssn»,«dec:4:2»,«dec:3:2»,«dec:3:2»,«dec:4:2»,«date:%m/%d/%Y»
E«d:5»,Raman,Priya,«ssn»,«dec:4:2»,«dec:3:2»,«dec:3:2»,«dec:4:2»,«date:%m/%d/%Y»
=== fifth-direct-deposit-tsv | csv | en
Employee«tab»Routing Number«tab»Account Number«tab»Account Type«tab»Deposit Amount
«name»«tab»«aba»«tab»«account:us10»«tab»Checking«tab»«dec:4:2»
«name»«tab»«aba»«tab»«account:us12»«tab»Savings«tab»«dec:3:2»
=== fifth-1099-upload | csv | en
form,tax_year,recipient_name,recipient_tin,box1_nonemployee_comp,recipient_city,recipient_state
1099-NEC,2024,«name»,«ssn:bare»,«dec:5:2»,Austin,TX
1099-NEC,2024,«name»,«ssn:bare»,«dec:4:2»,Reno,NV
=== fifth-corporate-cards-csv | csv | en
Cardholder,Card Number,Exp,Posting Date,Merchant,MCC,Amount,Currency
«name»,«card:bare:visa»,0«between:1:9»/27,«date:%Y-%m-%d»,BLUE HARBOR AIR,«n:4»,«dec:3:2»,USD
«name»,«card:bare:mc»,1«between:0:2»/28,«date:%Y-%m-%d»,QUAYSIDE HOTEL,7011,«dec:3:2»,USD
=== fifth-plaid-auth | json | en
{"accounts":[{"account_id":"«b58:37»","balances":{"available":«dec:4:2»,"current":«dec:4:2»,"iso_currency_code":"USD"},"mask":"«d:4»","subtype":"checking"}],"numbers":{"ach":[{"account":"«account:us10»","account_id":"«b58:37»","routing":"«aba»","wire_routing":"«aba»"}],"bacs":[],"eft":[]},"request_id":"«b58:15»"}
=== fifth-mercury-accounts | json | en
{
  "accounts": [
    {"id": "«uuid»", "name": "Mercury Checking ••«d:4»", "accountNumber": "«account:us12»", "routingNumber": "«aba»", "availableBalance": «dec:6:2», "kind": "checking", "createdAt": "«date:%Y-%m-%dT%H~%M~%SZ»"}
  ]
}
=== fifth-trader-api-account | json | en
[{"securitiesAccount":{"type":"MARGIN","accountNumber":"«account:us8»","roundTrips":0,"isDayTrader":false,"positions":[{"longQuantity":«n:3».0,"averagePrice":«dec:3:4»,"instrument":{"assetType":"EQUITY","cusip":"«cusip»","symbol":"«tick»"},"marketValue":«dec:5:2»}],"currentBalances":{"cashBalance":«dec:5:2»,"liquidationValue":«dec:6:2»}}}]
=== fifth-tradier-profile | json | en
{"profile":{"account":{"account_number":"«account:us8»","classification":"individual","date_created":"«date:%Y-%m-%dT%H~%M~%S.000Z»","day_trader":false,"option_level":6,"status":"active","type":"margin"},"id":"id-gcostanza","name":"«name»"}}
=== fifth-alpaca-account | json | en
{"id":"«uuid»","account_number":"«account:us9»","status":"ACTIVE","crypto_status":"ACTIVE","currency":"USD","buying_power":"«dec:6:2»","cash":"«dec:5:2»","portfolio_value":"«dec:6:2»","pattern_day_trader":false,"created_at":"«date:%Y-%m-%dT%H~%M~%S.%fZ»","daytrade_count":0}
=== fifth-stripe-bank-account | json | en
{"id":"ba_1«b58:23»","object":"bank_account","account":"acct_1«b58:15»","account_holder_name":"«name»","account_holder_type":"individual","bank_name":"HARBOR TEST BANK","country":"US","currency":"usd","fingerprint":"«b58:16»","last4":"«d:4»","routing_number":"«aba»","status":"new"}
=== fifth-xero-contact | json | en
{"ContactID":"«uuid»","ContactStatus":"ACTIVE","Name":"«firm»","EmailAddress":"ap@example.com","BankAccountDetails":"«iban:bare:GB»","TaxNumber":"GB«n:9»","AccountsPayableTaxType":"INPUT2","UpdatedDateUTC":"/Date(«epoch:ms»+0000)/"}
=== fifth-open-banking-txn | json | en
{"transactions":{"booked":[{"transactionId":"«n:16»","bookingDate":"«date:%Y-%m-%d»","transactionAmount":{"currency":"EUR","amount":"-«dec:2:2»"},"creditorName":"«firm»","creditorAccount":{"iban":"«iban:bare:NL»"},"remittanceInformationUnstructured":"Factuur «n:6»"}],"pending":[]}}
=== fifth-payments-ndjson | json | en
{"ts":«epoch:ms»,"event":"payout.created","payout_id":"po_«n:10»","amount":«n:7»,"dest":{"bank_account_number":"«account:us10»","routing_number":"«aba»"}}
{"ts":«epoch:ms»,"event":"payout.paid","payout_id":"po_«n:10»","amount":«n:7»,"dest":{"bank_account_number":"«account:us12»","routing_number":"«aba»"}}
=== fifth-card-charge-request | json | en
POST /v1/charges
{"amount": «n:5», "currency": "usd", "source": {"object": "card", "number": "«card:bare:visa»", "exp_month": «between:1:12», "exp_year": 20«between:27:31»}, "description": "Order #«n:6»"}
=== fifth-oauth-token-response | json | en
{"access_token":"«token:jwt»","token_type":"Bearer","expires_in":3600,"refresh_token":"«token:plain»","scope":"accounts transactions"}
=== fifth-kyc-applicant | json | en
{"applicant_id": "app_«hexa:16»", "first_name": "Ellen", "last_name": "Brandt", "date_of_birth": "«date:%Y-%m-%d»", "ssn": "«ssn»", "phone": "«phone»", "address": {"line1": "«n:3» Pine St", "postal_code": "«d:5»"}, "annual_income": «n:6», "status": "pending"}
=== fifth-loan-application-json | json | en
{"application":{"id":«n:8»,"amount":«n:6»,"term_months":360,"borrower":{"name":"«name»","ssn":«ssn:bare»,"employer":"«firm»"},"autopay":{"routing_number":"«aba»","account_number":«account:us10»}}}
=== fifth-tool-accounts-list | json | en
{"ok": true, "tool": "list_accounts", "result": [{"institution": "Blue Harbor Bank", "type": "checking", "number": "«account:us12»", "balance": «dec:5:2»}, {"institution": "Blue Harbor Bank", "type": "credit card", "number": "«card:bare:mc»", "balance": -«dec:4:2»}], "elapsed_ms": «n:3»}
=== fifth-dotenv | kv | en
# finance-agent local settings
ALPACA_BASE_URL=https://paper-api.alpaca.markets
OPENAI_API_KEY=«api_key:openai»
ANTHROPIC_API_KEY=«api_key:anthropic»
POLYGON_API_KEY=«api_key:plain»
CACHE_TTL_SECONDS=«n:5»
=== fifth-aws-credentials | kv | en
[default]
aws_access_key_id = «api_key:aws»
aws_secret_access_key = «token:plain»
region = us-east-1
=== fifth-db-url-env | kv | en
DATABASE_URL=postgresql://ledger:«password|violetQuartz7731»@db.internal:5432/ledger
REDIS_URL=redis://cache.internal:6379/0
STRIPE_SECRET_KEY=«api_key:stripe»
SLACK_BOT_TOKEN=«token:slack»
=== fifth-compose-yaml | yaml | en
services:
  db:
    image: postgres:16
    environment:
      POSTGRES_USER: ledger
      POSTGRES_PASSWORD: «password»
    ports: ["5432:5432"]
    mem_limit: «n:9»
=== fifth-app-yml | yaml | en
spring:
  datasource:
    url: jdbc:mysql://10.0.4.«between:2:250»:3306/books
    username: books_rw
    password: "«password»"
market-data:
  api-key: «api_key:plain»
  timeout-ms: «n:4»
=== fifth-config-toml | kv | en
[broker]
name = "ibkr"
account = "«account:ibkr»"
port = 7497
client_id = «between:1:99»

[llm]
api_key = "«api_key:anthropic»"
=== fifth-wire-instructions-email | prose | en
Hi «name»,

Please wire the $«grp:6».00 to:
Bank: Blue Harbor Bank, N.A.
ABA / Routing #: «aba»
Account #: «account:us10»
Account name: «firm» LLC
Reference: Invoice INV-«n:5»
=== fifth-invoice-footer | prose | en
Invoice RE-20«between:24:26»-«n:4»   Due «date:%d.%m.%Y»   Total EUR «grp:4:dot»,«d:2»
«firm» GmbH · VAT ID DE«n:9» · Bank: Sparkasse · IBAN: «iban:space:DE» · BIC: «bic»
=== fifth-uk-invoice-bacs | prose | en
Payment by BACS to «firm» Ltd, sort code «account|20-45-77», account number «account:us8», quoting INV-«n:5».
VAT Reg No GB «n:3» «n:4» «n:2». Company No. 0«n:7». Total due £«cmoney» by «date:%d %B %Y».
=== fifth-remittance-advice | prose | en
REMITTANCE ADVICE        Payment date: «date:%m/%d/%Y»     Payment no.: «n:8»
Paid to: «firm»          By: ACH to account «account:us9» (routing «aba»)
Invoice «n:7»  $«cmoney»    Invoice «n:7»  $«cmoney»
=== fifth-support-chat-card | prose | en
[«date:%H~%M»] Customer: hi, my payment of $«dec:2:2» got declined again
[«date:%H~%M»] Agent: Sorry to hear that! Which card did you use?
[«date:%H~%M»] Customer: «card:space:visa» exp 0«between:1:9»/27, it worked last month
=== fifth-support-ticket-ssn | prose | en
Ticket #«n:6» - Cannot open brokerage account
The application says my social does not match. My SSN is «ssn», DOB «date:%m/%d/%Y». Please call «phone».
=== fifth-crm-note | prose | en
«date:%Y-%m-%d» call w/ «name». Wants to move the IRA (acct «account:us8», approx $«grp:6») over to us before year end. Has ~«n:3» sh «tick». Follow up next week, ref case «n:8».
=== fifth-statement-header-text | prose | en
BLUE HARBOR BANK                                   Statement Period: «date:%m/%d/%Y» - «date:%m/%d/%Y»
«name»                                      Account Number: «account:zeros»
Beginning Balance  $«cmoney»      Deposits  $«cmoney»      Ending Balance  $«cmoney»
=== fifth-trade-confirmation | prose | en
TRADE CONFIRMATION    Account No. «account:sec10»    Trade Date «date:%m/%d/%Y»
YOU BOUGHT «n:3» «tick» at «dec:3:4»   CUSIP «cusip»   Principal $«cmoney»   Net Amount $«cmoney»   Ref. No. «n:8»
=== fifth-card-statement-text | prose | en
«name»   Account number «card:space:mc»   Closing date «date:%m/%d/%y»
New balance $«cmoney»   Minimum payment due $«dec:2:2»   Credit limit $«grp:5»
=== fifth-email-amex-hotel | prose | en
Please charge the deposit to the company Amex «card:space:amex», expiry 1«between:0:2»/27, name «name». Booking ref QH«n:6», 2 nights, total USD «dec:3:2».
=== fifth-w9-text | prose | en
Form W-9   Name: «name»   Business name: Whitlock Consulting   Exempt payee code: n/a
Part I Taxpayer Identification Number   Social security number «ssn»
Date «date:%m/%d/%Y»   Requester: «firm»
=== fifth-slack-key-paste | prose | en
marcus: quote job fails with 401 since «date:%H~%M»
priya: rotate it, here is the new one «api_key:openai»
marcus: thx, deployed as #«n:4»
=== fifth-email-login | prose | en
The statement portal login is finance@example.com / password: «password». Statements for «date:%B %Y» are up, about «n:2» PDFs.
=== fifth-iban-email-family | prose | en
Hola, the flat deposit of €«n:3» goes to IBAN «iban:space:ES», in the name of «name». Landlord needs it before «date:%d %B».
=== fifth-change-bank-details | prose | en
Subject: Updated bank details for «firm»
Effective «date:%d %B %Y» please pay all open invoices (PO 45«d:8») to our new account: Banque du Port, «iban:space:FR», BIC «bic».
=== fifth-iso-pain001 | html | en
<CdtTrfTxInf><PmtId><EndToEndId>INV-«n:6»</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">«dec:4:2»</InstdAmt></Amt><CdtrAgt><FinInstnId><BIC>«bic»</BIC></FinInstnId></CdtrAgt><Cdtr><Nm>«firm»</Nm></Cdtr><CdtrAcct><Id><IBAN>«iban:bare:IT»</IBAN></Id></CdtrAcct></CdtTrfTxInf>
=== fifth-ofx-statement | ofx | en
<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>«aba»<ACCTID>«account:us10»<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>«date:%Y%m%d%H%M%S»<TRNAMT>-«dec:2:2»<FITID>«n:15»<NAME>QUAY GROCERY</STMTTRN>
=== fifth-html-statement-row | html | en
<table class="acct"><tr><th>Account</th><th>Routing number</th><th>Available</th></tr><tr><td>«account:us12»</td><td>«aba»</td><td>$«cmoney»</td></tr></table><p>As of «date:%b %d, %Y»</p>
=== fifth-mt940 | kv | en
:20:STMT«n:8»
:25:«iban:bare:DE»
:28C:000«n:2»/001
:60F:C«date:%y%m%d»EUR«n:5»,«d:2»
:61:«date:%y%m%d%m%d»D«n:3»,«d:2»NTRFNONREF//«n:10»
=== fifth-md-accounts | md | en
| Account | Number | Type | Balance |
|---|---|---|--:|
| Household | «account:us10» | Checking | $«cmoney» |
| Emergency fund | «account:us12» | Savings | $«cmoney» |
=== fifth-md-vendor-sheet | md | en
### «firm»
- Vendor ID: V-«n:5», payment terms Net 30
- IBAN: `«iban:bare:PL»`
- SWIFT: `«bic»`
- Open payables: EUR «grp:6»
=== fifth-requests-error-log | log | en
«date:%Y-%m-%d %H~%M~%S» ERROR quotes: HTTPSConnectionPool(host='www.alphavantage.co', port=443): Max retries exceeded with url: /query?function=TIME_SERIES_DAILY&symbol=«tick»&apikey=«api_key:plain» (Caused by ConnectTimeoutError)
=== fifth-debug-headers-log | log | en
DEBUG:httpx:send: GET /v2/positions HTTP/1.1 Host: api.broker.example Authorization: Bearer «token:jwt» Accept: application/json
DEBUG:httpx:reply: HTTP/1.1 200 OK x-request-id: «uuid» content-length: «n:5»
=== fifth-sqlalchemy-traceback | log | en
  File "/app/ledger/db.py", line «between:20:400», in connect
sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) could not connect to server: postgresql://reporting:«password|Fjord_onion2290»@10.2.0.«between:2:250»:5432/books
=== fifth-payment-debug-log | log | en
«date:%Y-%m-%dT%H~%M~%S»Z DEBUG gateway txn=«n:10» authorize pan=«card:bare:visa» amount=«dec:3:2» mcc=5411 rsp=05
«date:%Y-%m-%dT%H~%M~%S»Z WARN gateway txn=«n:10» issuer declined, retry in «n:3» ms
=== fifth-validation-error-iban | log | en
ValidationError: 1 error in payout #«n:6»: beneficiary name does not match account «iban:bare:GB» (confirmation of payee: CLOSE_MATCH, amount «dec:4:2» GBP)
=== fifth-sql-insert-payees | sql | en
INSERT INTO payees (id, name, routing_number, account_number, created_at) VALUES
  («n:5», '«name»', '«aba»', '«account:us10»', '«date:%Y-%m-%d %H~%M~%S»');
=== fifth-code-hardcoded | code | en
client = REST("https://api.alpaca.markets", key_id="«api_key:aws»", secret_key="«token:plain»")
bars = client.get_bars("«tick»", TimeFrame.Day, "«date:%Y-%m-%d»", limit=«n:3»)
=== fifth-curl-readme | code | en
curl -s https://api.example-payments.com/v1/balance \
  -u «api_key:stripe»: \
  -H "Idempotency-Key: «uuid»"
=== fifth-service-account-json | json | en
{"type": "service_account", "project_id": "ledger-«n:6»", "private_key_id": "«hexa:40»", "private_key": "«private_key:escaped:pkcs8»\n", "client_email": "sheets@ledger.iam.gserviceaccount.com", "client_id": "1«d:20»"}
=== fifth-ssh-key-cat | log | en
$ cat ~/.ssh/sftp_bank_«n:4»
«private_key:lines:OPENSSH »
$ ls -l ~/statements | wc -l
=== fifth-ko-bank-csv | csv | ko
거래일시,적요,기재내용,출금액,입금액,잔액,상대은행,상대계좌번호
«date:%Y-%m-%d %H~%M~%S»,인터넷,«kname»,"«grp:6»",0,"«grp:7»",국민은행,«account:kb»
«date:%Y-%m-%d %H~%M~%S»,급여,«kfirm»,0,"«grp:7»","«grp:8»",신한은행,«account:shinhan»
=== fifth-ko-salary-transfer | csv | ko
사번,성명,은행,계좌번호,실지급액
«n:6»,«kname»,우리은행,«account:woori»,«n:7»
«n:6»,«kname»,카카오뱅크,«account:kakao»,«n:7»
=== fifth-ko-withholding-csv | csv | ko
소득자,주민등록번호,소득구분,지급총액,소득세,지방소득세
«kname»,«rrn:dash»,사업소득,«n:7»,«n:5»,«n:4»
«kname»,«rrn:bare»,기타소득,«n:7»,«n:5»,«n:4»
=== fifth-ko-kis-order | json | ko
{"request":{"CANO":"«account:us8»","ACNT_PRDT_CD":"01","PDNO":"«krcode»","ORD_DVSN":"00","ORD_QTY":"«n:3»","ORD_UNPR":"«n:5»"},"response":{"rt_cd":"0","msg_cd":"APBK0013","msg1":"주문 전송 완료 되었습니다.","output":{"ODNO":"0000«n:6»","ORD_TMD":"«date:%H%M%S»"}}}
=== fifth-ko-openbanking-json | json | ko
{"api_tran_id":"«uuid»","rsp_code":"A0000","res_list":[{"fintech_use_num":"«d:24»","account_alias":"급여통장","bank_name":"농협은행","account_num":"«account:kr12»","account_holder_name":"«kname»"}]}
=== fifth-ko-virtual-account | json | ko
{"orderId":"ORD-«date:%Y%m%d»-«n:5»","method":"가상계좌","totalAmount":«n:6»,"virtualAccount":{"accountNumber":"«account:kr14»","bankCode":"20","customerName":"«kname»","dueDate":"«date:%Y-%m-%dT%H~%M~%S»+09:00"},"status":"WAITING_FOR_DEPOSIT"}
=== fifth-ko-chat-account | prose | ko
[«kname»] [오후 «between:1:11»:«between:10:59»] 회비 «between:2:9»만원은 카카오뱅크 «account:kakao» 로 보내주세요~
[«kname»] [오후 «between:1:11»:«between:10:59»] 넵 방금 입금했어요
=== fifth-ko-invoice-mail | prose | ko
안녕하세요, «kfirm» «kname»입니다.
«between:1:12»월 용역대금 «grp:7»원(VAT 별도) 세금계산서 발행했습니다. 입금계좌: 기업은행 «account:ibk» (예금주 «kfirm»)
사업자등록번호 «biz_reg», 문의 «krphone»
=== fifth-ko-rrn-form | prose | ko
근로계약서
성명: «kname»   주민등록번호: «rrn:dash:old»   연락처: «krphone»
월 급여: «grp:7»원, 지급일: 매월 25일, 급여계좌: 하나은행 «account:hana»
=== fifth-ko-card-inquiry | prose | ko
고객문의 #«n:7»: «date:%m월 %d일»에 결제한 «grp:5»원 취소가 안 됩니다. 카드번호 «card:dash:visa» 이고 승인번호는 «d:8»입니다.
=== fifth-ko-securities-notice | prose | ko
[«kfirm»증권] «kname» 고객님, 계좌 «account:kis» 에서 «kfirm» «n:3»주가 «grp:5»원에 매수 체결되었습니다. (주문번호 «n:7», «date:%H~%M~%S»)
=== fifth-ko-env | kv | ko
# 한국투자증권 오픈API
KIS_APP_KEY=«api_key:plain»
KIS_APP_SECRET=«token:plain»
KIS_ACCOUNT_NO=«account:kis»
TIMEOUT=«n:4»
=== fifth-ko-log-transfer | log | ko
«date:%Y-%m-%d %H~%M~%S» ERROR 이체 실패 - 입금계좌번호=«account:kr12», 금액=«n:7», 응답코드=E«d:4», 메시지=예금주명 불일치
=== fifth-ko-md-suppliers | md | ko
| 거래처 | 사업자번호 | 은행 | 계좌번호 | 미지급금 |
|---|---|---|---|--:|
| «kfirm» | «biz_reg» | 농협 | «account:nh» | «grp:8» |
| «kfirm» | «biz_reg» | 국민 | «account:kb» | «grp:7» |
=== fifth-ko-mail-password | prose | ko
홈택스 대리인 계정 공유드립니다. 아이디 tax«n:3», 비밀번호: «password» 입니다. «date:%m월 %d일»까지 부가세 신고 부탁드려요.
=== fifth-ko-remit-foreign | prose | ko
해외송금 신청 내역: 수취인 «name», 수취은행 BIC «bic», IBAN «iban:bare:DE», 송금액 EUR «grp:4».00, 적용환율 «dec:4:2»원
=== fifth-ko-refund-chat | prose | ko
상담원: 환불 받으실 계좌번호 알려주시겠어요?
고객: 토스뱅크 «account:toss» «kname»이요. 주문번호는 «date:%Y%m%d»«n:6»입니다
=== fifth-ko-foreign-employee | kv | ko
이름: «name»
외국인등록번호: «rrn:dash:foreign»
비자: E-7
입사일: «date:%Y-%m-%d»
연봉: «grp:8»원
=== fifth-ko-sql-row | sql | ko
 cust_id | cust_name | jumin_no | acct_no | reg_dt
---------+-----------+----------+---------+--------
 «n:7» | «kname» | «rrn:dash» | «account:shinhan» | «date:%Y-%m-%d»
"""
