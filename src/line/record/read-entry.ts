import { isObject } from '../../base/json-object.ts';
import { journalEntrySchema, type JournalEntry } from './journal-entry.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { maskKnownIn } from '../../base/known-secrets.ts';
import type { Facts } from './facts.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** Parses one journal row. An unreadable row becomes an entry that says so: it halts its own task and nothing else. */
export function readEntry(seq: number, body: string): JournalEntry {
  let found: unknown;
  try {
    found = JSON.parse(body);
  } catch {
    return { kind: 'unreadable', at: '', seq, why: 'it is no JSON' };
  }
  const read = journalEntrySchema().safeParse(upgradeEntry(found));
  if (read.success) return read.data;
  const { kind, at } = Object(found) as { readonly kind?: unknown; readonly at?: unknown };
  const named = toTerminalLine(String(kind), 40);
  const [issue] = read.error.issues;
  return { kind: 'unreadable', at: typeof at === 'string' ? at : '', seq, why: `${named}: ${describeIssue(issue)}` };
}

/** Why an entry could not be read back once written; undefined when it can. */
export function findWriteFault(entry: JournalEntry): string | undefined {
  try {
    const read = journalEntrySchema().safeParse(JSON.parse(JSON.stringify(entry)));
    return read.success ? undefined : describeIssue(read.error.issues[0]);
  } catch (error) {
    return getErrorMessage(error); // too long for a string, or not serialisable
  }
}

const describeIssue = (
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string =>
  toTerminalLine(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`.replace(/^: /, ''), 200);

/**
 * Converts a journal entry of an older version to the current form. Fields added since are optional; the hashed text
 * never changes.
 */
function upgradeEntry(entry: unknown): unknown {
  if (isObject(entry) && entry['kind'] === 'admitted') return admittedOfToday(entry);
  if (!isObject(entry) || entry['kind'] !== 'moved' || !isObject(entry['facts'])) return entry;
  const { bending, ...facts } = entry['facts'];
  const { mergeBlocked, tampered, choice, halt, rebuttal, panelAgain, feedback } = facts;
  const changed: Record<string, unknown> = {};
  if (typeof mergeBlocked === 'string') changed['mergeBlocked'] = { reason: mergeBlocked };
  if (isObject(tampered) && tampered['edited'] === null) changed['tampered'] = { ...tampered, edited: '' };
  if (isObject(bending)) changed['weakeningReport'] = weakeningsOfToday(bending);
  if (Array.isArray(feedback)) changed['feedback'] = feedback.map(feedbackOfToday);
  if (Array.isArray(rebuttal)) changed['rebuttal'] = rebuttal.map(pointOfToday);
  if (Array.isArray(panelAgain)) changed['panelAgain'] = panelAgain.map(reviewerOfToday);
  if (isObject(choice)) changed['choice'] = { ...choice, effect: effectOfToday(choice['effect']) };
  if (isObject(halt) && Array.isArray(halt['paths']))
    changed['halt'] = { ...halt, paths: halt['paths'].map(pathOfToday) };
  return Object.keys(changed).length === 0 ? entry : { ...entry, facts: { ...facts, ...changed } };
}

/** A contract once named one implementer; today it is a list. */
function admittedOfToday(entry: Record<string, unknown>): unknown {
  const { contract } = entry;
  if (!isObject(contract) || !isObject(contract['roles'])) return entry;
  const { implementer, ...roles } = contract['roles'];
  return implementer === undefined
    ? entry
    : { ...entry, contract: { ...contract, roles: { implementers: [implementer], ...roles } } };
}

/** Weakened gates were once called bent. */
const weakeningsOfToday = ({ bends, ...report }: Record<string, unknown>): unknown => ({
  ...report,
  weakenings: bends,
});
const feedbackOfToday = (one: unknown): unknown =>
  isObject(one) && one['from'] === 'bending' ? { ...one, from: 'weakening' } : one;

/** A rebuttal once consisted of sentences alone. */
const pointOfToday = (point: unknown): unknown => (typeof point === 'string' ? { why: point } : point);

/** Reviewers to ask again were once names alone. */
const reviewerOfToday = (one: unknown): unknown => (typeof one === 'string' ? { reviewer: one, why: '' } : one);

const pathOfToday = (path: unknown): unknown =>
  isObject(path) ? { ...path, effect: effectOfToday(path['effect']) } : path;

/** One number once forgave every kind of agent failure; today each kind has its own. */
function effectOfToday(effect: unknown): unknown {
  if (!isObject(effect) || effect['tries'] === undefined) return effect;
  const { tries, ...others } = effect;
  return { ...others, stallTries: tries, scopeTries: tries, reportTries: tries };
}

/** Fields that a later step compares or writes back byte for byte. */
const EXACT = ['change', 'partial', 'tampered', 'editedDocument'] as const;

/** Masks known secrets, except in fields that must stay exact. */
export function maskKnownFacts(facts: Facts): Facts {
  const exact = Object.fromEntries(EXACT.flatMap((key) => (facts[key] === undefined ? [] : [[key, facts[key]]])));
  return { ...maskKnownIn(facts), ...exact };
}

/** An entry without the secrets of this machine, except for what is compared later. */
export function maskKnownEntry(entry: JournalEntry): JournalEntry {
  if (entry.kind === 'admitted' || entry.kind === 'merging') return entry; // compared with the file, and with git
  // The paths of what an agent was shown are compared with its answer.
  if (entry.kind === 'started') return { ...maskKnownIn(entry), ...(entry.context && { context: entry.context }) };
  return entry.kind === 'moved' ? { ...maskKnownIn(entry), facts: maskKnownFacts(entry.facts) } : maskKnownIn(entry);
}
