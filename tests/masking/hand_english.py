"""Hand-written English texts, each for itself; private numbers are official test numbers or made from a seed."""

TEXTS = r"""
=== h-en-01 | prose | en
Hey, the terminal keeps saying "do not honor" for «card|4111 1111 1111 1111». It worked on Friday for 62.40.
=== h-en-02 | prose | en
Please move $12,500.00 from my checking account number «account:us10» into the brokerage sleeve and buy 40 VTI at 251.13 or better.
=== h-en-03 | prose | en
For the W-9: legal name Dana Whitlock, SSN «ssn», exempt payee code none. We paid 48,211.75 in 2023 and 51,040.10 in 2024.
=== h-en-04 | prose | en
Dear team, salary for March (EUR 4,812.36) should go to my new account: «iban|DE89 3704 0044 0532 0130 00». The old one closes on 31.03.2025. Regards, Ellen
=== h-en-05 | prose | en
Mom's card is the Amex one, «card|3782 822463 10005», and the phone company takes $71.99 on the 4th.
=== h-en-06 | prose | en
CALL NOTE 14:22 - client disputes three debits (19.99, 19.99, 24.99) on Mastercard «card|5555-5555-5555-4444». Sent form 88-B.
=== h-en-07 | prose | en
Fedwire: receiving bank ABA «aba», beneficiary acct no. «account:us9», amount USD 1,250,000.00, OBI "Q3 capital call".
=== h-en-08 | prose | en
Could you check whether social security number «ssn:bare» is already on the 1099-B file? Proceeds were 88,204.19, cost basis 71,550.00.
=== h-en-09 | prose | en
Our landlord wants rent (GBP 1,450) on IBAN «iban|GB82 WEST 1234 5698 7654 32» before the 1st.
=== h-en-10 | prose | en
I accidentally pasted my key «api_key:anthropic» in the channel. Rotating now. Spend so far: $318.42 over 1,204,331 tokens.
=== h-en-11 | prose | en
Statement summary
Account number: «account:us12»
Opening balance 04/01: $10,233.18
Closing balance 04/30: $9,871.44
Interest paid year-to-date: $12.07
=== h-en-12 | prose | en
Discover said the number «card|6011 1111 1111 1117» is blocked after 3 attempts of $1.00.
=== h-en-13 | prose | en
we keep the CI token «api_key:github» in the vault, it reads 14 repos and expires 2026-12-31
=== h-en-14 | prose | en
Spouse: Marcus, SSN «ssn:space», wages 93,400. Me: SSN «ssn:space», wages 87,150. Filing jointly, standard deduction 29,200.
=== h-en-15 | prose | en
The dividend (0.24/share on 1,850 shares = 444.00) landed in the wrong place; my IBKR account number is «account:ibkr».
=== h-en-16 | prose | en
Ticket 88213: customer typed his whole card into the memo field: "«card|4242424242424242» exp 04/29". Amount 15.00 EUR. Please scrub.
=== h-en-17 | prose | en
Direct deposit form. Bank routing number «aba». Checking account number «account:us10». Deposit 100% of net pay ($3,104.55 biweekly).
=== h-en-18 | prose | en
Swiss invoice over CHF 2'340.50, payable to «iban|CH93 0076 2011 6238 5295 7», due 2025-02-28.
=== h-en-19 | prose | en
Slack export, #ops, 09:41
hugo: bot token is «token:slack»
hugo: it posted 1,482 alerts last week, p95 212 ms
=== h-en-20 | prose | en
JCB «card|3530 1113 3330 0000» was billed JPY 128,000 at the Osaka hotel; the rate was 0.006543 USD per JPY.
=== h-en-21 | prose | en
Refund path: Dutch seller, «iban|NL91 ABNA 0417 1643 00», EUR 89.95, order placed 12 Jan 2025.
=== h-en-22 | prose | en
Borrower file 7: SSN «ssn», FICO 742, DTI 31.8%, loan $412,000 at 6.375% / 30y, P&I $2,570.34.
=== h-en-23 | prose | en
Our Diners Club «card|3056 930902 5904» still earns 2.5x at restaurants, about 61,000 points a year.
=== h-en-24 | prose | en
My Schwab account number is «account:schwab» and I want to know why 3 lots of NVDA (10 @ 118.11, 5 @ 121.96, 25 @ 132.65) show a loss.
=== h-en-25 | prose | en
The French desk settles through «iban|FR14 2004 1010 0505 0001 3M02 606»; coupon 3.25%, nominal EUR 5,000,000, ISIN FR0013508470.
=== h-en-26 | prose | en
>>> print(os.environ["OPENAI_API_KEY"])
«api_key:openai»
>>> len(df)
251904
=== h-en-27 | prose | en
Two cards on the trip: «card|4000 0566 5566 5556» (debit, 412.30 left) and «card|5105 1051 0510 5100» (credit, limit 8,000).
=== h-en-28 | prose | en
Voicemail transcript: "...yes it's account number «account:us8», and the check was for four hundred and twelve dollars, check number 1042."
=== h-en-29 | prose | en
Alpaca paper account number: PA is the prefix, mine is «account|PA3717048219», buying power 200000, cash 100000, pattern day trader false.
=== h-en-30 | prose | en
AWS key in the notebook: «api_key:aws». The bucket has 1,048,576 objects, 3.7 TB, about $86.02 a month.
=== h-en-31 | prose | en
Payroll correction: SSN «ssn:bare» was reported with box 1 of 64120.00; it should be 46120.00.
=== h-en-32 | prose | en
Belgian supplier: «iban|BE68 5390 0754 7034». Spanish one: «iban|ES91 2100 0418 4502 0005 1332». Totals: EUR 14.200,00 and EUR 9.875,50.
=== h-en-33 | prose | en
Wire cut-off is 17:00 ET. Credit account number «account:dashed», 3.5 million dollars, reference NORTHWIND-2025-0007.
=== h-en-34 | prose | en
From the contract annex: "The Buyer shall pay to account no. «account:us11» the sum of USD 2,400,000 (two million four hundred thousand)."
=== h-en-35 | prose | en
maps key «api_key:google» is over quota: 25,000 loads per day, we did 31,877 on 2025-06-03
=== h-en-36 | prose | en
Norway pays to «iban|NO93 8601 1117 947», Sweden to «iban|SE45 5000 0000 0583 9825 7466», Denmark to «iban|DK50 0040 0440 1162 43». NOKSEK 0.9541, DKKSEK 1.5372.
"""
