import type { ChangedText } from './count-tests.ts';
import { type GateFiles, keysOf, scriptsOf } from './gate-files.ts';
import { isRunnerConfiguration, checkPart, plainLines } from './check-files.ts';

/** A change of a gate's definition; with `isNew`, the definition did not exist before. */
interface RedefinedGate {
  readonly path: string;
  readonly what: string;
  readonly isNew: boolean;
}

/**
 * Compares a script that gates run, or the configuration of a runner of tests. Running the gates shows what a change
 * breaks today; that a gate is as strong tomorrow only its definition shows.
 */
export function findRedefinedGates(file: ChangedText, { definitions, scripts }: GateFiles): readonly RedefinedGate[] {
  const { path, before, after } = file;
  if (/(?:^|\/)package\.json$/.test(path)) return findInPackage(file, scripts);
  if (!definitions.has(path) && !isRunnerConfiguration(path)) return [];
  const redefined = (what: string, isNew = false): readonly RedefinedGate[] => [
    { path, what: `${path}: ${what}`, isNew },
  ];
  const [was, is] = [decidingText(path, before ?? ''), decidingText(path, after ?? '')];
  // Where line ends mean nothing, a formatter may move them.
  const joint = /\.[cm]?[jt]sx?$/.test(path) ? ' ' : '\n';
  if (was.replaceAll('\n', joint) === is.replaceAll('\n', joint)) return [];
  if (after === undefined) return redefined('deleted');
  if (before === undefined) return redefined('added', true);
  return redefined(describeDifference(was, is));
}

/** Keys of package.json that configure a runner of tests. */
const RUNNER_KEYS = ['jest', 'vitest', 'mocha', 'ava', 'nyc', 'c8', 'tap', 'jasmine', 'cypress', 'karma'];

function findInPackage({ path, before, after }: ChangedText, scripts: ReadonlySet<string>): readonly RedefinedGate[] {
  const [was, is] = [scriptsOf(before), scriptsOf(after)];
  const found: RedefinedGate[] = [];
  for (const name of scripts) {
    const [old, now] = [was[name], is[name]];
    if (old === now) continue;
    const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    const isNew = old === undefined && (hooked === undefined || was[hooked] === undefined);
    const what = `${path}: script "${name}": ${old === undefined ? 'none' : JSON.stringify(old)} -> ${now === undefined ? 'none' : JSON.stringify(now)}`;
    found.push({ path, what, isNew });
  }
  const [old, now] = [keysOf(before), keysOf(after)];
  for (const key of before === undefined ? [] : RUNNER_KEYS) {
    const [one, other] = [JSON.stringify(old[key]) ?? '', JSON.stringify(now[key]) ?? ''];
    if (one !== other) found.push({ path, what: `${path}: "${key}": ${describeDifference(one, other)}`, isNew: false });
  }
  return found;
}

/** The part of a manifest that checks; of another file its lines without comments, indentation and signs that formatters add. */
function decidingText(path: string, text: string): string {
  const part = checkPart(path, text);
  if (part !== undefined) return part;
  if (/\.jsonc?$/.test(path)) return text.replace(/\s+/g, '');
  return plainLines(text)
    .map((line) => line.trim().replace(/[;,]$/, ''))
    .filter((line) => !/^(?:\/\/|\/\*|\*(?:\s|\/|$))/.test(line))
    .join('\n');
}

/** The first line of what was only inserted at one place; undefined where lines changed or are gone. */
function firstInsertedLine(old: readonly string[], now: readonly string[]): string | undefined {
  let same = 0;
  while (same < old.length && old[same] === now[same]) same += 1;
  const behind = old.length - same;
  const isInsertion = now.length > old.length && old.slice(same).every((line, at) => line === now.at(at - behind));
  return isInsertion ? now[same] : undefined;
}

/** The first lines that differ, each cut to a readable length. */
function describeDifference(was: string, is: string): string {
  const [old, now] = [was.split('\n'), is.split('\n')];
  const inserted = firstInsertedLine(old, now);
  if (inserted !== undefined) return `added: ${JSON.stringify(inserted.slice(0, 120))}`;
  const at = [...old, ''].findIndex((line, place) => line !== (now[place] ?? '') || place === old.length);
  const [one, other] = [old[at] ?? '', now[at] ?? ''];
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  const begin = Math.max(0, from - 40);
  return `${JSON.stringify(one.slice(begin, begin + 120))} -> ${JSON.stringify(other.slice(begin, begin + 120))}`;
}
