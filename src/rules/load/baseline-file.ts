import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { readJson } from '../../base/read-json.ts';
import type { BaselineEntry } from '../model/inspection.ts';
import { faultAt, type RuleFault } from '../../project/config/rule-fault.ts';

/** Where a project keeps the findings that it had before. */
export const BASELINE_FILE = '.andon/baseline.json';

/** A baseline as `--update-baseline` writes it, or its faults: a file with one gives no baseline. */
interface ReadBaseline {
  readonly baseline: readonly BaselineEntry[];
  readonly faults: readonly RuleFault[];
}

export function readBaseline(name: string, text: string): ReadBaseline {
  const read = readJson(text);
  if (!read.ok) {
    const { line, found, expected } = read.why;
    return { baseline: [], faults: [faultAt(name, line, [], `${found}; expected ${expected}`, REMEDY)] };
  }
  const parsed = baselineSchema().safeParse(read.value.value);
  if (parsed.success) return { baseline: parsed.data.findings, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }) =>
    faultAt(name, undefined, path.map(String), message, REMEDY),
  );
  return { baseline: [], faults };
}

/** A baseline as text: sorted, one finding per line, so that two branches merge. */
export function writeBaseline(entries: readonly BaselineEntry[]): string {
  const rows = [...new Map(entries.map((entry) => [entry.fingerprint, entry])).values()]
    .map(({ rule, path, fingerprint, most }) => JSON.stringify({ rule, path, fingerprint, most }))
    .toSorted();
  return `{\n  "schema": "andon.baseline/v1",\n  "findings": [${rows.length === 0 ? '' : `\n    ${rows.join(',\n    ')}\n  `}]\n}\n`;
}

const REMEDY = 'resolve its merge conflict, or delete it and run: andon check --file <files> --update-baseline';

const baselineSchema = lazy(() =>
  z.strictObject({
    schema: z.literal('andon.baseline/v1'),
    findings: z.array(
      z.strictObject({
        rule: z.string().min(1),
        path: z.string().min(1),
        fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
        most: z.number().exactOptional(),
      }),
    ),
  }),
);
