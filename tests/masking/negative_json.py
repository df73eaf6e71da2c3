"""JSON in which everything must survive: XBRL values, quotes, filings, usage counts, keys that only sound private."""

TEXTS = r"""
=== n-json-xbrl | json | en
{"facts":{"us-gaap":{"AccountsReceivableNetCurrent":{"units":{"USD":[{"end":"«date:%Y-%m-%d»","val":«n:12»,"accn":"«accession»","fy":2024,"fp":"FY","form":"10-K","frame":"CY2024Q4I"},{"end":"«date:%Y-%m-%d»","val":«cardlike:visa»,"accn":"«accession»"}]}}}}}
=== n-json-xbrl-card | json | en
{"us-gaap":{"CreditCardReceivables":{"val":«cardlike:mc»},"InterestAndFeeIncomeCreditCard":{"val":«abalike»},"DepositsSavingsDeposits":{"val":«n:12»}}}
=== n-json-companyfacts-pretty | json | en
{
  "cik": «n:7»,
  "entityName": "«firm»",
  "SocialSecurityTaxes": {"val": «ssnlike»},
  "CashAndDueFromBanks": {"val": «n:11»},
  "shares": [{"val": «n:11», "filed": "«date:%Y-%m-%d»"}]
}
=== n-json-quote | json | en
{"symbol":"«krcode».KS","marketCap":«cardlike:amex»,"regularMarketVolume":«ssnlike»,"sharesOutstanding":«n:10»,"regularMarketTime":«epoch:s»}
=== n-json-quote-string | json | en
{"symbol": "«tick»", "marketCap": "«cardlike:amex»", "enterpriseValue": "«cardlike:visa»", "avgVolume": "«ssnlike»", "floatShares": "«abalike»"}
=== n-json-chart | json | en
{"timestamp":[«epoch:s»,«epoch:s»,«epoch:s»],"close":[«dec:3:13»,«dec:3:13»,«dec:3:12»],"adjclose":[«small:12»,«small:14»,null],"volume":[«ssnlike»,«abalike»,«n:8»]}
=== n-json-array-big | json | en
{"totalAssets":[«cardlike:visa»,«cardlike:mc»,«cardlike:amex»,«cardlike:discover»],"period":["2021","2022","2023","2024"]}
=== n-json-trade | json | en
{"e":"trade","E":«epoch:ms»,"s":"BTCUSDT","t":«n:10»,"p":"«dec:5:8»","q":"«small:8»","b":«n:11»,"a":«n:11»,"T":«epoch:ms»}
=== n-json-klines | json | en
[[«epoch:ms»,"«dec:5:8»","«dec:5:8»","«dec:5:8»","«dec:5:8»","«dec:4:8»",«epoch:ms»,"«dec:9:8»",«n:6»]]
=== n-json-order-book | json | en
{"lastUpdateId":«n:11»,"bids":[["«dec:5:8»","«dec:1:8»"],["«dec:5:8»","«dec:1:8»"]],"asks":[["«dec:5:8»","«dec:1:8»"]]}
=== n-json-dart | json | ko
{"rcept_no":"«date:%Y%m%d»«d:6»","corp_code":"«d:8»","stock_code":"«krcode»","account_id":"ifrs-full_Assets","account_nm":"자산총계","thstrm_amount":"«n:15»","frmtrm_amount":"«cardlike:amex»","ord":"«between:1:30»"}
=== n-json-dart-accounts | json | ko
[{"account_id":"ifrs-full_Revenue","account_nm":"매출액","thstrm_amount":"«cardlike:visa»"},{"account_id":"dart_OperatingIncomeLoss","account_nm":"영업이익","thstrm_amount":"«n:13»"}]
=== n-json-krx | json | ko
{"ISU_SRT_CD":"«krcode»","MKTCAP":"«cardlike_grouped:amex»","LIST_SHRS":"«grp:10»","ACC_TRDVAL":"«grp:12»","TDD_CLSPRC":"«grp:5»"}
=== n-json-balance | json | en
{"accountBalance": «n:10», "accountValue": «n:12», "accountType": "margin", "accountCurrency": "KRW", "accountAgeDays": «n:4»}
=== n-json-account-counts | json | en
{"account_count":«n:9»,"new_accounts":«n:8»,"accounts_receivable":«n:12»,"accountsPayable":«n:12»,"accountTurnover":«dec:1:6»}
=== n-json-card-metrics | json | en
{"cardRevenue":«cardlike:visa»,"cardVolume":«cardlike:mc»,"cardsIssued":«n:9»,"cardType":"visa","cardBrand":"mastercard","cardFees":«n:10»}
=== n-json-bank-metrics | json | en
{"bankDeposits": «cardlike:visa», "bankName": "«firm»", "bankRank": «between:1:50», "bankLoans": «n:15», "ibanSupported": true}
=== n-json-usage | json | en
{"usage":{"input_tokens":«n:6»,"output_tokens":«n:5»,"cache_read_input_tokens":«n:9»},"max_tokens":«n:5»,"token_count":«n:9»}
=== n-json-token-crypto | json | en
{"token":"USDC","tokenAddress":"0x«hexa:40»","decimals":6,"tokenSupply":"«n:16»","price":"«small:18»","txHash":"0x«hexa:64»"}
=== n-json-password-words | json | en
{"passwordChangedAt":"«date:%Y-%m-%dT%H~%M~%SZ»","passwordMinLength":12,"passwordAttempts":«between:0:5»,"requiresPassword":true,"password":null}
=== n-json-key-refs | json | en
{"api_key": "${QUOTES_API_KEY}", "api_key_env": "QUOTES_API_KEY", "calls": «n:6», "since": «epoch:s»}
=== n-json-placeholder | json | en
{"ssn": "***-**-«d:4»", "card_number": "**** **** **** «d:4»", "last4": "«d:4»", "amount": «dec:4:2»}
=== n-json-nulls | json | en
{"ssn":null,"iban":"","accountNumber":null,"cardNumber":"","volume":«ssnlike»,"val":«cardlike:visa»}
=== n-json-last-four | json | en
{"brand": "visa", "last4": "«d:4»", "exp_year": «between:2026:2031», "amount": «n:7», "created": «epoch:s», "fingerprint_count": «between:1:9»}
=== n-json-ids | json | en
{"isin":"«isin»","cusip":"«cusip»","sedol":"«sedol»","figi":"«figi»","lei":"«lei»","bic":"«bic»","cik":"«cik»"}
=== n-json-uuids | json | en
{"id":"«uuid»","parent":"«uuid»","etag":"«hexa:32»","sha":"«hexa:40»","digest":"sha256:«hexa:64»","seq":«n:16»}
=== n-json-orders | json | en
{"orderId":«n:12»,"clientOrderId":"«uuid»","invoiceNumber":"«n:10»","trackingNumber":"«n:12»","total":«dec:4:2»}
=== n-json-order-luhn | json | en
{"order_id":"«luhn:4:16»","qty":«n:5»,"avgPrice":«dec:3:4»,"notional":«cardlike:visa»}
=== n-json-snowflake | json | en
{"tweet_id":"«between:1000000000000000000:1899999999999999999»","likes":«n:6»,"followers":«n:9»,"text":"«tick» at $«dec:3:2», cap $«n:13»"}
=== n-json-geo | json | en
{"lat":«lat»,"lng":«lon»,"alt":«dec:3:10»,"bbox":[«lon»,«lat»,«lon»,«lat»],"zip":"«d:5»"}
=== n-json-science | json | en
{"notional":«sci»,"eps":«sci»,"beta":«small:16»,"sharpe":«small:15»,"p":«sci»}
=== n-json-ndjson | json | en
{"ts":«epoch:ns»,"px":«dec:5:2»,"qty":«n:9»,"val":«n:16»}
{"ts":«epoch:ns»,"px":«dec:5:2»,"qty":«n:9»,"val":«cardlike:visa»}
{"ts":«epoch:ns»,"px":«dec:5:2»,"qty":«ssnlike»,"val":«cardlike:amex»}
=== n-json-sec-submissions | json | en
{"cik":"«cik»","sic":"«n:4»","ein":"«d:9»","phone":"«phone»","accessionNumber":["«accession»","«accession»"],"size":[«n:8»,«n:9»],"fileNumber":["001-«d:5»"]}
=== n-json-fred | json | en
{"series_id":"GDP","observations":[{"date":"«date:%Y-%m-%d»","value":"«dec:5:3»"},{"date":"«date:%Y-%m-%d»","value":"«cardlike:visa»"}]}
=== n-json-13f | json | en
{"nameOfIssuer":"«firm»","cusip":"«cusip»","value":«n:12»,"sshPrnamt":«ssnlike»,"votingAuthority":{"Sole":«abalike»,"Shared":0}}
=== n-json-escaped | json | en
{"output":"{\"marketCap\": «cardlike:amex», \"volume\": «ssnlike», \"accounts_receivable\": «n:12»}"}
=== n-json-nested-amount | json | en
{"balance":{"amount":"«n:10»","currency":"KRW"},"card":{"brand":"visa","spend":{"amount":«cardlike:visa»,"currency":"KRW"}}}
=== n-json-schema | json | en
{"$id":"https://example.com/schemas/«n:6»","type":"object","properties":{"account_number":{"type":"string","pattern":"^[0-9]{8,12}$","maxLength":«between:12:20»},"iban":{"type":"string","minLength":15},"password":{"type":"string"}}}
=== n-json-tool-call | json | en
{"name":"get_bars","arguments":{"symbol":"«tick»","start":«epoch:ms»,"limit":«n:4»},"id":"toolu_«b58:24»"}
=== n-json-korean | json | ko
{"종목명":"«kfirm»","시가총액":«cardlike:amex»,"거래량":«ssnlike»,"상장주식수":«n:10»,"계좌잔액":«n:10»,"카드매출":«cardlike:visa»}
=== n-json-korean-string | json | ko
{"법인등록번호":"«corp_reg»","사업자등록번호":"«biz_reg»","종목코드":"«krcode»","매출액":"«n:15»","외국인보유수량":"«n:10»"}
"""
