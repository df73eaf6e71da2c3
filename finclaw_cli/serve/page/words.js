// @ts-check
/** The words of the page in English and Korean. */

/** @type {Record<string, [string, string]>} */
const WORDS = {
  allow: ["Allow", "허용"],
  approval: ["Approval needed", "승인 필요"],
  arguments: ["Arguments", "인수"],
  answer: ["Answer", "답변"],
  asTable: ["The same as a table", "표로 보기"],
  answered: ["decided", "결정"],
  ask: ["Ask", "질문"],
  byDay: ["Cost by day", "일별 비용"],
  byModel: ["Cost by model", "모델별 비용"],
  cancel: ["Cancel", "중단"],
  connecting: ["The connection is made again.", "다시 연결하는 중입니다."],
  cost: ["Cost", "비용"],
  course: ["Course", "경과"],
  costOver: ["Cost over (USD)", "비용 초과 (USD)"],
  currency: ["Currency", "통화"],
  day: ["Day", "날짜"],
  deny: ["Deny", "거부"],
  derived: ["computed from", "계산 근거:"],
  description: ["Description", "설명"],
  duration: ["Duration", "소요 시간"],
  enter: ["Open", "열기"],
  failed: ["Failed only", "실패한 세션만"],
  figures: ["Sources of the numbers", "숫자의 출처"],
  flags: ["Flags", "속성"],
  hits: ["messages found", "개의 메시지"],
  found: ["from", "출처:"],
  given: ["your own number", "질문에 있는 숫자"],
  group: ["Group", "그룹"],
  holdings: ["Positions (CSV); without a file, those of the ledger", "보유 종목 (CSV); 파일이 없으면 장부의 종목"],
  loading: ["Loading", "불러오는 중"],
  markets: ["Portfolio", "포트폴리오"],
  model: ["Model", "모델"],
  modelHint: ["provider:model, or demo", "provider:model 또는 demo"],
  more: ["More", "더 보기"],
  name: ["Name", "이름"],
  needsToken: ["The address with the token is printed by `finclaw serve`. Paste it here.",
    "`finclaw serve`가 출력한 주소를 여기에 붙여 넣으세요."],
  noRuns: ["Nothing has been asked yet.", "아직 질문이 없습니다."],
  noSessions: ["No session meets these conditions.", "조건에 맞는 세션이 없습니다."],
  offset: ["Time", "시각"],
  policy: ["Policy", "정책"],
  portfolio: ["Value of the positions", "보유 종목의 가치"],
  prices: ["Prices", "가격"],
  prompt: ["Question", "질문"],
  reason: ["Reason (optional)", "이유 (선택)"],
  requests: ["Requests", "요청"],
  result: ["Result", "결과"],
  retracted: ["This attempt failed. What it wrote is void.", "이 시도는 실패했습니다. 쓴 내용은 무효입니다."],
  running: ["Running", "실행 중"],
  search: ["Search", "검색"],
  session: ["Session", "세션"],
  sessions: ["Sessions", "세션"],
  settings: ["Settings", "설정"],
  show: ["Show", "보기"],
  since: ["Since", "시작일"],
  skip: ["Skip to the content", "본문으로 건너뛰기"],
  source: ["Source", "출처"],
  state: ["State", "상태"],
  step: ["Step", "단계"],
  symbol: ["Symbol", "종목"],
  tag: ["Tag", "태그"],
  timeline: ["Timeline", "타임라인"],
  token: ["Address or token", "주소 또는 토큰"],
  tokens: ["Tokens", "토큰"],
  tool: ["Tool", "도구"],
  tools: ["Tools", "도구"],
  total: ["Total", "합계"],
  turn: ["Request to", "요청:"],
  ungrounded: ["no source", "출처 없음"],
  unknown: ["unknown", "알 수 없음"],
  value: ["Value", "값"],
  views: ["Views", "화면"],
};
const KEY = "finclaw-language";
let korean = (localStorage.getItem(KEY) ?? navigator.language).startsWith("ko");

/** The words of a key in the chosen language. @param {string} key */
export function t(key) {
  return WORDS[key]?.[korean ? 1 : 0] ?? key;
}

/** A moment in the language and the time zone of the browser. @param {string | null | undefined} iso */
export function moment(iso) {
  const format = new Intl.DateTimeFormat(korean ? "ko" : "en", { dateStyle: "medium", timeStyle: "short" });
  return iso ? format.format(new Date(iso)) : "";
}

/** Change the language. */
export function changeLanguage() {
  korean = !korean;
  localStorage.setItem(KEY, korean ? "ko" : "en");
}

/** Show the words of the parts of the page that are always there. */
export function showWords() {
  document.documentElement.lang = korean ? "ko" : "en";
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = t(/** @type {HTMLElement} */ (element).dataset.word ?? "");
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(/** @type {HTMLElement} */ (element).dataset.label ?? ""));
  }
  const button = /** @type {HTMLElement} */ (document.getElementById("language"));
  button.textContent = korean ? "English" : "한국어";
  button.lang = korean ? "en" : "ko";
}
