"""Templates of English prose with private pieces: e-mails, statements, chat, call notes, tool output."""

TEXTS = r"""
=== email-card-refund | prose | en
Hi «name»,

please refund $«cmoney» to my Visa «card:space:visa» (order of «date:%d %B %Y»). The invoice total was $«grp:5».«d:2».

Thanks
=== email-card-dash | prose | en
My card number is «card:dash», it expires 09/«between:27:31». Call me at «phone» if the $«grp:4» charge fails.
=== chat-charge-it | prose | en
[«date:%H~%M»] «name»: just charge it to «card:bare:visa», exp 11/«between:27:31»
[«date:%H~%M»] «name»: ok, $«dec:3:2» done
=== chat-mastercard | prose | en
she paid the $«cmoney» with Mastercard «card:space:mc» yesterday
=== amex-statement | prose | en
American Express account ending soon. Card Number: «card:space:amex»
Statement closing date «date:%m/%d/%Y». New balance $«cmoney». Minimum due $«dec:2:2».
=== amex-bare | prose | en
Corporate Amex «card:bare:amex» was used for the «firm» dinner, $«dec:3:2», on «date:%Y-%m-%d».
=== discover-call-note | prose | en
Call note: client read out Discover card «card:any:discover»; asked why APR is «pct». Revenue of «firm» was «grp:12» USD.
=== two-cards | prose | en
Old card «card:space:visa» was replaced by «card:space:mc». The limit stays at $«grp:5».
=== diners-jcb | prose | en
Traveller cards on file: Diners Club «card:space:diners», JCB «card:space:jcb». Both were charged ¥«grp:6».
=== unionpay-note | prose | en
UnionPay card «card:bare:unionpay» declined at «date:%Y-%m-%dT%H~%M~%SZ», amount CNY «dec:5:2».
=== card-unlabelled-grouped | prose | en
«card:space:visa» exp. 0«between:1:9»/«between:27:31», billing ZIP «d:5»
=== ssn-dash | prose | en
Taxpayer «name», SSN «ssn», reported wages of $«cmoney» for «between:2019:2024».
=== ssn-space | prose | en
Her social security number is «ssn:space» and the refund was $«grp:4».
=== ssn-bare-labelled | prose | en
SSN: «ssn:bare»
AGI: $«grp:6»
Filing date: «date:%B %d, %Y»
=== ssn-hash | prose | en
Borrower «name» (SSN# «ssn») applied for $«grp:6» at «pct» over «between:10:30» years. FICO «between:620:810».
=== ssn-social | prose | en
Caller verified with Social Security Number «ssn:bare». She holds «grp:5» shares of «tick».
=== ssn-1099 | prose | en
Form 1099-DIV. Recipient's TIN (SSN): «ssn». Box 1a: «cmoney». Box 1b: «cmoney». Tax year «between:2019:2024».
=== iban-transfer | prose | en
Please transfer EUR «cmoney» to IBAN «iban:space», reference «n:6», by «date:%d.%m.%Y».
=== iban-bare | prose | en
My IBAN is «iban:bare» (BIC «bic»). I bought «n:3» units at «dec:2:4».
=== iban-unlabelled | prose | en
Pay the remaining €«grp:5:dot»,«d:2» to «iban:bare:DE» today, and €«grp:4:dot»,«d:2» to «iban:bare:NL» next week.
=== iban-many | prose | en
ResumedCallResolver accounts: Paris «iban:space:FR»; Madrid «iban:space:ES»; Milan «iban:space:IT»; London «iban:space:GB»; Zurich «iban:space:CH».
FX on «date:%Y-%m-%d»: EURCHF «dec:1:5», EURGBP 0.«d:5».
=== iban-north | prose | en
Nordic branches use «iban:bare:SE», «iban:bare:NO», «iban:bare:DK» and «iban:bare:FI». Volumes: «grp:9», «grp:8», «grp:10» and «n:7».
=== iban-east | prose | en
Vendors: Warsaw «iban:space:PL», Prague «iban:space:CZ», Istanbul «iban:space:TR», Dubai «iban:space:AE», Riyadh «iban:space:SA», Vienna «iban:space:AT».
=== wire-us | prose | en
Wire instructions
Bank: Blue Harbor Bank
Routing number: «aba»
Account number: «account:us10»
Amount: USD «grp:7».«d:2»
Value date: «date:%Y-%m-%d»
=== wire-aba-inline | prose | en
Send the $«grp:6» to ABA «aba», account no. «account:us9», for further credit to «name».
=== routing-only | prose | en
The ABA routing number is «aba»; the bank had deposits of $«n:12» at year end.
=== account-number-inline | prose | en
My account number «account:us12» shows a balance of $«cmoney», but the market value should be $«cmoney».
=== account-hash | prose | en
Acct # «account:us8» - opening balance «cmoney» - closing balance «cmoney»
=== brokerage-fidelity | prose | en
Brokerage account number: «account:fid»
Positions: «n:3» «tick» @ «dec:3:2»; «n:4» «tick» @ «dec:2:4»
=== brokerage-ibkr | prose | en
Interactive Brokers account number «account:ibkr», net liquidation «dec:6:2» USD, excess liquidity «dec:5:2».
=== account-dashed | prose | en
Please debit bank account no. «account:dashed» for the fee of «dec:2:2» EUR.
=== key-anthropic | prose | en
I set ANTHROPIC_API_KEY to «api_key:anthropic» and still get error 401 after «n:3» ms.
=== key-openai | prose | en
is «api_key:openai» rate limited? I see «n:5» tokens per minute
=== key-github | prose | en
git clone https://«api_key:github»@github.com/acme/prices.git failed at commit «hexa:40»
=== key-aws | prose | en
The bucket is read with access key «api_key:aws»; it holds «grp:7» files from «date:%Y».
=== key-google-slack | prose | en
Use «api_key:google» for maps and «token:slack» for the alerts channel; quota is «grp:6» calls a day.
=== pem-in-chat | prose | en
here is the deploy key, it worked until «date:%Y-%m-%d»:

«private_key»

the fingerprint ends in «hexa:8»
=== all-at-once | prose | en
Client «name», SSN «ssn», card «card:space», IBAN «iban:bare», account number «account:us10».
Portfolio: «tick» «n:4» shares at $«dec:3:2»; market cap «n:13»; ISIN «isin»; CIK «cik».
"""
