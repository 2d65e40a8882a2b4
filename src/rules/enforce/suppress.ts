import {
  type BaselineEntry,
  type RuleFinding,
  type Subject,
  type Suppression,
  isExpired,
  type Waiver,
  type SubjectFile,
} from '../model/inspection.ts';
import { matchesGlobs } from '../../base/path-globs.ts';
import { lazy } from '../../base/lazy.ts';
import { numberedPrint, type MatchedFinding } from './findings-of.ts';

/** Everything that may keep a finding from counting, as it was read at the edge. */
export interface Suppressions {
  readonly waivers: readonly Waiver[];
  /** The findings that were there before. */
  readonly baseline: readonly BaselineEntry[];
  /** The rules that were not applied: their entries in the baseline are not gone. Default: none. */
  readonly skippedRules?: ReadonlySet<string>;
  /** False where a model wrote the change: no comment allows anything in the lines that it wrote. Default: true. */
  readonly trustsOwnMarks?: boolean;
}

export const NO_SUPPRESSIONS: Suppressions = { waivers: [], baseline: [] };

/**
 * Marks violations that are waived, known before, or allowed in place; all of them stay visible. What could not be
 * checked is never suppressed; hard constraints and P0 only by a waiver that a human signed.
 */
export function suppress(
  findings: readonly RuleFinding[],
  subject: Subject,
  suppressions: Suppressions,
  now: string,
): {
  readonly findings: readonly RuleFinding[];
  readonly warnings: readonly string[];
} {
  const matcher = new SuppressionMatcher(subject, suppressions, findings, now);
  const marked = findings.map((finding) => {
    const suppressed = finding.status === 'VIOLATED' ? matcher.reasonFor(finding) : undefined;
    return suppressed === undefined ? finding : { ...finding, suppressed };
  });
  return { findings: marked, warnings: matcher.warnings() };
}

/** Whether only a waiver with a human's signature can suppress a finding. */
export const needsSignature = ({
  hard,
  priority,
  enforcedBy,
  waivable,
}: Pick<RuleFinding, 'hard' | 'priority' | 'enforcedBy' | 'waivable'>): boolean =>
  hard || priority === 'P0' || enforcedBy !== undefined || waivable === false;

interface HeldWaiver {
  readonly waiver: Waiver;
  readonly expired: boolean;
}

/** Goes through what may suppress, and remembers what was used and what was refused. */
class SuppressionMatcher {
  readonly #waivers: readonly HeldWaiver[];
  readonly #marks: readonly InlineMark[];
  readonly #markAt: ReadonlyMap<string, InlineMark>;
  readonly #baseline: Baseline;
  readonly #skippedRules: ReadonlySet<string>;
  readonly #subject: Subject;
  readonly #trustsOwnMarks: boolean;
  readonly #used = new Set<object>();
  readonly #refused = new Set<string>();

  constructor(
    subject: Subject,
    { waivers, baseline, skippedRules = new Set(), trustsOwnMarks = true }: Suppressions,
    findings: readonly RuleFinding[],
    now: string,
  ) {
    this.#baseline = new Baseline(baseline, subject, findings);
    this.#skippedRules = skippedRules;
    this.#trustsOwnMarks = trustsOwnMarks;
    this.#subject = subject;
    // Where only a patch is known, the marks in its new lines.
    this.#marks = subject.files.flatMap((file) => {
      const lines = linesWithMarks(file);
      const added = new Set(lines.length === 0 || file.change === 'whole' ? [] : file.added.map(({ line }) => line));
      return lines.flatMap(({ line, text }) => marksIn(file, added, line, text));
    });
    this.#markAt = marksByPlace(this.#marks.filter(({ reason }) => reason !== ''));
    this.#waivers = waivers.map((waiver) => ({ waiver, expired: isExpired(waiver, now) }));
  }

  reasonFor(finding: RuleFinding): Suppression | undefined {
    return this.#byWaiver(finding) ?? this.#byMark(finding) ?? this.#byBaseline(finding);
  }

  warnings(): string[] {
    const expired = this.#waivers.filter((held) => held.expired);
    const unused = this.#waivers.filter((held) => !held.expired && !this.#used.has(held) && this.#wasAskedFor(held));
    const marks = this.#marks.filter((mark) => !this.#used.has(mark) && mark.isNew);
    const gone = this.#baseline.entries.filter(
      (entry) => !this.#used.has(entry) && !this.#skippedRules.has(entry.rule) && this.#baseline.wasChecked(entry),
    ).length;
    return [
      ...expired.map(({ waiver }) => `the ${named(waiver)} expired on ${waiver.expires} and does not count`),
      ...shortened([...this.#refused]),
      ...unused.map(({ waiver }) => `the ${named(waiver)} suppresses nothing here`),
      ...shortened(marks.map(unusedMark)),
      ...(gone === 0
        ? []
        : [`${gone} of the baseline's findings ${gone === 1 ? 'is' : 'are'} gone; --update-baseline forgets them`]),
    ];
  }

  #byWaiver(finding: RuleFinding): Suppression | undefined {
    for (const held of this.#waivers) {
      const { waiver, expired } = held;
      if (waiver.rule !== finding.rule || !isWithin(finding.file, waiver)) continue;
      this.#used.add(held);
      if (expired) continue;
      if (needsSignature(finding) && waiver.signed_by === undefined) {
        this.#refused.add(
          `the ${named(waiver)} does not count: ${kindOf(finding)} is waived only with signed_by, the name of the human who answers for it`,
        );
        continue;
      }
      return { by: 'waiver', reason: waiver.reason, owner: waiver.owner, expires: waiver.expires };
    }
    return undefined;
  }

  #byMark(finding: RuleFinding): Suppression | undefined {
    const { rule, file, line } = finding;
    if (file === undefined || line === undefined) return undefined;
    const mark = this.#markAt.get(placeKey({ rule, file, line }));
    if (mark === undefined) return undefined;
    this.#used.add(mark);
    if (mark.isOwn && !this.#trustsOwnMarks) {
      this.#refused.add(`${file}:${mark.line}: andon-allow ${rule} does not count: the checked change wrote it`);
      return undefined;
    }
    if (!this.#trustsOwnMarks && this.#baseline.isOnNewLine(finding)) {
      this.#refused.add(
        `${file}:${mark.line}: andon-allow ${rule} does not count for line ${line}: the checked change wrote that line`,
      );
      return undefined;
    }
    if (!needsSignature(finding)) return { by: 'inline', reason: mark.reason };
    this.#refused.add(
      `${file}:${mark.line}: andon-allow ${rule} does not count: ${kindOf(finding)} is waived only in .andon/waivers.yaml, with signed_by`,
    );
    return undefined;
  }

  #byBaseline(finding: MatchedFinding): Suppression | undefined {
    const entry = this.#baseline.entryOf(finding);
    if (entry === undefined) return undefined;
    this.#used.add(entry);
    return needsSignature(finding) ? undefined : { by: 'baseline', reason: 'it was there when the baseline was taken' };
  }

  /** Nothing is known about a waiver for unchecked paths. */
  #wasAskedFor({ waiver }: HeldWaiver): boolean {
    return waiver.path === undefined || this.#subject.files.some(({ path }) => isWithin(path, waiver));
  }
}

/** Marks by their rule and each line that they cover. */
const marksByPlace = (marks: readonly InlineMark[]): ReadonlyMap<string, InlineMark> =>
  new Map(
    marks.flatMap((mark) =>
      [mark.line, mark.covers].map((line) => [placeKey({ rule: mark.rule, file: mark.file, line }), mark] as const),
    ),
  );

const placeKey = ({ rule, file, line }: Pick<InlineMark, 'rule' | 'file' | 'line'>): string =>
  JSON.stringify([rule, file, line]);

/** Why a waiver of such a finding needs a signature. */
function kindOf({ hard, priority }: RuleFinding): string {
  if (hard) return 'a hard constraint';
  return priority === 'P0' ? 'a P0 rule' : 'a rule that says waivable: false';
}

const isWithin = (file: string | undefined, { path }: Waiver): boolean =>
  path === undefined || (file !== undefined && matchesGlobs(file, [path]));

function unusedMark({ rule, file, line, reason }: InlineMark): string {
  if (rule.includes('*'))
    return `${file}:${line}: andon-allow ${rule} does not count; name the rule that is allowed: andon-allow <rule-id>: <reason>`;
  if (reason !== '') return `${file}:${line}: andon-allow ${rule} suppresses nothing`;
  return `${file}:${line}: andon-allow ${rule} gives no reason and does not count; write andon-allow ${rule}: <reason>`;
}

/** A file can hold any number of marks; only these are printed. */
const shortened = (sentences: readonly string[]): readonly string[] =>
  sentences.length <= 50 ? sentences : [...sentences.slice(0, 50), `and ${sentences.length - 50} more of that kind`];

const named = ({ rule, path, owner }: Waiver): string =>
  `waiver for ${rule}${path === undefined ? '' : ` in ${path}`} (${owner})`;

/** A comment `andon-allow <rule-id>: <reason>` in a file. */
interface InlineMark {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  /** Empty when none was written; such a mark does not count. */
  readonly reason: string;
  /** The lines that it covers: its own, or the next one if its own holds only a comment. */
  readonly covers: number;
  /** Whether it or its lines were checked: only then can it be called unused. */
  readonly isNew: boolean;
  /** Whether the checked change wrote it. */
  readonly isOwn: boolean;
}

const MARK = 'andon-allow';
/** More of a line than this is not read: a mark with its reason is shorter. */
const MOST_CHARACTERS = 1000;

function linesWithMarks({ content, added }: SubjectFile): readonly { readonly line: number; readonly text: string }[] {
  if (content === undefined) return added.filter(({ text }) => text.includes(MARK));
  if (!content.includes(MARK)) return [];
  return content.split('\n').flatMap((text, at) => (text.includes(MARK) ? [{ line: at + 1, text }] : []));
}

/** One mark may name several rules: `andon-allow A, B: reason`. */
function marksIn(file: SubjectFile, added: ReadonlySet<number>, line: number, text: string): InlineMark[] {
  const at = text.indexOf(MARK);
  const after = text.slice(at + MARK.length, at + MARK.length + MOST_CHARACTERS);
  const found = /^[ \t]+([A-Za-z*][\w.*-]*(?:[ \t]*,[ \t]*[A-Za-z*][\w.*-]*)*)[ \t]*(?::(.*))?/.exec(after);
  const before = text.slice(Math.max(0, at - MOST_CHARACTERS), at);
  const place = placeBehind(before);
  if (found === null || place === 'string') return [];
  const behind = END_AFTER[place].exec(after)?.[1] ?? '';
  const isAlone = !/[\p{L}\p{N}]/u.test(before + behind);
  const covers = isAlone ? line + 1 : line;
  const isOwn = added.has(line);
  const isNew = file.change === 'whole' || isOwn || added.has(covers);
  const reason = (found[2] ?? '').replace(END_AFTER[place], '').trim(); // code may follow the comment
  return (found[1] ?? '')
    .split(',')
    .map((rule) => ({ rule: rule.trim(), file: file.path, line, reason, covers, isNew, isOwn }));
}

/** What ends the text of a mark, by what is open before it. Where nothing is, the comment may have begun lines before. */
const END_AFTER = {
  line: /(?!)/,
  '/*': /\*\/(.*)$/,
  '<!--': /-->(.*)$/,
  '{#': /#\}(.*)$/,
  '<%': /%>(.*)$/,
  nothing: /(?:\*\/|-->|#\}|%>)(.*)$/,
} as const;

/** What is open where a line breaks off: a string, or the comment that began first. */
function placeBehind(before: string): keyof typeof END_AFTER | 'string' {
  let isQuoted = false;
  for (const { groups = {} } of before.matchAll(TOKEN)) {
    const { block } = groups;
    if (block === '/*' || block === '<!--' || block === '{#' || block === '<%') return block;
    if (groups['line'] !== undefined) return 'line';
    if (groups['quote'] !== undefined) return 'string';
    isQuoted ||= groups['single'] !== undefined;
  }
  // An open `'` may also be an apostrophe, a lifetime or a quoted symbol with its comment behind it.
  return before.endsWith("'") || (isQuoted && !/(?:^|\s)[;%]+\s*$|^\s*\*\s/.test(before)) ? 'string' : 'nothing';
}

/** Strings, patterns and comments that end are passed over; what is named does not end. */
const TOKEN = new RegExp(
  [
    /\/\*.*?\*\/|<!--.*?-->|\{#.*?#\}|<%.*?%>/,
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/,
    /(?<=[=(,:;!&|?[{}]\s*)\/(?![/*])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\//,
    /(?<block>\/\*|<!--|\{#|<%)/,
    /(?<line>(?<!:)\/\/|(?<=^|\s)(?:#|--(?=[\s\-[!|]|$)))/,
    /(?<quote>["`])/,
    /(?<single>(?:(?<![\w\p{L}])|(?<=\b[bfru]))')/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/** The findings that were there before, asked for one by one as an inspection finds them again. */
export class Baseline {
  readonly #entries: ReadonlyMap<string, BaselineEntry>;
  readonly #checkedFiles: ReadonlySet<string>;
  readonly #unansweredRules: ReadonlySet<string>;
  readonly #changed: ReadonlyMap<string, () => ChangedLines>;
  /** Rules with the files in which they also checked unchanged lines. */
  readonly #whole: () => ReadonlySet<string>;

  constructor(entries: readonly BaselineEntry[], { files }: Subject, findings: readonly RuleFinding[]) {
    this.#entries = new Map(entries.map((entry) => [entry.fingerprint, entry]));
    this.#checkedFiles = new Set(
      files.filter(({ change }) => change === 'whole' || change === 'deleted').map(({ path }) => path),
    );
    this.#unansweredRules = new Set(findings.filter(({ status }) => status !== 'VIOLATED').map(({ rule }) => rule));
    this.#changed = new Map(
      files.filter(({ change }) => change !== 'whole').map((file) => [file.path, lazy(() => splitLines(file))]),
    );
    this.#whole = lazy(
      () => new Set(findings.filter((one) => one.line !== undefined && !this.isOnNewLine(one)).map(ruleInFile)),
    );
  }

  get entries(): readonly BaselineEntry[] {
    return [...this.#entries.values()];
  }

  /** The entry of a finding; a measure that has grown and one equal line more than there were have none. */
  entryOf(finding: MatchedFinding): BaselineEntry | undefined {
    if (this.#entries.size === 0) return undefined;
    const entry = this.#entries.get(this.#printOf(finding));
    const measured = finding.matched?.measured;
    return measured === undefined || (entry?.most !== undefined && measured <= entry.most) ? entry : undefined;
  }

  /** Whether its finding would be found if it were there: of a changed file, only new lines are checked. */
  wasChecked({ rule, path }: BaselineEntry): boolean {
    return this.#checkedFiles.has(path) && !this.#unansweredRules.has(rule);
  }

  /** The entry that a finding gets; of a measure with its number. */
  newEntry(finding: MatchedFinding): BaselineEntry {
    const { rule, file: path = '', matched } = finding;
    const most = matched?.measured === undefined ? {} : { most: matched.measured };
    return { rule, path, fingerprint: this.#printOf(finding), ...most };
  }

  /** Whether the checked change wrote the line of a finding; of a file that is checked whole, no line is new. */
  isOnNewLine({ file = '', line = 0 }: RuleFinding): boolean {
    return this.#changed.get(file)?.().added.has(line) === true;
  }

  #printOf(finding: MatchedFinding): string {
    const { fingerprint, matched } = finding;
    return matched === undefined ? fingerprint : numberedPrint(matched.print, matched.number + this.#before(finding));
  }

  /** The number of equal lines that a change left alone, where only its new lines were checked and numbered. */
  #before(finding: MatchedFinding): number {
    const { file = '', line = 0, matched } = finding;
    const lines = this.#changed.get(file)?.();
    const text = lines?.added.get(line);
    if (lines === undefined || text === undefined || matched?.measured !== undefined) return 0;
    return this.#whole().has(ruleInFile(finding)) ? 0 : (lines.kept.get(text) ?? 0);
  }
}

interface ChangedLines {
  /** The lines that a change wrote, by their number. */
  readonly added: ReadonlyMap<number, string>;
  /** How often each other line occurs. */
  readonly kept: ReadonlyMap<string, number>;
}

/** Spacing makes no other line, as it makes no other finding. */
function splitLines({ content = '', added: written }: SubjectFile): ChangedLines {
  const normal = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const added = new Map(written.map(({ line, text }) => [line, normal(text)]));
  const kept = new Map<string, number>();
  for (const [at, text] of content.split('\n').entries())
    if (!added.has(at + 1)) kept.set(normal(text), (kept.get(normal(text)) ?? 0) + 1);
  return { added, kept };
}

const ruleInFile = ({ rule, file }: RuleFinding): string => JSON.stringify([rule, file]);
