import type { RuleFinding, Subject } from '../../rule-model/inspection.ts';
import type { BaselineEntry } from '../../rule-model/waiver.ts';
import { numberedPrint, type MatchedFinding } from './findings-of.ts';
import { NewLines } from './new-lines.ts';

/** The findings that were there before, asked for one by one as an inspection finds them again. */
export class Baseline {
  readonly #entries: ReadonlyMap<string, BaselineEntry>;
  readonly #lines: NewLines;
  /** Rules with the files in which they also checked unchanged lines. */
  readonly #whole: ReadonlySet<string>;

  constructor(entries: readonly BaselineEntry[], subject: Subject, findings: readonly RuleFinding[]) {
    this.#entries = new Map(entries.map((entry) => [entry.fingerprint, entry]));
    this.#lines = new NewLines(subject);
    const kept = findings.filter(
      ({ file, line }) => file !== undefined && line !== undefined && !this.#lines.has(file, line),
    );
    this.#whole = new Set(kept.map(looked));
  }

  /** The entry that knows a finding; what has grown since, and an equal line more than there were, is not known. */
  entryOf(finding: MatchedFinding): BaselineEntry | undefined {
    const entry = this.#entries.get(this.#printOf(finding));
    const measured = finding.matched?.measured;
    return measured === undefined || (entry?.most !== undefined && measured <= entry.most) ? entry : undefined;
  }

  /** A finding in the baseline; a measured one keeps the largest accepted number. */
  newEntry(finding: MatchedFinding): BaselineEntry {
    const { rule, file: path = '', matched } = finding;
    const most = matched?.measured === undefined ? {} : { most: matched.measured };
    return { rule, path, fingerprint: this.#printOf(finding), ...most };
  }

  get entries(): readonly BaselineEntry[] {
    return [...this.#entries.values()];
  }

  #printOf(finding: MatchedFinding): string {
    const { fingerprint, matched } = finding;
    return matched === undefined ? fingerprint : numberedPrint(matched.print, matched.number + this.#before(finding));
  }

  /** Number of equal lines before and after, where only new lines were checked and numbered. */
  #before(finding: MatchedFinding): number {
    const { file, line, matched } = finding;
    if (file === undefined || line === undefined || matched?.measured !== undefined) return 0;
    return this.#whole.has(looked(finding)) ? 0 : this.#lines.keptLike(file, line);
  }
}

const looked = ({ rule, file }: RuleFinding): string => JSON.stringify([rule, file]);
