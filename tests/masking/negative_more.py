"""More texts in which everything must survive: business segments named card and bank, ledgers, totals, account words."""

TEXTS = r"""
=== nm-segments-json | json | en
{"segmentRevenueKRW":{"card":«cardlike:visa»,"bank":«cardlike:mc»,"securities":«n:14»,"insurance":«n:13»}}
=== nm-segments-csv | csv | en
segment,revenue_krw,profit_krw
card,«cardlike:visa»,«n:12»
bank,«cardlike:mc»,«n:13»
=== nm-segments-md | md | en
| Revenue (won) | Card | Bank | Brokerage |
|---|---:|---:|---:|
| 2023 | «cardlike:visa» | «n:14» | «n:12» |
| 2024 | «cardlike:mc» | «cardlike:amex» | «n:12» |
=== nm-account-total | prose | en
Account total: $«n:9». Account equity: «dec:9:2» USD. Account cash «n:8» USD; account margin requirement $«grp:8».
=== nm-account-decimals | kv | en
account equity: «dec:7:2»
account cash: «dec:8:2»
account margin used: «dec:6:4»
account leverage: «dec:1:6»
=== nm-ledger-lines | kv | en
4010 Sales revenue            «n:12».00
1200 Accounts receivable      «n:11».00
1010 Cash at bank             «n:12».00
2000 Accounts payable         «n:10».00
=== nm-card-spend-table | csv | en
month;card_spend_usd;card_transactions;avg_ticket
«date:%Y-%m»;«n:10»;«ssnlike»;«dec:2:4»
«date:%Y-%m»;«n:11»;«abalike»;«dec:2:4»
=== nm-bank-call-report | json | en
{"RSSD":"«n:7»","CERT":"«n:5»","ASSET":«n:12»,"DEP":«n:12»,"NUMACCTS":«n:8»,"REPDTE":"«date:%Y%m%d»"}
=== nm-tool-output | prose | en
get_financials returned 3 rows: total assets «cardlike:visa» won, equity «n:15» won, shares issued «ssnlike».
=== nm-question | prose | en
Is «cardlike:amex» KRW a plausible market cap for «krcode».KS when it has «n:10» shares at «grp:5» won?
=== nm-password-policy-json | json | en
{"password_policy":{"min_length":«between:8:16»,"max_age_days":«n:3»},"account_lockout":{"threshold":«between:3:9»,"seconds":«n:5»}}
=== nm-ko-segments | csv | ko
부문,매출액(원),영업이익(원)
카드,«cardlike:visa»,«n:12»
은행,«cardlike:mc»,«n:13»
=== nm-ko-rates | md | ko
| 은행 | 예금금리 | 총수신(원) |
|---|---:|---:|
| «kfirm» | «pct» | «cardlike:visa» |
| «kfirm» | «pct» | «n:15» |
=== nm-ko-account-value | kv | ko
계좌 평가금액: «n:10»원
계좌 수익률: «pct»
예수금: «n:9»원
카드 결제예정금액: «n:7»원
=== nm-ko-population | prose | ko
주민등록 인구는 «n:8»명, 등록외국인은 «n:7»명, 주민등록 세대수는 «grp:8»세대이다.
"""
