"""More templates with private pieces: labels on the line above, query strings, XML, Python reprs, texts in both languages."""

TEXTS = r"""
=== m-label-above | kv | en
ACCOUNT NUMBER
«account:us10»
STATEMENT DATE
«date:%m/%d/%Y»
NEW BALANCE
$«cmoney»
=== m-zeros-in-front | kv | en
Account Number: «account:zeros»
Check Number: «n:4»
Amount: $«cmoney»
=== m-xml | html | en
<Payment><AccountNumber>«account:us10»</AccountNumber><RoutingNumber>«aba»</RoutingNumber><Amount>«dec:6:2»</Amount></Payment>
=== m-xml-iban | html | en
<DbtrAcct><Id><IBAN>«iban:bare»</IBAN></Id></DbtrAcct><InstdAmt Ccy="EUR">«dec:5:2»</InstdAmt><EndToEndId>«n:12»</EndToEndId>
=== m-python-repr | code | en
{'account_number': '«account:us9»', 'cash': Decimal('«dec:6:2»'), 'ts': «epoch:ms», 'qty': «n:5»}
=== m-python-card | code | en
payment = {"card_number": "«card:bare»", "amount": «n:6», "currency": "usd"}
=== m-python-key | code | en
client = Anthropic(api_key="«api_key:anthropic»", timeout=«n:3», max_retries=«between:1:9»)
=== m-url-key | log | en
GET https://api.example.com/v1/bars?symbol=«tick»&limit=«n:4»&from=«epoch:s»&api_key=«api_key:google» 200
=== m-shell-export | code | en
export ANTHROPIC_API_KEY=«api_key:anthropic»
export MAX_TOKENS=«n:5»
finclaw run --seed «n:9»
=== m-basic-list | prose | en
1. Routing number: «aba»
2. Account number: «account:us12»
3. Amount: $«grp:6».«d:2»
4. Invoice: «n:8»
=== m-two-ssns | prose | en
Joint filers, SSNs «ssn» and «ssn»; taxable income $«grp:6», tax $«grp:5», effective rate «pct».
=== m-ko-en-wire | prose | ko
Wire 안내: Routing number «aba», Account number «account:us10», 금액 USD «cmoney» (약 «hangul_money»)
=== m-ko-label-above | kv | ko
계좌번호
«account:kb»
예금주
«kname»
이체금액
«grp:7»원
=== m-ko-rrn-paren | prose | ko
신청인 «kname»(주민등록번호 «rrn:dash»)은 «kfirm» 보통주 «grp:6»주를 주당 «grp:5»원에 매도하였다.
=== m-ko-card-note | prose | ko
분실 카드: «card:space:mc», 마지막 승인 «date:%m/%d %H~%M» «grp:6»원, 누적 «grp:8»원
=== m-ko-log-json | log | ko
«date:%Y-%m-%d %H~%M~%S» req={"계좌번호":"«account:kr12»","종목":"«krcode»","수량":«n:4»,"가격":«n:6»} «n:3»ms
"""
