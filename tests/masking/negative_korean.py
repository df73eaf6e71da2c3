"""Korean texts in which everything must survive."""

TEXTS = r"""
=== nk-balance | prose | ko
계좌 잔액 «grp:10»원, 전월 대비 «pct».
=== nk-balance-bare | prose | ko
계좌 잔고는 «n:10»원이고 카드 대금은 «n:7»원입니다.
=== nk-card-sales | prose | ko
«kfirm»의 카드 매출은 «cardlike:visa»원, 체크카드 이용액은 «grp:13»원이다.
=== nk-cap | prose | ko
«kfirm» 시가총액은 «cardlike:amex»원, 상장주식수는 «n:10»주이다.
=== nk-cap-words | prose | ko
시가총액 «hangul_money», 매출 «hangul_money», 순이익 «hangul_money», 배당 «n:4»원.
=== nk-cap-luhn-group | prose | ko
자산총계 «cardlike_grouped:visa»원, 부채총계 «cardlike_grouped:mc»원, 자본총계 «cardlike_grouped:amex»원
=== nk-deposit | prose | ko
은행 예금 «n:14»원, 은행 대출 «cardlike:mc»원, 예대율 «pct».
=== nk-accounts-count | prose | ko
신규 계좌 수 «n:9»개, 활동 계좌 «grp:8»개, 계좌당 평균 잔액 «grp:8»원.
=== nk-foreign-holding | prose | ko
외국인 보유수량 «n:10»주(«pct»), 외국인 순매수 «grp:12»원, 기관 순매도 -«grp:11»원
=== nk-corp-reg | prose | ko
법인등록번호 «corp_reg», 사업자등록번호 «biz_reg», 종목코드 «krcode»
=== nk-corp-reg-kv | kv | ko
회사명: «kfirm»
법인등록번호: «corp_reg»
사업자등록번호: «biz_reg»
대표전화: 02-000-«d:4»
=== nk-corp-reg-table | md | ko
| 회사 | 법인등록번호 | 사업자번호 | 자본금 |
|---|---|---|---:|
| «kfirm» | «corp_reg» | «biz_reg» | «grp:11» |
=== nk-corp-reg-csv | csv | ko
회사명,법인등록번호,매출액
«kfirm»,«corp_reg»,«n:13»
«kfirm»,«corp_reg»,«cardlike:visa»
=== nk-rrn-explained | prose | ko
주민등록번호는 앞 6자리 생년월일과 뒤 7자리로 이루어진 13자리 번호다. «date:%Y»년 발급 건수는 «grp:7»건.
=== nk-rrn-masked | prose | ko
주민등록번호 «date:%y%m%d»-1******, 카드번호 ****-****-****-«d:4», 결제액 «grp:6»원
=== nk-account-masked | prose | ko
계좌번호 ***-***-**«d:4» 로 «grp:7»원 입금되었습니다.
=== nk-account-masked-2 | kv | ko
카드: 1234로 끝나는 카드
결제: «grp:6»원
포인트: «grp:5»점
승인일시: «date:%Y-%m-%d %H~%M~%S»
=== nk-phone | prose | ko
고객센터 1588-«d:4», IR 담당 «krphone», 팩스 «krphone»
=== nk-dates | prose | ko
«date:%Y년 %m월 %d일» 공시, «date:%Y.%m.%d» 기준, «date:%Y%m%d» 배당락, «date:%y/%m/%d» 지급
=== nk-receipt | prose | ko
접수번호 «date:%Y%m%d»«d:6», 고유번호 «d:8», 공시 문서 «n:7»번
=== nk-order | prose | ko
주문번호 «date:%Y%m%d»-«n:7», 송장번호 «n:12», 운송장 번호 «n:10», 결제 «grp:6»원
=== nk-approval | prose | ko
승인번호 «n:8», 거래번호 «date:%Y%m%d%H%M%S»«d:4», 금액 «grp:7»원
=== nk-volume | prose | ko
거래량 «n:9»주, 거래대금 «n:14»원, 공매도 «ssnlike»주, 대차잔고 «abalike»주
=== nk-quote | prose | ko
«kfirm»(«krcode») 현재가 «grp:5»원, 전일대비 ▲«n:3»(«pct»), PER «dec:2:2», EPS «n:4»원
=== nk-csv-price | csv | ko
일자,종가,거래량,거래대금,시가총액
«date:%Y-%m-%d»,«n:5»,«n:8»,«n:13»,«cardlike:amex»
«date:%Y-%m-%d»,«n:5»,«ssnlike»,«n:13»,«cardlike:amex»
=== nk-csv-investor | csv | ko
투자자,매수,매도,순매수
개인,«n:13»,«n:13»,«n:12»
외국인,«cardlike:visa»,«n:13»,-«n:12»
은행,«n:11»,«n:11»,«n:10»
=== nk-csv-accounts | csv | ko
계정과목,당기,전기
현금 및 예금,«n:14»,«cardlike:amex»
신용카드미수금,«n:11»,«cardlike:visa»
외상매출금,«cardlike:mc»,«n:12»
=== nk-md-financials | md | ko
| 구분 | 2023 | 2024 |
|---|---:|---:|
| 매출액 | «cardlike:visa» | «n:15» |
| 카드수수료 | «grp:10» | «grp:11» |
| 은행예치금 | «cardlike_grouped:amex» | «n:12» |
=== nk-log | log | ko
«date:%Y-%m-%d %H~%M~%S» [INFO] 시세 수신 종목=«krcode» 체결가=«n:5» 누적거래량=«ssnlike» 시퀀스=«n:16»
=== nk-html | html | ko
<td>시가총액</td><td>«cardlike:amex»</td><td>거래량</td><td>«abalike»</td><td>계좌 잔액</td><td>«n:10»</td>
=== nk-yaml | yaml | ko
한도:
  일일주문금액: «n:9»
  카드한도: «n:8»
  최대수량: «n:6»
  기준시각: «epoch:ms»
=== nk-limits | prose | ko
카드 한도 «between:100:900»만원, 계좌 이체 한도 «grp:9»원, 일 «between:1:9»회, 수수료 «n:3»원
=== nk-account-types | prose | ko
ISA 계좌 «n:7»개, 연금저축 계좌 «n:7»개, 총 적립금 «n:14»원
=== nk-isa | prose | ko
ISA 계좌에 «grp:8»원을 넣고 «kfirm» «n:3»주를 «grp:5»원에 샀다. 비과세 한도 «between:200:400»만원.
=== nk-password-words | prose | ko
비밀번호는 8~16자로, 비밀번호 오류 «between:1:5»회 시 잠깁니다. 문의 «grp:5»건.
=== nk-address | prose | ko
서울특별시 영등포구 여의대로 «n:3», 우편번호 «d:5», 건물 연면적 «grp:6».«d:2»㎡
=== nk-fx | prose | ko
환율 «dec:4:2»원/달러, 100엔당 «dec:3:2»원, 외환보유액 «n:12»달러, 은행 간 거래 «grp:11»달러
=== nk-mixed | prose | ko
AUM «n:14»원, NAV «dec:5:4», ISIN «isin», 좌수 «n:12», 보수 연 «dec:1:3»%
=== nk-bond | prose | ko
국고채 «dec:1:3»% 만기 «date:%Y-%m-%d», 발행액 «n:13»원, 낙찰금리 «dec:1:4»%, 응찰액 «hangul_money»
"""
