"""The third set: templates with private pieces, by somebody who had seen no rule."""

TEXTS = r"""
=== third-gateway-webhook | json | en
{"event_type":"SALE.DENIED","resource":{"amount":{"total":"«dec:3:2»","currency":"USD"},"funding_instruments":[{"credit_card":{"number":"«card:bare:visa»","type":"visa","expire_month":«between:1:12»,"expire_year":20«between:27:31»}}],"update_time":"«date:%Y-%m-%dT%H~%M~%SZ»"}}
=== third-mail-quoted-card | prose | en
On «date:%a, %b %d, %Y at %H~%M», «name» wrote:
> The portal rejects my renewal. Please run $«dec:3:2» manually:
> «card:space:mc»
> good through «between:10:12»/«between:27:31»
Done, receipt no. «n:9» is attached.
=== third-card-bill-pdf | kv | en
   Account Number: «card:space:visa»                 Payment Due Date     «date:%m/%d/%Y»
   New Balance              $«cmoney»                Minimum Payment Due          $«n:2».00
   Credit Line               $«grp:5»                Days in Billing Cycle              31
=== third-corporate-card-feed | csv | en
Trans Date,Posting Date,Employee,Card No.,MCC,Merchant,Local Amount,Ref
«date:%d-%b-%y»,«date:%d-%b-%y»,«name»,«card:bare:mc»,«n:4»,"HARBOR AIR, SEOUL",«dec:4:2»,«n:23»
«date:%d-%b-%y»,«date:%d-%b-%y»,«name»,«card:bare:mc»,«n:4»,QUAY HOTEL,«dec:3:2»,«n:23»
=== third-psql-cards | sql | en
  id   |     holder      |         pan         | exp_month | limit_cents
-------+-----------------+---------------------+-----------+-------------
 «n:5» | «name» | «card:space:visa» |        «between:1:9» |     «n:7»
 «n:5» | «name» | «card:space:mc» |        «between:1:9» |     «n:7»
=== third-dataclass-repr | code | en
CardPayment(payment_id=«n:8», holder='«name»', number='«card:bare»', amount=Decimal('«dec:4:2»'), posted=datetime.date(2025, «between:1:12», «between:1:28»))
=== third-logfmt-card | log | en
ts=«date:%Y-%m-%dT%H~%M~%SZ» level=error svc=billing msg="charge failed" invoice=«n:7» card.number=«card:bare:visa» card.exp_year=20«between:27:31» amount_minor=«n:6» took_ms=«n:4»
=== third-html-mail-card | html | en
<p>Hello «name»,<br>we charged <b>€«dec:3:2»</b> to your Mastercard <span style="font-family:monospace">«card:dash:mc»</span> for subscription «n:8».</p>
=== third-checkout-url | log | en
"POST /checkout?card_number=«card:bare:visa»&exp=«between:10:12»«between:27:31»&amount=«n:5»&currency=usd HTTP/1.1" 302 «n:4» "-" «n:6»us
=== third-teams-card | prose | en
«name» «date:%H~%M»
can u book the Zurich hotel? use «card:space:amex», exp «between:10:12»/«between:27:31», budget CHF «n:4»
«name» «date:%H~%M»
booked, CHF «dec:3:2», ref «b32:6»
=== third-expense-md | md | en
| Date | What | Paid with | EUR |
|---|---|---|--:|
| «date:%d %b» | Train Basel-Milan | Visa «card:space:visa» | «dec:3:2» |
| «date:%d %b» | Dinner, 4 people | cash | «dec:2:2» |
=== third-ticket-fields-card | kv | en
Ticket:      SUP-«n:5»
Summary:     Double charge, $«dec:3:2» twice on «date:%m/%d»
Card Number: «card:dash:discover»
Attachments: 2 (invoice_«n:7».pdf)
=== third-w2-text | kv | en
 a  Employee's social security number        b  Employer identification number (EIN)
    «ssn»                              «d:2»-«d:7»
 1  Wages, tips, other compensation          2  Federal income tax withheld
    «dec:5:2»                                 «dec:4:2»
=== third-payroll-register | csv | en
Co Code,File #,"Last, First",SSN,Check Date,Reg Hours,Gross,FICA
«b32:3»,«d:6»,"Whitlock, D.",«ssn»,«date:%m/%d/%Y»,80.00,«dec:4:2»,«dec:3:2»
«b32:3»,«d:6»,"Raman, P.",«ssn»,«date:%m/%d/%Y»,76.50,«dec:4:2»,«dec:3:2»
=== third-loan-xml | html | en
<TAXPAYER_IDENTIFIER><TaxpayerIdentifierType>SocialSecurityNumber</TaxpayerIdentifierType><TaxpayerIdentifierValue>«ssn:bare»</TaxpayerIdentifierValue></TAXPAYER_IDENTIFIER><BaseLoanAmount>«dec:6:2»</BaseLoanAmount>
=== third-kyc-check-json | json | en
{"check_id":"«uuid»","applicant":{"first_name":"Ellen","id_numbers":[{"type":"ssn","value":"«ssn»"}],"annual_income":«n:6»},"result":"consider","score":0.«d:4»}
=== third-1099-composite | kv | en
«date:%Y» TAX REPORTING STATEMENT
Account No. «account:schwab»   Customer Service: «phone»
Recipient ID No. ***-**-«d:4»  Payer's Fed ID Number: «d:2»-«d:7»
1a Total ordinary dividends ............. «cmoney»
=== third-advisor-chat-ssn | prose | en
him: for the beneficiary form you need dob 0«between:1:9»/«between:10:28»/19«between:50:99» and his social security number which is «ssn:bare»
me: got it. the 529 has $«cmoney» in it now
=== third-irs-notice | prose | en
Notice CP2000, tax year «between:2018:2024». Social security number: «ssn». AUR control number «d:5»-«d:4». Amount due by «date:%B %d, %Y»: $«grp:5».
=== third-hris-yaml | yaml | en
employee_id: E«n:6»
tax:
  ssn: «ssn»
  filing_status: married_joint
  ytd_gross: «dec:6:2»
  ytd_federal: «dec:5:2»
=== third-people-sql | sql | en
UPDATE hr.people SET salary = «n:6», updated_at = '«date:%Y-%m-%d %H~%M~%S»' WHERE ssn = '«ssn:bare»' AND dept_id = «n:4»;
=== third-trust-memo | prose | en
Grantor «name» (SS# «ssn») funded the trust with «grp:5» shares of «firm» at a basis of $«dec:2:2»; trust EIN «d:2»-«d:7»; file memo «n:6».
=== third-wise-export | csv | en
"TransferWise ID",Date,Amount,Currency,"Payee Name","Payee Account Number",Merchant,"Total fees"
TRANSFER-«n:9»,«date:%d-%m-%Y»,-«dec:4:2»,EUR,"«firm»",«iban:bare:DE»,,«dec:1:2»
TRANSFER-«n:9»,«date:%d-%m-%Y»,-«dec:3:2»,EUR,"«firm»",«iban:bare:NL»,,«dec:1:2»
=== third-invoice-foot-pdf | kv | en
  Fabrikam Steel GmbH        Bankverbindung              Amtsgericht Ulm
  Hafenstr. «n:2»                Sparkasse Ulm               HRB «n:6»
  D-«n:5» Ulm               «iban:space:DE»   USt-ID DE«d:9»
=== third-sepa-mandate | prose | en
SEPA direct debit mandate «b32:8»: we will collect EUR «dec:2:2» on day «between:2:28» of each month from «iban:space:AT» (creditor ID DE98ZZZ0«d:10»).
=== third-camt-json | json | en
{"Ntry":{"Amt":{"Ccy":"EUR","value":«dec:5:2»},"NtryDtls":{"RltdPties":{"Dbtr":{"Nm":"«firm»"},"DbtrAcct":{"Id":{"IBAN":"«iban:bare:FR»"}}}},"AcctSvcrRef":"«n:14»"}}
=== third-slack-iban | prose | en
[#ap-urgent] hugo: new bank details for «firm», iban «iban:bare:ES», confirmed by phone with «phone». first run is «grp:5».«d:2» EUR on «date:%d.%m.»
=== third-supplier-tsv | csv | en
supplier_no«tab»supplier«tab»bank_country«tab»iban«tab»swift«tab»open_eur
«n:6»«tab»«firm»«tab»BE«tab»«iban:bare:BE»«tab»«bic»«tab»«dec:6:2»
«n:6»«tab»«firm»«tab»IE«tab»«iban:bare:IE»«tab»«bic»«tab»«dec:5:2»
=== third-iban-error | log | en
ValueError: payment «n:8» to «iban:bare:IT» rejected: AC04 (closed account number), amount EUR «dec:4:2», batch «date:%Y%m%d»-«d:3»
=== third-payment-advice | prose | en
PAYMENT ADVICE. We have today remitted GBP «cmoney» (your invoices «n:6», «n:6») to account «iban:space:GB» with value «date:%d %b %Y». No signature required.
=== third-ach-enrol-mail | prose | en
Subject: ACH enrollment for vendor «n:6»

Bank name: Blue Harbor Bank, N.A.
Routing/transit number (9 digits): «aba»
Account number: «account:us11»
Remittance e-mail: ar@northwind.example, phone «phone»
=== third-direct-deposit-json | json | en
{"worker":"«name»","directDeposit":[{"routingTransitNumber":"«aba»","depositAccountNumber":"«account:us10»","type":"checking","percent":80},{"routingTransitNumber":"«aba»","depositAccountNumber":"«account:us9»","type":"savings","percent":20}],"netPay":«dec:4:2»}
=== third-funding-xml | html | en
<ach-transfer direction="in"><aba-routing>«aba»</aba-routing><bank-account-number>«account:us12»</bank-account-number><amount currency="USD">«dec:6:2»</amount><client-ref>«n:10»</client-ref></ach-transfer>
=== third-closing-wire-pdf | kv | en
SELLER PROCEEDS - WIRE INSTRUCTIONS                       File No. «n:2»-«n:6»
  Receiving bank      Contoso Trust Company, Tulsa OK
  ABA routing no.     «aba»
  Account no.         «account:us10»
  Net proceeds        $«grp:6».«d:2»
=== third-subscription-docs-md | md | en
Capital call «between:2:9» of Fund IV

| Bank | ABA No. | Account No. | Due | Amount |
|---|---|---|---|--:|
| Harbor Trust | «aba» | «account:us9» | «date:%Y-%m-%d» | $«grp:7» |
=== third-broker-pdf-header | kv | en
«name»                                       Statement Period: «date:%B %d» - «date:%B %d, %Y»
INDIVIDUAL BROKERAGE ACCOUNT                 Account Number: «account:us9»
Total Account Value   $«cmoney»              Change in Value     -$«dec:4:2»
=== third-flex-xml | html | en
<FlexStatement accountId="«account:ibkr»" fromDate="«date:%Y%m%d»" period="LastMonth"><Trade accountId="«account:ibkr»" symbol="«tick»" tradeID="«n:10»" quantity="«n:4»" tradePrice="«dec:3:4»" ibOrderID="«n:10»"/></FlexStatement>
=== third-broker-cli-yaml | yaml | en
connection:
  gateway: 127.0.0.1:4002
  client_id: «between:1:99»
  account: «account:ibkr»
orders: {max_qty: «n:5», max_notional_usd: «n:7»}
=== third-positions-tsv | csv | en
Account Number«tab»Investment Name«tab»Symbol«tab»Shares«tab»Share Price«tab»Total Value
«account:us8»«tab»TOTAL STOCK MARKET INDEX«tab»VTSAX«tab»«dec:3:3»«tab»«dec:3:2»«tab»«dec:5:2»
«account:us8»«tab»FEDERAL MONEY MARKET«tab»VMFXX«tab»«dec:4:3»«tab»1.00«tab»«dec:4:2»
=== third-brokerage-api | json | en
{"profile":{"account":{"account_number":"«account|VA48210957»","classification":"individual","day_trader":false,"option_level":«between:1:6»,"last_update_date":"«date:%Y-%m-%dT%H~%M~%S.000Z»"},"id":"id-«hexa:8»"}}
=== third-journal-ndjson | json | en
{"level":"info","msg":"order sent","acct":"«account:us9»","sym":"«tick»","side":"buy","qty":«n:4»,"oid":"«n:12»"}
{"level":"warn","msg":"partial fill","acct":"«account:us9»","sym":"«tick»","filled":«n:3»,"oid":"«n:12»"}
=== third-complaint-mail | prose | en
I have been a client since «between:1998:2019» (account number «account:us10»). On «date:%d %B» you sold «n:3» «tick» at $«dec:3:2», which I never ordered. I expect $«cmoney» back by Friday.
=== third-standing-order | prose | en
The standing order from savings account no. «account:us8» to checking account no. «account:us10» moves $«n:3» every second Friday; it ran «n:2» times and stops on «date:%Y-%m-%d».
=== third-uk-statement-pdf | kv | en
Sort Code          Account Number          Sheet Number
«account|60-24-77»           «account:us8»                «n:3»
Date     Description                     Paid out     Paid in      Balance
«date:%d %b»   DD NORTHWIND ENERGY             «dec:3:2»                   «dec:4:2»
=== third-uk-counterparty | json | en
{"id":"tx_«b58:20»","amount":-«n:5»,"currency":"GBP","counterparty":{"name":"«name»","sort_code":"«account|203391»","account_number":"«account:us8»"},"notes":"rent","settled":"«date:%Y-%m-%dT%H~%M~%SZ»"}
=== third-uk-payroll-mail | prose | en
Please change my salary account from this month: Sort code: «account|77-51-04», Acc. no: «account:us8». My payroll no is «n:5» and my tax code 1257L; gross £«cmoney».
=== third-dotenv-broker | kv | en
DATABASE_URL=postgresql://ledger:«password|Marsh-owl_77310»@db.internal.example:5432/books
POLYGON_API_KEY=«api_key:plain»
SECRET_KEY='«token:plain»'
CACHE_TTL=«n:5»
=== third-docker-inspect | json | en
{"Id":"«hexa:64»","Config":{"Env":["TZ=Asia/Seoul","FINNHUB_API_KEY=«api_key:plain»","POSTGRES_PASSWORD=«password»","WORKERS=«between:2:16»"],"Image":"feeds:1.«n:2»"},"SizeRw":«n:9»}
=== third-requests-trace | log | en
requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://finnhub.example.io/api/v1/quote?symbol=«tick»&token=«token:plain» (attempt «between:2:9», waited «n:2» s)
=== third-curl-basic | code | en
curl -s -u feeds:«password» "https://sftp.example.com/out/positions_«date:%Y%m%d».csv" -o pos.csv && wc -c pos.csv   # «n:7»
=== third-basic-header | log | en
>>> POST /oauth2/token
Authorization: Basic «token:plain»
Content-Type: application/x-www-form-urlencoded
<<< 401 after «n:3» ms, trace «hexa:32»
=== third-ado-string | kv | en
ConnectionStrings:Ledger = Server=tcp:sql1.example.net,1433;Database=gl;User Id=svc_gl;Password=«password»;Connect Timeout=«n:2»;
=== third-spring-props | kv | en
spring.datasource.url=jdbc:oracle:thin:@//«ip»:1521/FIN
spring.datasource.username=RPT_«d:2»
spring.datasource.password=«password»
spring.datasource.hikari.maximum-pool-size=«between:5:40»
=== third-js-client | code | en
const rest = new MarketClient({ apiKey: '«api_key:plain»', timeout: «n:5», retries: «between:1:5» });
const bars = await rest.bars('«tick»', { from: «epoch:ms», limit: «n:4» });
=== third-k8s-secret | yaml | en
kind: Secret
metadata: {name: prices-feed, resourceVersion: "«n:9»"}
stringData:
  ANTHROPIC_API_KEY: «api_key:anthropic»
  sftp-password: "«password»"
=== third-ci-output | log | en
Run finclaw ingest --source filings --days «n:2»
##[debug] GH token «api_key:github» has scopes: repo, read:org
Downloaded «grp:5» files (cache key Linux-py311-«hexa:40»)
=== third-env-pem | kv | en
KALSHI_HOST=https://api.example.com/v«between:2:9»
KALSHI_PRIVATE_KEY="«private_key»"
KALSHI_MAX_COST_CENTS=«n:6»
=== third-portal-access-mail | prose | en
The fund administrator's data room is open until «date:%d %B %Y» («n:3» documents). Login: «name» / Password: «password» / Two-factor: SMS to «phone».
=== third-agent-transcript | json | en
[{"role":"assistant","content":"I ran `env | grep KEY` and got OPENAI_API_KEY=«api_key:openai»"},{"role":"tool","content":"rows: «n:6», elapsed: «dec:1:3»s"}]
=== third-set-cookie | log | en
< HTTP/1.1 200 OK
< Set-Cookie: access_token=«token:jwt»; Max-Age=«n:5»; Path=/; HttpOnly; Secure
< Content-Length: «n:6»
=== third-ko-pay-slip-pdf | kv | ko
성    명   «kname»           사    번   «n:7»
주민등록번호   «rrn:dash:old»     지 급 일   «date:%Y-%m-%d»
기 본 급        «grp:7»     국민연금         «grp:6»
=== third-ko-kakao-transfer | prose | ko
«kname» : 회비 «n:2»,000원씩 신한 «account:shinhan» («kname») 으로 입금해 주세요~ 마감은 «date:%m월 %d일»
=== third-ko-bank-tsv | csv | ko
거래일자«tab»구분«tab»출금액(원)«tab»잔액(원)«tab»받는분«tab»입금계좌번호
«date:%Y.%m.%d»«tab»인터넷«tab»«grp:7»«tab»«grp:8»«tab»«kname»«tab»«account:kb»
«date:%Y.%m.%d»«tab»모바일«tab»«grp:6»«tab»«grp:8»«tab»«kfirm»«tab»«account:nh»
=== third-ko-withhold-csv | csv | ko
소득자성명,주민(외국인)등록번호,업종코드,지급총액,세율,소득세
«kname»,«rrn:dash:old»,940909,«n:7»,3,«n:5»
«name»,«rrn:dash:foreign»,940909,«n:7»,3,«n:5»
=== third-ko-openbanking | json | ko
{"rsp_code":"A0000","api_tran_dtm":"«date:%Y%m%d%H%M%S»«d:3»","bank_name":"우리은행","account_num":"«account:us12»","account_holder_name":"«kname»","balance_amt":"«n:8»","available_amt":"«n:8»"}
=== third-ko-vaccount-sms | kv | ko
[Web발신] 가온소프트 결제 안내
입금은행: 농협은행
가상계좌: «account:kr14»
입금금액: «grp:6»원 (기한 «date:%m/%d %H~%M»)
=== third-ko-invoice-foot | prose | ko
공급가액 «grp:8»원, 부가세 «grp:7»원. 대금은 기업은행 «account:ibk» (예금주: (주)가온소프트, 사업자등록번호 «biz_reg»)로 «date:%m월 %d일»까지 입금 바랍니다.
=== third-ko-loan-memo | prose | ko
[여신상담] 차주 «kname», 주민번호 «rrn:dash», 연소득 «grp:4»만원, 희망금액 «hangul_money», DSR «pct». 신용조회 동의서 징구 완료(접수 «date:%Y%m%d»-«d:4»).
=== third-ko-holder-list | md | ko
| 순번 | 주주 | 실명번호(주민등록번호) | 보통주 | 지분율 |
|--:|---|---|--:|--:|
| 1 | «kname» | «rrn:dash» | «grp:6» | «pct» |
| 2 | «kfirm»(주) | 법인 | «grp:7» | «pct» |
=== third-ko-kis-toml | yaml | ko
# 한국투자 실전 설정
app_key = "«api_key:plain»"
app_secret = "«token:plain»"
계좌번호 = "«account:kis»"
일일한도 = «n:8»
=== third-ko-corp-card-csv | csv | ko
이용일,부서,카드번호,가맹점명,이용금액,승인번호
«date:%Y-%m-%d»,운용1팀,«card:dash:korea»,여의도식당,«n:5»,«d:8»
«date:%Y-%m-%d»,리서치,«card:dash:visa»,한빛문고,«n:6»,«d:8»
=== third-ko-password-mail | prose | ko
요청하신 잔고증명서를 첨부합니다(문서번호 «date:%Y»-«d:6»). 압축파일 비밀번호: «password». 문의는 «krphone»으로 주세요.
=== third-ko-realname-log | log | ko
«date:%Y-%m-%d %H~%M~%S».«d:3» WARN [kyc] 실명확인 불일치 성명=«kname» 주민등록번호=«rrn:bare:old» 기관응답=«d:4» 소요=«n:3»ms
=== third-ko-claim-html | html | ko
<table><tr><th>피보험자</th><td>«kname»</td><th>주민번호</th><td>«rrn:dash»</td></tr><tr><th>청구금액</th><td>«grp:7»원</td><th>지급계좌</th><td>국민은행 «account:kb»</td></tr></table>
"""
