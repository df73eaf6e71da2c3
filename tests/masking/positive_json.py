"""Templates of JSON with private pieces: pretty, compact, nested, NDJSON, numbers and strings."""

TEXTS = r"""
=== json-card-number | json | en
{"cardNumber": "«card:bare»", "amount": «dec:3:2», "currency": "USD", "created": «epoch:s»}
=== json-card-compact | json | en
{"id":«n:7»,"card_number":"«card:space»","expMonth":«between:1:12»,"expYear":«between:2027:2031»,"limit":«n:5»}
=== json-card-as-number | json | en
{"payment":{"cardNumber":«card:bare:visa»,"amountMinor":«n:6»,"marketCap":«cardlike:amex»}}
=== json-pan | json | en
{
  "pan": "«card:bare»",
  "issuer": "«firm»",
  "volume": «n:9»
}
=== json-account-number | json | en
{"account_number": "«account:us10»", "buying_power": "«dec:6:2»", "equity": "«dec:6:2»", "daytrade_count": 0}
=== json-account-camel | json | en
{"accounts":[{"accountNumber":"«account:us8»","type":"MARGIN","balances":{"cash":«dec:5:2»,"equity":«dec:6:2»}},{"accountNumber":"«account:us8»","type":"CASH","balances":{"cash":«dec:4:2»}}]}
=== json-account-as-number | json | en
{
  "accountNumber": «account:us9»,
  "sharesHeld": «n:9»,
  "marketValue": «dec:8:2»
}
=== json-acct-no | json | en
{"acctNo":"«account:us12»","bal":«n:12»,"ccy":"KRW","ts":«epoch:ms»}
=== json-bank-nested | json | en
{
  "payee": {
    "name": "«name»",
    "bank": {
      "routing_number": "«aba»",
      "account_number": "«account:us10»"
    }
  },
  "amount_cents": «n:8»
}
=== json-ssn | json | en
{"employee":"«name»","ssn":"«ssn»","salary":«n:6»,"hired":"«date:%Y-%m-%d»"}
=== json-ssn-bare | json | en
[{"ssn":"«ssn:bare»","shares":«n:9»},{"ssn":"«ssn:bare»","shares":«n:9»}]
=== json-ssn-number | json | en
{"taxpayer": {"ssn": «ssn:bare», "agi": «n:6», "zip": "«d:5»"}}
=== json-iban | json | en
{"creditor":{"iban":"«iban:bare»","bic":"«bic»"},"instructedAmount":{"currency":"EUR","amount":"«dec:5:2»"}}
=== json-iban-spaced | json | en
{
  "IBAN": "«iban:space»",
  "lei": "«lei»",
  "notional": «n:9»
}
=== json-password | json | en
{"username": "analyst7", "password": "«password»", "retries": «between:1:9», "lastLogin": «epoch:ms»}
=== json-db | json | en
{"db":{"host":"«ip»","port":5432,"dbPassword":"«password»","rows":«n:9»}}
=== json-api-key | json | en
{"provider": "quotes", "api_key": "«api_key:plain»", "rate_limit": «n:4», "plan": "pro"}
=== json-api-key-camel | json | en
{"apiKey":"«api_key:hex»","endpoint":"https://data.example.com/v«between:1:9»","limit":«n:5»}
=== json-oauth | json | en
{"access_token": "«token:plain»", "token_type": "Bearer", "expires_in": «n:4», "scope": "read"}
=== json-refresh | json | en
{"refreshToken":"«token:jwt»","issuedAt":«epoch:s»,"accountType":"margin","leverage":«between:1:4»}
=== json-client-secret | json | en
{
  "client_id": "finance-desk",
  "client_secret": "«api_key:plain»",
  "timeout": «n:4»
}
=== json-private-key | json | en
{"type":"service_account","project_id":"prices-«n:4»","private_key":"«private_key:escaped:pkcs8»\n","quota":«n:6»}
=== json-prefix-in-text | json | en
{"role":"user","content":"use key «api_key:anthropic» please","tokens":«n:4»,"cost":«small:6»}
=== json-aws | json | en
{"AccessKeyId":"«api_key:aws»","SecretAccessKey":"«token:plain»","Expiration":"«date:%Y-%m-%dT%H~%M~%SZ»"}
=== json-note-mixed | json | en
{"note":"card «card:space» charged, SSN «ssn»","price":«dec:3:4»,"isin":"«isin»","figi":"«figi»"}
=== json-escaped-inner | json | en
{"result": "{\"account_number\": \"«account:us10»\", \"equity\": \"«dec:6:2»\", \"volume\": «n:9»}"}
=== ndjson-payments | json | en
{"t":«epoch:ms»,"cardNumber":"«card:bare»","amt":«dec:3:2»}
{"t":«epoch:ms»,"cardNumber":"«card:bare»","amt":«dec:4:2»}
{"t":«epoch:ms»,"cardNumber":"«card:bare»","amt":«dec:2:2»}
=== ndjson-broker | json | en
{"accountNo":"«account:us8»","sym":"«tick»","qty":«n:4»,"px":«dec:3:4»,"orderId":"«n:12»"}
{"accountNo":"«account:us8»","sym":"«tick»","qty":«n:4»,"px":«dec:3:4»,"orderId":"«n:12»"}
=== json-list-of-cards | json | en
{"cards": ["«card:space:visa»", "«card:space:mc»", "«card:space:amex»"], "limits": [«n:4», «n:5», «n:4»]}
=== json-korean-keys | json | ko
{"이름": "«kname»", "계좌번호": "«account:kb»", "잔액": «n:10», "통화": "KRW"}
=== json-korean-rrn | json | ko
{"성명":"«kname»","주민등록번호":"«rrn:dash»","연봉":«n:8»,"입사일":"«date:%Y-%m-%d»"}
=== json-korean-rrn-short | json | ko
{
  "주민번호": "«rrn:bare»",
  "보유주식수": «n:9»,
  "평가금액": «n:13»
}
=== json-korean-card | json | ko
{"카드번호":"«card:dash»","승인금액":«n:6»,"승인일시":"«date:%Y%m%d%H%M%S»"}
=== json-korean-escaped | json | ko
{"\uacc4\uc88c\ubc88\ud638": "«account:shinhan»", "krw": «n:10»}
=== json-rrn-english-key | json | ko
{"rrn":"«rrn:bare»","name":"«kname»","marketCap":«n:15»}
=== json-jumin | json | ko
{"residentRegistrationNumber":"«rrn:dash»","employees":«n:4»,"corpRegNo":"«corp_reg»"}
"""
