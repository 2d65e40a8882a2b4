import { isObject, parseJson } from '../../base/json-object.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { RedView } from '../words/line-facts.ts';
import { Problem } from '../../base/problem.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openWorkTree, readDecidingFiles } from '../../rules/files/project-files.ts';
import { readPlainFile } from '../../project/folders/user-folders.ts';
import { openDir } from '../../base/system/safe-fs.ts';

/** In the state folder: what the last `andon doctor` found red. */
const FILE = 'doctor.json';
const LARGEST = 256 * 1024;
const MOST = 50;
/** States of the repository and of the disk: each command sees them itself, and they change without a doctor. */
const SEEN_ANYWAY: ReadonlySet<string> = new Set(['target branch', 'disk', '_handoff']);

/**
 * The red results of the last `andon doctor`; none where its note cannot be read, or once the files that decide are
 * others in the checkout than those it was asked about.
 */
export function readReds(place: Place): readonly RedView[] {
  const noted = readNoted(place.state);
  if (noted.length === 0) return [];
  const now = hashConfiguration(place);
  return noted
    .filter(({ under }) => under === now)
    .map(({ name, detail, remedy, at }) => ({ name, detail, remedy, at }));
}

type Place = Pick<Workspace, 'state' | 'facts' | 'userConfig'>;

/** A red result, and the hash of the configuration it was found under. */
type Noted = RedView & { readonly under: string };

function readNoted(state: string): readonly Noted[] {
  const text = openDir(state).text(FILE, LARGEST);
  if (!text.ok || text.value === undefined) return [];
  const reds = parseJson(text.value);
  return Array.isArray(reds) ? reds.filter(isRed) : [];
}

/** Of the files as they are now: a program that runs for long has read them long ago. */
function hashConfiguration({ facts, userConfig }: Place): string {
  const user = readPlainFile(userConfig, LARGEST);
  return sha256(JSON.stringify([listTexts(facts.root), user.ok ? user.value.toString('utf8') : user.why])).slice(0, 16);
}

/** The files that decide; of those that cannot be read, why not. */
function listTexts(root: string): object | string {
  try {
    return [...readDecidingFiles(openWorkTree(root))];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.message;
  }
}

const isRed = (red: unknown): red is Noted =>
  isObject(red) &&
  [red['name'], red['detail'], red['at'], red['remedy'] ?? '', red['under']].every((part) => typeof part === 'string');

/** Notes the red results that are costly to find again. A doctor that ran no gates leaves those about gates as they are. */
export function noteReds(
  place: Place,
  checks: readonly (Pick<RedView, 'name' | 'detail'> & { readonly state: string; readonly remedy?: string })[],
  { at, gates }: { readonly at: string; readonly gates: boolean },
): void {
  const before = readNoted(place.state);
  const under = hashConfiguration(place);
  const reds = checks
    .filter(({ state, name }) => state === 'fail' && !SEEN_ANYWAY.has(name))
    .map(({ name, detail, remedy }) => ({
      name: toTerminalLine(name, 80),
      detail: toTerminalLine(detail, 300),
      remedy: remedy === undefined ? null : toTerminalLine(remedy, 300),
      at,
      under,
    }));
  const kept = gates ? [] : before.filter(({ name }) => name === 'gates');
  const all = [...reds, ...kept].slice(0, MOST);
  if (all.length === 0 && before.length === 0) return;
  try {
    openDir(place.state).put(FILE, JSON.stringify(all), 0o600);
  } catch {
    // A full disk: the doctor itself has printed them.
  }
}
