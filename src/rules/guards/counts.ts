/** Whether a sentence counts or measures something: `42 tests`, `line 12`, `세 곳`, `12 个测试`. */
export const countsIn = (sentence: string): boolean => COUNTED.some((pattern) => pattern.test(sentence));

const NUMBER = String.raw`(?:\d+(?:[.,]\d+)*|zero|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|dozens?)`;
const UNITS =
  'tests?|specs?|files?|lines?|errors?|warnings?|failures?|functions?|modules?|places?|call(?:er|s|-sites?)?s?|call ?sites?|cases?|rows?|requests?|bytes?|commits?|branches|modules?|assertions?|suites?|packages?|dependencies|endpoints?|columns?|tables?|records?|keys?|retries|attempts?|seconds?|secs?|s|minutes?|mins?|hours?|milliseconds?|ms|kb|mb|gb|megabytes?|gigabytes?|passed|failed|skipped|occurrences?|matches|threads?|processes|connections?|usages?|imports?|exports?|migrations?|queries|percent|threads?|handlers?|routes?|fields?|methods?|classes|types?|variables?|properties|parameters?|characters?|entries|items?|nodes?|times';

/** A figure and its unit; what is spelled out must be a number of things that are found in code. */
const COUNTED: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\w%/#.-])${NUMBER} (?:[a-z-]{2,20} ){0,2}(?:${UNITS})\b`, 'i'),
  /\b(?:lines?|rows?|column|step|port|exit|exit code|code|status|version|commit|issue|pr|status code|task|l)[ :#]+\d+/i,
  /\d+(?:[.,]\d+)*\s?%\s?(?:of|coverage|cpu|memory|faster|slower|fewer|less|line|branch)|coverage[^.]{0,20}\d+(?:\.\d+)?\s?%/i,
  /\d+\s?(?:개|곳|건|행|줄|번째 줄|번|초|분|시간|바이트|퍼센트|회|가지|명|단계|밀리초|메가|기가|킬로)/u,
  /(?<![가-힣])(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:개|곳|건|줄|번|초|분|가지|군데)/u,
  /\d+\s?(?:个|處|处|行|条|次|秒|毫秒|分钟|字节|项|处|倍|列|组|种|份|台|节)/u,
  /커버리지[^.]{0,12}\d|覆盖率[^。]{0,12}\d/u,
];
