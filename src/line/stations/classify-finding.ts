import { toNormalForm } from '../../source/change-fingerprint.ts';
import { isBlockingFinding, type Finding } from '../../rules/model/finding.ts';

/** What a finding is about: something that matters, taste, or neither can be shown. */
export type Weight = 'substantive' | 'nit' | 'undecided';

/** What else is known that can make a finding substantive. */
export interface SubstanceContext {
  /** Findings of the local reviewer and the scanners on the same tree. */
  readonly others: readonly Finding[];
  /** Paths that the contract forbids; a finding about one of them is about the contract. */
  readonly forbiddenPaths: readonly string[];
}

/** Findings this many lines apart are about the same place. */
const SAME_PLACE_LINES = 3;
/** Maximum words before a cue that can negate it ("no functional bug", "does not crash"). */
const NEGATED =
  /\b(?:no|not|never|without|isn't|doesn't|won't|cannot|can't|nor|neither|harmless(?:ly)?)\b(?:\W+\w+){0,3}\W*$/i;

/**
 * Weighs one blocking finding of a judge. A declared category or label never makes a finding less than its words say:
 * precision over recall, because a nit that is missed costs tokens and a flaw that is waved through costs the product.
 */
export function classifyFinding(finding: Finding, around: SubstanceContext): Weight {
  const text = [finding.description, finding.fix ?? ''].join('\n');
  if (
    finding.security ||
    SUBSTANCE_CATEGORY.test(finding.category) ||
    SUBSTANCE.some((cue) => hasUnnegatedCue(text, cue)) ||
    DEMONSTRATION.some((cue) => cue.test(text)) ||
    around.forbiddenPaths.some((path) => path !== '' && text.includes(path)) ||
    around.others.some((other) => isBlockingFinding(other) && isSamePlace(other, finding))
  )
    return 'substantive';
  if (NIT_LABEL.test(finding.description) || NIT_CATEGORY.test(finding.category.trim())) return 'nit';
  if (TASTE.some((word) => word.test(text)) || isFormattingOnly(finding)) return 'nit';
  return 'undecided';
}

function hasUnnegatedCue(text: string, cue: RegExp): boolean {
  return [...text.matchAll(new RegExp(cue.source, `${cue.flags.replace('g', '')}g`))].some((match) => {
    const sentence =
      text
        .slice(0, match.index)
        .split(/[.!?;\n]/)
        .at(-1) ?? '';
    return !NEGATED.test(sentence);
  });
}

function isSamePlace(one: Finding, other: Finding): boolean {
  if (one.file === undefined || one.file !== other.file) return false;
  return one.line !== undefined && other.line !== undefined && Math.abs(one.line - other.line) <= SAME_PLACE_LINES;
}

/** The fix that is asked for is the cited text itself, but for spacing and quotes. */
const isFormattingOnly = ({ evidence, fix }: Finding): boolean =>
  evidence !== undefined && fix !== undefined && evidence !== fix && toNormalForm(evidence) === toNormalForm(fix);

/** Words that make a finding a matter of substance, unless they are negated; one pattern per kind of harm. */
const SUBSTANCE: readonly RegExp[] = [
  // Security.
  /\b(?:security|vulnerab\w*|injection|xss|csrf|ssrf|exploit\w*|attacker|malicious|credentials?|secrets?|leak(?:s|ed|ing)?|unsanitised|unsanitized|unescaped|path traversal|privilege\w*|bypass\w*|unauthenticated|unauthori[sz]ed|plaintext password|remote code|authori[sz]ation|authentication)\b/i,
  /보안|취약|인증|권한|유출|노출|공개(?:된|되)|安全|漏洞|注入|泄露|权限|绕过/u,
  // Data and concurrency.
  /\b(?:data loss|lost update|loses|loss of|corrupt\w*|overwrit\w*|race(?:s| condition)?|deadlock\w*|double[- ](?:spend|free|charge)|inconsistent state|not atomic)\b/i,
  /데이터 (?:손실|유실)|손상|덮어쓰|경쟁 상태|교착|数据丢失|损坏|覆盖|竞态|死锁/u,
  // Wrong behaviour.
  /\b(?:crash\w*|segfault\w*|panics?|throws?|exception|infinite (?:loop|recursion)|hangs?|never (?:returns|ends|resolves|called|closed|released|set)|off[- ]by[- ]one|overflow\w*|underflow\w*|null(?: |-)?(?:pointer|dereference|deref)|undefined behaviou?r|memory leak|dereferenc\w*|nan\b|inverted|wrong(?:ly)?|incorrect(?:ly)?|broken|breaks?|fails?|failing|regress\w*|bug|buggy|does(?: not|n't) (?:work|compile|build|handle|check|validate|return|close|release|run|start|pass|exist)|is(?: not|n't) (?:handled|checked|validated|closed|released|met|called|awaited|implemented|covered|thread[- ]safe|idempotent)|unhandled|unreachable|silently|swallow\w*|ignored?|skips?|skipped|missing (?:check|validation|await|return|requirement|test|case|error handling|import|file|section|second|link)|relies on|rely on|callers?|timeouts?|performance|quadratic|o\(n)/i,
  /충돌|무한 (?:루프|반복)|잘못(?:된|하여)|버그|오작동|실패|누락|건너뛴|건너뛰|빠져|崩溃|死循环|错误的|不正确|失败|遗漏|缺少|跳过/u,
  // What was asked, and where it may be done.
  /\b(?:requirement|acceptance criteri\w*|contract|spec(?:ification)?)\b.{0,80}\b(?:not|un|miss\w*|violat\w*|ignor\w*|only partly|contradict\w*)/i,
  /\b(?:violates?|contradicts?|out(?:side)?(?: of)? (?:scope|allowed)|allowed_paths|forbidden)/i,
  /요구\s?사항|要求|需求/u,
];

const DEMONSTRATION: readonly RegExp[] = [
  /\b(?:expected|should be|must be)\b.{1,80}\b(?:got|but (?:was|is|gives|returns|uses|got)|received|actual)/i,
  /\b(?:returns?|gives|yields|prints|results? in|evaluates to)\b.{1,60}\binstead of\b/i,
  /\b(?:says|documents?|promises|claims)\b.{1,80}\bbut\b/i,
  /\b[A-Za-z]*(?:Error|Exception)\b(?:: |\s+at\s)/,
  /(?:=>|->|→)\s*\S/u,
  /\b(?:test|spec)s?\b[^.]{0,60}\b(?:fail\w*|red|breaks?|crash\w*)\b/i,
  /\bexit (?:code )?[1-9]\d*\b/i,
];

/** Labels by which reviewers themselves say that a remark does not block. */
const NIT_LABEL =
  /^\s*(?:\[?(?:nit|nitpick|minor nit|style|cosmetic|optional|polish)\b\]?\s*[:\])-]|nitpick\b)|\(non-blocking\)|\bnon-blocking\b/i;

/** Categories of taste; they count only when nothing in the finding says substance. */
const NIT_CATEGORY =
  /^(?:style|styling|naming|names?|docs?|documentation|comments?|typos?|spelling|grammar|wording|format(?:ting)?|cosmetic|nit|nitpick|readability|whitespace|convention|organi[sz]ation|layout|polish)$/i;

const SUBSTANCE_CATEGORY =
  /security|correctness|bug|logic|data|concurren|race|crash|requirement|scope|compat|functional|behaviou?r|regression|reliab/i;

const TASTE: readonly RegExp[] = [
  /\b(?:renam(?:e|ed|ing)|naming|better name|(?:variable|function|parameter|method|class|file|test)s? names?)\b/i,
  /\b(?:typos?|misspel\w*|spelling|grammar\w*|punctuation|(?:missing|extra|trailing) (?:period|full stop|comma|space|newline|blank line|semicolon)|oxford comma|capitali[sz]\w*|(?:sentence|title|lower|upper|camel|snake|kebab|pascal)[- ]?case)\b/i,
  /\b(?:indent\w*|spacing|white ?space|blank lines?|line (?:length|breaks?)|line is too long|long lines?|columns wide|tabs?|alignment|align(?:ed)?|new ?lines? at)\b/i,
  /\b(?:(?:single|double) quotes?|quote style|semicolons?|braces?|parenthes[ie]s|trailing commas?|prettier|formatt?(?:ed|ing|er)?|linter|lint(?:ing)?|eslint|black|gofmt|rustfmt)\b/i,
  /\b(?:doc ?comments?|docstrings?|jsdoc|javadoc|comments?|readme|changelog|badge|heading|header|title|bold|italic|bullet|markdown|wording|phras(?:e|ed|ing)|reword)\b/i,
  /\b(?:readab\w*|harder to read|easier to (?:read|follow)|cleaner|nicer|neater|prettier|tidier|elegant|idiomatic|friendl(?:y|ier)|verbose|clutter\w*|concise|confusing|clarity|clearer|consisten(?:t|cy))\b/i,
  /\b(?:personally|in my opinion|imo|i would|i'd|i prefer|prefer(?:ably|red)?|matter of taste|stylistic\w*|style ?guide|convention\w*|guidelines?|best practices?)\b/i,
  /\b(?:magic (?:number|string)s?|named constant|extract (?:a |an |the |this |into )?\w*(?:constant|function|helper|variable|method)?|constant for|could be (?:a )?(?:const|constant|one-liner|simplified|shorter|inlined?)|destructur\w*|ternary|one-liner|early return|template (?:string|literal)s?|arrow functions?|for\.\.of|reduce|map\(\)|import order|order of (?:the )?imports|sort(?:ed)? imports|unused import)\b/i,
  /\b(?:function|method|file|line|class) is \d+ lines\b|\blines? long\b/i,
  /\bshould (?:say|read|be (?:called|named|lowercase|uppercase|capitali[sz]ed|plural|singular))\b/i,
  /변수\s?이름|함수\s?이름|이름(?:을|이)|주석|맞춤법|들여쓰기|띄어쓰기|오타|문구|가독성|일관되지|스타일|서식/u,
  /命名|变量名|函数名|注释|缩进|拼写|错别字|格式|空格|空行|可读性|风格|标点|措辞/u,
];
