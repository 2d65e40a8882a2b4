import { lazy } from '../../base/lazy.ts';
import type { BaselineEntry, RuleFinding, Subject, SubjectFile } from '../model/inspection.ts';
import { numberedPrint, type MatchedFinding } from './findings-of.ts';

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
