import { isObject, parseJson } from '../../base/json-object.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { RedView } from '../core/line-facts.ts';
import { openDir } from '../../base/system/safe-fs.ts';

/** In the state folder: what the last `andon doctor` found red. */
const FILE = 'doctor.json';
const LARGEST = 256 * 1024;
const MOST = 50;

/** The red results of the last `andon doctor`; none where its note cannot be read. */
export function readReds(state: string): readonly RedView[] {
  const text = openDir(state).text(FILE, LARGEST);
  if (!text.ok || text.value === undefined) return [];
  const reds = parseJson(text.value);
  return Array.isArray(reds) ? reds.filter(isRed) : [];
}

const isRed = (red: unknown): red is RedView =>
  isObject(red) &&
  [red['name'], red['detail'], red['at'], red['remedy'] ?? ''].every((part) => typeof part === 'string');

/** Notes the red results. A doctor that ran no gates leaves those about gates as they are. */
export function noteReds(
  state: string,
  checks: readonly (Pick<RedView, 'name' | 'detail'> & { readonly state: string; readonly remedy?: string })[],
  { at, gates }: { readonly at: string; readonly gates: boolean },
): void {
  const before = readReds(state);
  const reds = checks
    .filter((check) => check.state === 'fail')
    .map(({ name, detail, remedy }) => ({
      name: toTerminalLine(name, 80),
      detail: toTerminalLine(detail, 300),
      remedy: remedy === undefined ? null : toTerminalLine(remedy, 300),
      at,
    }));
  const kept = gates ? [] : before.filter(({ name }) => name === 'gates');
  const all = [...reds, ...kept].slice(0, MOST);
  if (all.length === 0 && before.length === 0) return;
  try {
    openDir(state).put(FILE, JSON.stringify(all), 0o600);
  } catch {
    // A full disk: the doctor itself has printed them.
  }
}
