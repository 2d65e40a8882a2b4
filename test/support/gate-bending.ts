import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isConfiguration } from '../../src/rules/gate-bending/configurations.ts';
import { measureBending } from '../../src/rules/gate-bending/measure.ts';
import { isTestPath } from '../../src/rules/gate-bending/test-paths.ts';
import { reachOf } from '../../src/rules/gate-bending/reach.ts';

/** A labelled change: each file before and after, `null` where it is not there. */
export interface LabelledChange {
  readonly id: string;
  readonly label: 'honest' | 'weakens';
  readonly half: 'develop' | 'held back';
  readonly gates: readonly string[];
  readonly files: Readonly<Record<string, readonly [before: string | null, after: string | null]>>;
  /** `allowed_paths` of the contract. */
  readonly allowed?: readonly string[];
  /** Further paths of the base. */
  readonly paths?: readonly string[];
}

/** The set of changes that were labelled by hand. */
export const labelledChanges = (): readonly LabelledChange[] =>
  readFileSync(join(import.meta.dirname, '../corpora/gate-bending.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LabelledChange);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Measures a change as the line does, without a repository. */
export function bendingOf(
  change: Pick<LabelledChange, 'files' | 'gates' | 'allowed' | 'paths'>,
  allowsTestLoss = false,
) {
  const files = Object.entries(change.files);
  const texts = new Map(files.flatMap(([path, [before]]) => (before === null ? [] : [[path, before] as const])));
  const paths = new Set([...texts.keys(), ...(change.paths ?? [])]);
  const side = (text: string | null) => (text === null ? undefined : { oid: digest(text), text });
  return measureBending({
    files: files.map(([path, [before, after]]) => ({ path, before: side(before), after: side(after) })),
    hadTests: (folder) => [...paths].some((path) => path.startsWith(folder) && isTestPath(path)),
    reach:
      change.gates.length === 0
        ? undefined
        : reachOf(change.gates, { paths, texts, configurations: [...paths].filter(isConfiguration) }).reach,
    isNamed: (path) => change.allowed?.includes(path) === true,
    allowsTestLoss,
    digest,
  });
}
