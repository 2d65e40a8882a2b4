import type { Concept } from './concept.ts';

/** Tests, documents, people of all kinds, time and money. */
export const QUALITY: readonly Concept[] = [
  {
    id: 'tests',
    domain: 'tests',
    words:
      'test|unit test|test case|vitest|vitest case|jest|pytest|junit|regression test|integration test|end to end test|e2e|spec file|test suite|test coverage|coverage|cover both|cover the|cover all branches|playwright|cypress|property test|snapshot test|테스트|시험|회귀 테스트|커버리지|测试|单元测试|单测|测试用例|回归测试|覆盖率',
    against:
      'untested|test free|it skip|describe skip|xit|test skip|pytest skip|mark xfail|manual click|try it by hand|eyeball|test ignore',
  },
  {
    id: 'docs',
    domain: 'docs',
    words:
      'documentation|document|doc comment|docs|docstring|jsdoc|tsdoc|javadoc|readme|api reference|changelog|release note|comment on each|문서|문서화|주석을 달|독스트링|변경 기록|변경 이력|文档|注释说明|文档注释|说明文档|更新日志',
    against: 'undocumented|speaks for itself|self explanatory|no comment needed',
  },
  {
    id: 'a11ylabel',
    domain: 'a11y',
    words:
      'label|aria label|aria|accessible name|accessibility|a11y|screen reader|wcag|라벨|레이블|접근성|标签|无障碍|可访问性',
  },
  {
    id: 'alttext',
    domain: 'a11y',
    words: 'alt text|alt attribute|alternative text|alt|대체 텍스트|alt 텍스트|替代文本|alt 文本',
  },
  {
    id: 'keyboard',
    domain: 'a11y',
    words:
      'keyboard navigation|keyboard accessible|focus outline|focus ring|focus indicator|focus visible|tab order|outline|키보드|포커스|键盘|焦点',
    against: 'mouse only|outline none|only by mouse|click only|마우스로만|只能用鼠标',
  },
  {
    id: 'contrast',
    domain: 'a11y',
    words: 'color contrast|contrast ratio|contrast|대비|对比度',
    against: 'light gray on white|by color alone|only by color',
  },
  {
    id: 'i18n',
    domain: 'i18n',
    words:
      'translation|translate|translation file|locale file|i18n|internationalization|localization|l10n|message catalog|message key|translation key|resource bundle|en json|string table|번역|다국어|국제화|리소스 파일|翻译|国际化|多语言|语言包|资源文件',
  },
  {
    id: 'uitext',
    domain: 'i18n',
    words:
      'user facing text|user facing string|ui text|ui string|ui copy|visible text|button text|button caption|button label|label text|error text|error message text|english text|german text|english string|german label|display text|화면 문구|ui 문구|문구|버튼 텍스트|界面文案|文案|界面文字|显示文本',
  },
  {
    id: 'utc',
    domain: 'time',
    words: 'utc|iso 8601|epoch|timezone aware|time zone aware|zulu time|utc timestamp|협정 세계시|世界协调时|时区无关',
    against:
      'local time|server time|local timezone|naive datetime|server local|localtime|로컬 시간|서버 시간|현지 시간|本地时间|服务器时间|当地时间',
  },
  {
    id: 'timestamp',
    domain: 'time',
    words: 'timestamp|created at|datetime|date time|clock time|time stored|타임스탬프|시각|时间戳|时间',
  },
  {
    id: 'money',
    domain: 'money',
    words:
      'money|price|amount|currency|monetary|invoice total|payment amount|balance|cents|금액|가격|통화|金额|价格|货币|余额',
  },
  {
    id: 'float',
    domain: 'money',
    words: 'float|floating point|double precision|double|float number|real number|부동소수|실수형|浮点|浮点数',
    against:
      'integer cent|cents|decimal|decimal type|bigdecimal|minor unit|fixed point|정수 센트|십진|整数分|定点|十进制',
  },
  {
    id: 'breaking',
    domain: 'compat',
    words:
      'breaking change|incompatible change|break the api|break client|break existing client|backwards incompatible|remove ~ field|rename ~ field|remove ~ parameter|rename ~ parameter|rename ~ endpoint|remove ~ endpoint|change the response|change ~ signature|clients will have to|clients must adapt|호환성을 깨|호환되지 않|하위 호환을 깨|필드를 제거|필드를 삭제|不兼容|破坏性变更|破坏兼容|删除字段|移除字段',
    against:
      'backward compatible|backwards compatible|backward compatibility|compatible|keep supporting|additive change|하위 호환|호환성 유지|호환을 유지|向后兼容|保持兼容|兼容',
  },
  {
    id: 'apiversion',
    domain: 'compat',
    words:
      'new version|api version|api versioning|v2|version the api|deprecate|deprecated|deprecation|sunset header|새 버전|버전을 추가|폐기 예정|사용 중단 예고|新版本|版本化|弃用|标记为废弃',
  },
  {
    id: 'api',
    domain: 'compat',
    words: 'api|public api|published api|endpoint|response|rest api|엔드포인트|接口|端点',
  },
  {
    id: 'decisionrecord',
    domain: 'docs',
    words: 'adr|decision record|architecture decision record|design doc|rfc|설계 문서|결정 기록|设计文档|决策记录',
  },
  {
    id: 'semver',
    domain: 'compat',
    words: 'semantic versioning|semver|major version|major release|유의적 버전|语义化版本|主版本',
  },
];
