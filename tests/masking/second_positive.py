"""The second set: templates with private pieces, by somebody who had seen no rule."""

TEXTS = r"""
=== second-chargeback-mail | prose | en
From: disputes@harborline.example
Subject: Chargeback «n:8», reason 13.1

Cardholder says the parcel never came. PAN on the slip: «card:space:visa»
Presented «date:%d-%b-%Y» for EUR «dec:3:2», ARN «n:23».
=== second-hotel-folio | prose | en
Folio «n:6» / «name» / «between:2:9» nights at USD «dec:3:2» / guaranteed with «card:dash:mc» thru «between:1:12»/«between:27:31»
=== second-expense-line | prose | en
Reimbursed: taxi «dec:2:2», dinner «dec:3:2», both put on my corporate card «card:bare:mc» during the «firm» roadshow.
=== second-ivr-transcript | prose | en
AGENT: and the sixteen digits on the front?
CALLER: «card:space:discover»
AGENT: thanks, the late fee of $«dec:2:2» is waived, case «n:7».
=== second-wallet-error | log | en
PaymentError(code=card_declined): number «card:bare:visa» was refused by the issuer after «n:4» ms (attempt «between:2:5», amount=«n:5» cents)
=== second-travel-amex | prose | en
The air ticket («n:4» EUR) went to AmEx «card:dash:amex»; the centurion lounge took another $«dec:2:2».
=== second-unionpay-slip | kv | en
MERCHANT   «firm»
CARD NO.   «card:space:unionpay»
AUTH CODE  «d:6»
TOTAL CNY  «dec:4:2»
=== second-card-swap-ticket | prose | en
Ticket #«n:6» opened «date:%Y-%m-%d %H~%M»
> please swap the card on file. old: «card:dash:visa» new: «card:dash:mc»
> subscription is $«dec:3:2» per month, plan id «n:5»
=== second-maestro-jcb-note | prose | en
CRM note: prefers JCB (number «card:space:jcb»), household income about «grp:8» yen, holds «n:4» units of the balanced fund.
=== second-kyc-note | prose | en
KYC refresh done «date:%Y-%m-%d». «name», social «ssn» matches the bureau file; OFAC clear; declared net worth $«grp:7»; risk score «n:2».
=== second-w4-mail | prose | en
Hi payroll, my new W-4 is attached. Step 1(b) Social security number: «ssn». Step 3: $«n:4». Extra withholding: $«n:3» per period. - «name»
=== second-estate-letter | prose | en
Re: Estate of «name». The decedent's Social Security No. «ssn:bare» and «grp:5» shares of «firm» (CUSIP «cusip») pass under the will dated «date:%B %d, %Y».
=== second-rollover-form | kv | en
Participant . . . . . «name»
SSN . . . . . . . . . «ssn»
Plan number . . . . . 00«between:1:9»
Rollover amount . . . $«cmoney»
Check payable date  . «date:%m/%d/%Y»
=== second-fafsa-like | prose | en
Parent 1 («name», SSN «ssn:bare») reports wages of «grp:6»; Parent 2 (SSN «ssn:bare») reports «grp:5». Household size «between:2:7».
=== second-background-check | json | en
{"request_id":"«uuid»","subject":{"full_name":"«name»","socialSecurityNumber":"«ssn:bare»"},"fee_cents":«n:4»,"turnaround_ms":«n:9»}
=== second-1099b-pipe | csv | en
TIN_TYPE|TIN|RECIPIENT|PROCEEDS|BASIS
SSN|«ssn»|«name»|«dec:6:2»|«dec:5:2»
SSN|«ssn»|«name»|«dec:5:2»|«dec:5:2»
=== second-census-md | md | en
| Employee | Social Security # | Deferral % | YTD |
|:--|:-:|--:|--:|
| «name» | «ssn» | «between:1:15» | «cmoney» |
| «name» | «ssn» | «between:1:15» | «cmoney» |
=== second-invoice-footer | prose | en
Total due: GBP «cmoney» within 30 days.
Bank: Contoso Trust | IBAN «iban:space:GB» | BIC «bic» | VAT GB«d:9»
=== second-rechnung | prose | en
Rechnung Nr. «n:6» vom «date:%d.%m.%Y»: «grp:5:dot»,«d:2» EUR. Bankverbindung: «iban:space:DE», Verwendungszweck «n:8».
=== second-rib | prose | en
Veuillez régler «grp:5:space»,«d:2» € sur le compte «iban:space:FR» avant le «date:%d/%m/%Y» (réf. «n:7»).
=== second-psd2-tx | json | en
{"transactions":{"booked":[{"transactionId":"«n:14»","debtorAccount":{"iban":"«iban:bare»"},"creditorAccount":{"iban":"«iban:bare»"},"transactionAmount":{"currency":"EUR","amount":"-«dec:3:2»"},"bookingDate":"«date:%Y-%m-%d»"}]}}
=== second-camt | html | en
<Ntry><Amt Ccy="CHF">«dec:4:2»</Amt><CdtDbtInd>DBIT</CdtDbtInd><CdtrAcct><Id><IBAN>«iban:bare:CH»</IBAN></Id></CdtrAcct><AcctSvcrRef>«n:16»</AcctSvcrRef></Ntry>
=== second-vendor-yaml | yaml | en
vendors:
  - legal_name: «firm»
    bank_iban: «iban:bare»
    payment_terms_days: «between:10:90»
    ytd_spend: «grp:8»
  - legal_name: «firm»
    bank_iban: «iban:space»
    payment_terms_days: «between:10:90»
    ytd_spend: «n:7»
=== second-iban-changed | prose | en
Heads-up, possible fraud: the supplier asks us to pay to «iban:bare:PL» from now on, not to «iban:bare:IE». Open items «grp:6».«d:2» EUR, oldest «date:%d %b %Y».
=== second-treasury-md | md | en
| Entity | Country | IBAN | Sweep target |
|---|---|---|---:|
| «firm» | LU | «iban:space:LU» | «grp:7» |
| «firm» | BE | «iban:space:BE» | «grp:8» |
| «firm» | PT | «iban:bare:PT» | «grp:7» |
=== second-iban-html | html | en
<dl class="payee"><dt>Beneficiary</dt><dd>«name»</dd><dt>IBAN</dt><dd><samp>«iban:space:NL»</samp></dd><dt>Max</dt><dd>«grp:5»</dd></dl>
=== second-plaid-auth | json | en
{"numbers":{"ach":[{"account":"«account:us12»","routing":"«aba»","wire_routing":"«aba»"}],"eft":[]},"accounts":[{"mask":"«d:4»","balances":{"available":«dec:4:2»,"current":«dec:4:2»}}]}
=== second-ach-relationship | json | en
{
  "status": "QUEUED",
  "account_owner_name": "«name»",
  "bank_account_type": "CHECKING",
  "bank_account_number": "«account:us11»",
  "bank_routing_number": "«aba»",
  "created_at": "«date:%Y-%m-%dT%H~%M~%SZ»"
}
=== second-payout-object | json | en
{"object":"bank_account","country":"US","currency":"usd","last4":"«d:4»","routing_number":"«aba»","status":"verified","payouts":«n:6»}
=== second-void-cheque | prose | en
The voided check shows routing no. «aba» on the left, account no. «account:us10» in the middle and check no. «n:4» on the right.
=== second-loan-autopay | kv | en
Autopay source
  Bank ............ Blue Harbor Bank
  ABA # ........... «aba»
  Deposit acct # .. «account:us9»
  Payment ......... $«dec:4:2» on day «between:1:28»
=== second-wire-memo-md | md | en
**Incoming wire checklist**
1. Receiving ABA: **«aba»**
2. Credit account: **«account:us10»**
3. Expected: USD «grp:8» by «date:%H~%M» ET
=== second-vendor-ach-csv | csv | en
Vendor,ABA,Bank Account,Terms,Amount
«firm»,«aba»,«account:us10»,NET«between:15:60»,«dec:5:2»
«firm»,«aba»,«account:us12»,NET«between:15:60»,«dec:6:2»
=== second-sort-code-prose | prose | en
Refunds go by Faster Payments to sort code «account|20-45-17», account number «account:us8»; last month it was £«cmoney».
=== second-sort-code-csv | csv | en
payee;sort_code;account_number;amount_gbp
«name»;«account|40-12-76»;«account:us8»;«dec:4:2»
«name»;«account|30-98-41»;«account:us8»;«dec:3:2»
=== second-sort-code-json | json | en
{"payment":{"sortCode":"«account|608371»","accountNumber":"«account:us8»","reference":"INV «n:5»","amountPence":«n:6»}}
=== second-ibkr-activity | csv | en
Account Information,Header,Field Name,Field Value
Account Information,Data,Account,«account:ibkr»
Account Information,Data,Base Currency,USD
Net Asset Value,Data,Stock,«dec:6:6»,«dec:7:6»
=== second-broker-confirm | prose | en
Trade confirmation - Account «account:schwab» - You sold «n:3» «tick» at «dec:3:4» - Principal $«cmoney» - Order «n:11» - Settles «date:%m/%d/%Y»
=== second-acats-mail | prose | en
We cannot complete the ACATS transfer of «n:4» «tick» out of delivering account number «account:us8»: the title does not match. Control no. 20«n:12».
=== second-fidelity-positions | csv | en
Account Number,Account Name,Symbol,Quantity,Cost Basis Total,Percent Of Account
«account:fid»,HEALTH SAVINGS,«tick»,«dec:3:3»,$«dec:5:2»,«pct»
«account:fid»,TRUST,SPAXX**,«dec:4:2»,$«dec:4:2»,«pct»
=== second-margin-call | prose | en
MARGIN CALL on your acct «account:us9»: deposit $«grp:5» by «date:%b %d», or up to «n:4» shares of «tick» will be sold near $«dec:3:2».
=== second-custody-letter | prose | en
Please deliver «grp:6» shares, ISIN «isin», from our safekeeping account no. «account:us10» against payment of USD «grp:8».«d:2», trade date «date:%d %B %Y».
=== second-broker-toml | yaml | en
[live]
account_id = "«account:ibkr»"
client_order_prefix = "desk«n:3»"
max_notional = «n:8»
slippage_bps = «dec:1:2»
=== second-order-reject | log | en
«date:%H~%M~%S».«d:3» WARN oms: reject order=«n:12» account_no=«account:us10» sym=«tick» qty=«n:5» reason="buying power «dec:5:2» too low"
=== second-oms-repr | log | en
«date:%Y-%m-%d» DEBUG kis params={'CANO': '«account:us8»', 'ACNT_PRDT_CD': '01', 'PDNO': '«krcode»', 'ORD_QTY': '«n:3»', 'ORD_UNPR': '«n:5»'}
=== second-statement-txt | kv | en
                 CONTOSO TRUST - MONTHLY STATEMENT
Account No: «account:spaced»            Page 1 of «between:2:9»
«date:%m/%d»  POS PURCHASE  REF «n:12»       «dec:3:2»
«date:%m/%d»  INTEREST                       «dec:1:2»
=== second-json-list-holder | json | en
[{"holder":"«name»","acctNum":"«account:us10»","units":«n:7»,"nav":«dec:2:6»},{"holder":"«name»","acctNum":"«account:us10»","units":«n:6»,"nav":«dec:2:6»}]
=== second-sql-dump | sql | en
INSERT INTO payout_methods (owner, routing_number, account_number, created_ms) VALUES ('«name»', '«aba»', '«account:us11»', «epoch:ms»), ('«name»', '«aba»', '«account:us11»', «epoch:ms»);
=== second-html-receipt | html | en
<table><tr><td>Paid with</td><td>Visa «card:space:visa»</td></tr><tr><td>Order</td><td>«n:10»</td></tr><tr><td>Sum</td><td>€«dec:3:2»</td></tr></table>
=== second-form-fields | html | en
<input type="hidden" name="ssn" value="«ssn»"><input name="loanAmount" value="«n:6»"><input name="zip" value="«d:5»">
=== second-card-ndjson | json | en
{"evt":"auth","pan":"«card:bare:mc»","mcc":"«n:4»","rrn":"«n:12»","stan":"«d:6»","minor":«n:6»}
{"evt":"capture","pan":"«card:bare:visa»","mcc":"«n:4»","rrn":"«n:12»","stan":"«d:6»","minor":«n:6»}
=== second-booking-json | json | en
{"guest":"«name»","guarantee":{"type":"CC","creditCardNumber":"«card:bare:amex»","expires":"20«between:27:31»-0«between:1:9»"},"total":«dec:4:2»}
=== second-card-batch-csv | csv | en
seq,cardholder,pan,amt_minor,auth
1,«name»,«card:bare:visa»,«n:6»,«d:6»
2,«name»,«card:bare:jcb»,«n:5»,«d:6»
3,«name»,«card:bare:discover»,«n:6»,«d:6»
=== second-compose-env | yaml | en
services:
  prices:
    image: postgres:16.«between:1:9»
    environment:
      POSTGRES_USER: quotes
      POSTGRES_PASSWORD: «password»
    mem_limit: «n:10»
=== second-netrc | kv | en
machine files.example.com
login desk«n:3»
password «password»
=== second-login-mail | prose | en
Your new portal login: user analyst«n:2», password: «password». Change it within «between:2:14» days. Reports older than «date:%Y» are archived.
=== second-redis-url | log | en
ConnectionError: redis://default:«password|kestrel-Umber-5521»@«ip»:6379/0 timed out after «n:4» ms, «n:7» keys pending
=== second-sqlalchemy-url | code | en
engine = create_engine("mysql+pymysql://ledger:«password|Plum_tarn_90417»@db.example.com:3306/books", pool_size=«between:5:40», pool_recycle=«n:5»)
=== second-ini-smtp | kv | en
[mail]
smtp_host = mail.example.com
smtp_port = 587
smtp_passwd = «password»
daily_limit = «n:4»
=== second-alpaca-headers | log | en
> GET /v2/positions HTTP/1.1
> APCA-API-KEY-ID: «api_key|PKZ7Q2M9X4L1V8B3N6TC»
> APCA-API-SECRET-KEY: «token:plain»
< 403 {"code":40310000,"message":"forbidden"} in «n:3» ms
=== second-exchange-keys | json | en
{"exchange":"upbit","access_key":"«api_key:plain»","secret_key":"«token:plain»","min_order_krw":5000,"rate_per_min":«n:3»}
=== second-dart-url | log | en
HTTP 020 https://opendart.fss.or.kr/api/list.json?crtfc_key=«api_key:hex»&corp_code=«d:8»&bgn_de=«date:%Y%m%d»&page_count=100
=== second-fred-url | log | en
retrying https://api.stlouisfed.org/fred/series/observations?series_id=DGS10&api_key=«api_key:plain»&limit=«n:5» (429, «between:1:9»/10)
=== second-av-url | prose | en
The tool said: "https://www.alphavantage.co/query?function=OVERVIEW&symbol=«tick»&apikey=«api_key|QX4T9ZL2M7VB0KDW» returned no data (limit «n:3» a day)".
=== second-stripe-prefix | prose | en
Looks like someone committed «api_key:stripe» to the fees repo at «hexa:12»; «grp:5» charges were made with it since «date:%Y-%m-%d».
=== second-gitlab-hf | prose | en
runner uses «api_key:gitlab» and pulls the sentiment model with «api_key:hf» (size «n:10» bytes, sha256 «hexa:64»)
=== second-bearer-dump | log | en
{'Accept': 'application/json', 'Authorization': 'Bearer «token:plain»', 'X-Request-Id': '«uuid»', 'Content-Length': '«n:4»'}
=== second-id-token | json | en
{"id_token":"«token:jwt»","expires_at":«epoch:s»,"quota":{"used":«n:5»,"max":«n:6»}}
=== second-telegram-env | kv | en
TELEGRAM_BOT_TOKEN=«token|7184093526:AAHk3vQz8LmW2xYtR5uJ0pSdF7gNbC1eKoI»
TELEGRAM_CHAT_ID=-100«n:10»
ALERT_THRESHOLD=«dec:2:2»
=== second-slack-yaml | yaml | en
alerts:
  slack_bot_token: "«token:slack»"
  channel: "#fx-desk"
  cooldown_s: «n:4»
=== second-notebook-cell | code | en
In [«between:1:99»]: os.environ["ANTHROPIC_API_KEY"] = "«api_key:anthropic»"
In [«between:1:99»]: df.shape
Out[«between:1:99»]: («n:6», 12)
=== second-config-show | kv | en
provider.openai.api_key      «api_key:openai»   (from file)
provider.openai.max_tokens   «n:5»              (default)
budget.usd                   «dec:2:2»             (from env)
=== second-coinbase-key | json | en
{"name":"organizations/«uuid»/apiKeys/«uuid»","privateKey":"«private_key:escaped:EC »\n","weight":«n:5»}
=== second-heredoc-key | code | en
cat > /etc/prices/sftp.pem <<EOF
«private_key:lines:pkcs8»
EOF
chmod 600 /etc/prices/sftp.pem && wc -c /etc/prices/sftp.pem  # «n:4»
=== second-ko-chat-transfer | prose | ko
[«kname»] [오후 «between:1:11»:«between:10:59»] 점심값 «grp:5»원 국민은행 «account:kb» 로 보내줘
[«kname»] [오후 «between:1:11»:«between:10:59»] 보냈어 확인해봐
=== second-ko-salary-account | kv | ko
급여이체 계좌 : 신한 «account:shinhan» («kname»)
기본급 : «grp:7»원
식대 : 200,000원
지급일 : 매월 «between:5:28»일
=== second-ko-cms | prose | ko
자동이체 신청 완료. 출금계좌 농협 «account:nh», 매월 «between:1:28»일 «grp:6»원, 납부자번호는 청구서를 참고하세요.
=== second-ko-securities-json | json | ko
{"위탁계좌번호":"«account:kis»","예수금":«n:9»,"총평가금액":«n:10»,"보유종목":[{"종목코드":"«krcode»","수량":«n:4»,"평균단가":«dec:5:4»}]}
=== second-ko-bank-export | csv | ko
거래일시|적요|상대은행|상대계좌번호|출금액|잔액
«date:%Y%m%d%H%M%S»|이체|우리|«account:woori»|«n:6»|«n:9»
«date:%Y%m%d%H%M%S»|이체|하나|«account:hana»|«n:7»|«n:9»
=== second-ko-payroll-csv | csv | ko
사번,이름,주민번호,과세표준,원천징수세액
«n:6»,«kname»,«rrn:dash»,«n:8»,«n:6»
«n:6»,«kname»,«rrn:dash»,«n:8»,«n:6»
=== second-ko-withholding | kv | ko
⑥ 성 명: «kname»   ⑦ 주민등록번호: «rrn:dash»
⑬ 급여: «grp:8»   ⑭ 상여: «grp:7»
귀속연도: «between:2015:2025»년
=== second-ko-inherit-mail | prose | ko
상속인 «kname»(주민등록번호: «rrn:dash:old»)이 보통주 «grp:5»주와 예금 «hangul_money»을 승계합니다. 신고기한은 «date:%Y년 %m월 %d일»입니다.
=== second-ko-family-md | md | ko
| 관계 | 성명 | 주민등록번호 | 공제액 |
|---|---|---|---:|
| 배우자 | «kname» | «rrn:dash:old» | 1,500,000 |
| 자녀 | «kname» | «rrn:dash:new» | «grp:7» |
=== second-ko-foreigner-json | json | ko
{"성명":"«name»","외국인등록번호":"«rrn:dash:foreign»","체류자격":"E-7","보수총액":«n:8»}
=== second-ko-crm-note | prose | ko
고객 «kname»님 본인확인: 주민번호 «rrn:bare:old» 일치. 상담 후 ELS «hangul_money» 청약, 만기 «date:%Y.%m.%d».
=== second-ko-card-slip | kv | ko
[신용카드 매출전표]
카드번호 : «card:dash:visa»
승인번호 : «d:8»
합계금액 : «grp:6»원
가맹점번호 : «n:9»
=== second-ko-card-mail | prose | ko
정기결제 카드를 «card:space:mc» (유효기간 «between:10:12»/«between:27:31»)로 바꿔주세요. 지금은 월 «grp:5»원이 이중으로 청구됩니다.
=== second-ko-hts | kv | ko
HTS 아이디=quant«n:3»
HTS 비밀번호=«password»
자동주문 한도=«n:8»
=== second-ko-key-chat | prose | ko
한투 앱키는 «api_key:plain» 이고 앱시크릿은 «token:plain» 입니다. 초당 «between:5:20»건까지 됩니다.
=== second-ko-html-refund | html | ko
<li>환불계좌: 카카오뱅크 «account:kakao»</li><li>환불금액: «grp:6»원</li><li>주문번호: «date:%Y%m%d»«n:6»</li>
=== second-ko-error | log | ko
«date:%Y-%m-%d %H~%M~%S» ERROR 이체실패(E«n:4») 입금계좌번호: «account:ibk» 요청금액: «n:8» 잔여한도: «n:9»
"""
