"""Korean templates with private pieces."""

TEXTS = r"""
=== ko-rrn-label | prose | ko
주민등록번호 «rrn:dash», 연봉 «grp:8»원, 입사일 «date:%Y.%m.%d»
=== ko-rrn-colon | kv | ko
성명: «kname»
주민등록번호: «rrn:dash»
전화: «krphone»
소득금액: «grp:9»원
=== ko-rrn-bare | prose | ko
고객님의 주민번호는 «rrn:bare»이고 신청 금액은 «hangul_money»입니다.
=== ko-rrn-old-unlabelled | prose | ko
«kname»(«rrn:dash:old»)에게 배당금 «grp:7»원을 지급하였다.
=== ko-rrn-new | prose | ko
자녀 «kname» 주민등록번호 «rrn:dash:new», 증여재산가액 «grp:8»원
=== ko-rrn-new-bare | kv | ko
수증자 주민등록번호: «rrn:bare:new»
증여일: «date:%Y-%m-%d»
증여 주식수: «grp:5»주
=== ko-foreigner | prose | ko
외국인등록번호 «rrn:dash:foreign» 소지자, 투자등록 잔고 «grp:10»원
=== ko-foreigner-bare | kv | ko
외국인등록번호: «rrn:bare:foreign»
국적: 독일
보유수량: «n:6»
=== ko-rrn-wide | prose | ko
주민등록번호 : «rrn:wide:old» / 총급여 «grp:8»원
=== ko-account-plain | prose | ko
입금 계좌번호 «account:kb» (국민은행, 예금주 «kname»)로 «grp:6»원 보내주세요.
=== ko-account-shinhan | prose | ko
신한은행 «account:shinhan» 예금주 «kname»
금액 «grp:7»원, «date:%Y-%m-%d»까지
=== ko-account-bank-paren | prose | ko
환불 받으실 은행 계좌: 우리은행 «account:woori» (예금주: «kname»), 환불액 «grp:5»원
=== ko-account-nh | kv | ko
은행: 농협
계좌번호: «account:nh»
예금주: «kname»
잔액: «grp:9»원
=== ko-account-kakao | prose | ko
카카오뱅크 계좌 «account:kakao»로 월 «between:10:99»만원씩 자동이체 됩니다. 현재 금리 «pct».
=== ko-account-bare | prose | ko
증권 계좌번호 «account:kr12» 의 예수금은 «grp:9»원, 평가손익은 -«grp:7»원입니다.
=== ko-account-kis | prose | ko
한국투자증권 계좌번호 «account:kis», 매수 «kfirm» «n:3»주 @ «grp:5»원
=== ko-virtual-account | prose | ko
가상계좌번호: «account:kr14» (하나은행)
결제금액: «grp:6»원
주문번호: «date:%Y%m%d»-«n:7»
=== ko-card | prose | ko
카드번호 «card:dash» 로 «grp:6»원 결제 승인되었습니다. 승인번호 «n:8»
=== ko-card-space | prose | ko
제 신용카드 번호는 «card:space:visa»이고 유효기간은 «between:10:12»/«between:27:31»입니다. 한도는 «between:100:900»만원이에요.
=== ko-card-domestic | kv | ko
카드번호: «card:dash:korea»
이용금액: «grp:6»원
이용일자: «date:%Y/%m/%d»
=== ko-card-bare | kv | ko
카드 번호: «card:bare»
이용한도: «grp:8»
시가총액: «cardlike:amex»원
=== ko-csv-accounts | csv | ko
이름,은행,계좌번호,금액
«kname»,국민은행,«account:kb»,«n:7»
«kname»,신한은행,«account:shinhan»,«n:8»
«kname»,우리은행,«account:woori»,«n:6»
=== ko-csv-rrn | csv | ko
사번;성명;주민등록번호;연봉
«n:5»;«kname»;«rrn:dash»;«n:8»
«n:5»;«kname»;«rrn:dash»;«n:8»
=== ko-csv-rrn-bare | csv | ko
"성명","주민번호","보유주식수","지분율"
"«kname»","«rrn:bare»","«grp:7»","«pct»"
"«kname»","«rrn:bare»","«grp:6»","«pct»"
=== ko-md-table | md | ko
| 성명 | 계좌번호 | 배당금(원) |
|---|---|---:|
| «kname» | «account:kb» | «grp:7» |
| «kname» | «account:nh» | «grp:8» |
=== ko-md-rrn | md | ko
| 주주명 | 주민등록번호 | 주식수 |
| :-- | :-- | --: |
| «kname» | «rrn:dash» | «grp:6» |
| «kname» | «rrn:dash» | «grp:7» |
=== ko-log | log | ko
«date:%Y-%m-%d %H~%M~%S» [INFO] 이체 요청 계좌번호=«account:kr12» 금액=«n:8» 응답=«n:3»ms
=== ko-html | html | ko
<dl><dt>주민등록번호</dt><dd>«rrn:dash»</dd><dt>급여</dt><dd>«grp:7»원</dd></dl>
=== ko-yaml | yaml | ko
고객:
  이름: «kname»
  계좌번호: "«account:kb»"
  카드번호: «card:dash»
  월납입액: «n:6»
=== ko-mixed-english | prose | ko
해외송금 IBAN «iban:space», SWIFT «bic», 송금액 EUR «cmoney», 적용환율 «dec:4:2»원
=== ko-all | prose | ko
«kname» / «rrn:dash» / 국민은행 계좌번호 «account:kb» / 카드 «card:dash:visa»
자산: 삼성전자(005930) «n:3»주, 평가액 «grp:8»원, 시가총액 «cardlike:amex»원
=== ko-password | kv | ko
아이디: trader01
비밀번호: «password»
OTP 오류 횟수: «between:0:5»
=== ko-key | prose | ko
오픈AI 키는 «api_key:openai» 이고, 하루 «grp:6» 토큰까지 씁니다.
=== ko-github | prose | ko
깃허브 토큰 «token:pat» 만료일은 «date:%Y-%m-%d»입니다.
"""
