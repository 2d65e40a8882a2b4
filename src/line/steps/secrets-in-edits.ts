import { maskKnown } from '../../base/known-secrets.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import type { EditRefusal } from '../stations/answer-formats/apply-answer.ts';
import type { FileWrite } from '../../base/changed-file.ts';
import type { Needs } from '../services/services.ts';

type Repository = Needs<'repository'>;

/** The same outcome, unless one of its files newly holds a known secret or the stars of a masked one. */
export async function takeWithoutSecrets(
  services: Repository,
  head: string,
  applied: Outcome<readonly FileWrite[], readonly EditRefusal[]>,
): Promise<Outcome<readonly FileWrite[], readonly EditRefusal[]>> {
  if (!applied.ok) return applied;
  const decoder = new TextDecoder();
  const texts = applied.value.map(({ path, content }) => ({
    path,
    text: content === null ? null : decoder.decode(content),
  }));
  const faults = await secretFaults(services, head, texts);
  if (faults.size === 0) return applied;
  return failure([...faults].map(([path, detail]) => ({ kind: 'not-text', path, detail })));
}

/** Whether a value holds a known secret, or a piece of one, in any of its texts. */
export const holdsKnownSecret = (value: unknown): boolean => holds(JSON.stringify(value));

const holds = (text: string): boolean => maskKnown(text) !== text;

const STARS = '***';
/** Longer rows of stars are ornaments. */
const THREE_STARS = /(?<!\*)\*{3}(?!\*)/;
const HOLDS = 'holds the value of a key or a password of this machine; take it out';
const WRITES_STARS =
  'writes *** where a value of this machine was masked for you; keep that line and put search/replace blocks around it';

/** Why files may not be written, by path; a text is null for a deleted file. */
async function secretFaults(
  { repository }: Repository,
  head: string,
  files: readonly { readonly path: string; readonly text: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>();
  const suspects = files.filter(
    ({ path, text }) => holds(path) || (text !== null && (text.includes(STARS) || holds(text))),
  );
  if (suspects.length === 0) return faults;
  const bytes = await repository.read(
    head,
    files.map(({ path }) => path),
  );
  const decoder = new TextDecoder();
  const before = new Map(files.map(({ path }) => [path, decoder.decode(bytes.get(path))]));
  const masked = new Set([...before.values()].filter(holds).flatMap(maskedLines)); // lines move between files too
  for (const { path, text } of suspects) {
    const old = before.get(path) ?? '';
    if (holds(path) || holds(text ?? '')) {
      if (!holds(old)) faults.set(path, HOLDS);
    }
    const known = new Set(linesOf(old));
    const isStarred = linesOf(text ?? '').some(
      (line) => !known.has(line) && (masked.has(line.trim()) || (holds(old) && THREE_STARS.test(line))),
    );
    if (isStarred && !faults.has(path)) faults.set(path, WRITES_STARS);
  }
  return faults;
}

/** The lines of a text that hold a known secret, as they are shown. */
const maskedLines = (text: string): readonly string[] =>
  linesOf(text)
    .filter(holds)
    .map((line) => maskKnown(line).trim());

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/);
