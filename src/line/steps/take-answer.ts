import type { EditedFile, FileWrite } from '../../base/changed-file.ts';
import type { Facts, PartialAnswer } from '../record/facts.ts';
import { getScope, mayShrink } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Ruling } from '../../rules/model/ruling.ts';
import { DEFAULT_CONTRACT_LIMITS } from '../../project/contract/task-contract-defaults.ts';
import { formatCount } from '../../base/format-count.ts';
import { findKnown, maskKnown, STARS } from '../../base/known-secrets.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Edit, ImplementerAnswer, UnreadableAnswer } from '../stations/answer-formats/answer.ts';
import {
  applyEdits,
  type AnswerContext,
  type CurrentFile,
  type EditRefusal,
} from '../stations/answer-formats/apply-answer.ts';
import { computeRework, mergeAnswer, keepPartialAnswer, type MergedAnswer } from '../stations/rework.ts';
import { readAnswer } from '../stations/answer-formats/read-answer.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';
import { scopeRequests } from '../../rules/guards/scope-guard.ts';
import { classifyPath } from '../../base/paths.ts';
import type { Messages } from '../stations/message-checks.ts';
import { takeMessage } from './take-message.ts';
import { indexTree } from '../git/tree-index.ts';
import { EXAMPLE_PATH } from '../stations/answer-rules.ts';

/** Files to write, as an answer wants them, and what it says about them. */
export interface Taken {
  readonly changes: readonly FileWrite[];
  readonly notes: string;
  readonly rulings: readonly Ruling[];
  /** What ends the step once the change is kept. */
  readonly objection: StepOutcome | undefined;
}

/** Reads an answer and checks it against the tree; earlier accepted blocks are merged with the corrected ones. */
export async function takeAnswer(
  services: CallServices & RuleServices & Needs<'repository'>,
  log: StepJournal,
  { head, text, inPart }: { readonly head: string; readonly text: string; readonly inPart: readonly string[] },
  signal: AbortSignal,
): Promise<Outcome<Taken, StepOutcome>> {
  const { record } = log;
  const { partial } = computeRework(record, head);
  const asked = new Set(partial?.failed.map(({ path }) => path));
  const targetFile = asked.size === 1 ? [...asked][0] : record.contract.specification.targetFile;
  const maxFiles = record.contract.constraints.maxFiles ?? DEFAULT_CONTRACT_LIMITS.maxFiles;
  const answer = withMaskedWords(readAnswer(text, { targetFile, maxFiles }));
  if (!answer.ok && answer.why.kind === 'too-many-files') return failure(refuseAnswer(record, [answer.why.detail], {}));
  if (!answer.ok) return failure(unreadable(answer.why));
  const evidence = {
    kept: partial?.kept.length ?? 0,
    keptPaths: (partial?.kept ?? []).map(({ path }) => path),
    settings: services.settings.messages,
  };
  const heard = await takeWords(services, log, { message: answer.value, evidence }, signal);
  if (!heard.ok) return heard;
  const whole = wholeAnswer(partial ?? { head, kept: [], failed: [] }, answer.value);
  const { edits } = whole.answer;
  const applied = await takeWithoutSecrets(services, head, await applyTo(services, record, head, edits, inPart));
  const refusals = applied.ok ? [] : applied.why;
  if (applied.ok && whole.unanswered.length === 0) return success({ changes: applied.value, ...heard.value });
  const part = keepPartialAnswer(whole.answer, refusals, head, whole.unanswered);
  const reasons = [
    ...refusals.map(({ path, detail }) => `${path}: ${detail}`),
    ...whole.unanswered.map(({ path }) => `${path}: a block that found no place was not given again.`),
  ];
  const wants = wantedBy(record, head, refusals);
  return failure(
    part === undefined || holdsKnownSecret(part)
      ? refuseAnswer(record, reasons, createScopeFacts(refusals), wants)
      : incomplete(reasons, part),
  );
}

/** Takes the changes of an implementer that edits files itself: its files are compared with the copy it got. */
export async function takeEdited(
  services: CallServices & RuleServices & Needs<'repository'>,
  log: StepJournal,
  { head, text, edited }: { readonly head: string; readonly text: string; readonly edited: readonly EditedFile[] },
  signal: AbortSignal,
): Promise<Outcome<Taken, StepOutcome>> {
  const { record } = log;
  const maxFiles = record.contract.constraints.maxFiles ?? DEFAULT_CONTRACT_LIMITS.maxFiles;
  const message = { kind: 'change', edits: edited.map(({ path }) => ({ path })), notes: text } as const;
  const evidence = { kept: 0, settings: services.settings.messages };
  const heard = await takeWords(services, log, { message, evidence }, signal);
  if (!heard.ok) return heard;
  const applied = await takeWithoutSecrets(services, head, await applyTo(services, record, head, edited));
  if (!applied.ok) {
    const reasons = applied.why.slice(0, MOST_LISTED).map(({ path, detail }) => `${path}: ${detail}`);
    const more = applied.why.length - reasons.length;
    if (more > 0) reasons.push(`and ${more} more of this kind.`);
    return failure(refuseAnswer(record, reasons, createScopeFacts(applied.why), wantedBy(record, head, applied.why)));
  }
  if (edited.length > maxFiles) {
    const why = `${edited.length} files were changed; max_files is ${maxFiles}, so change fewer.`;
    return failure(refuseAnswer(record, [why], {}));
  }
  return success({ changes: applied.value, ...heard.value });
}

/** After a formatter ran over everything, not every file is listed. */
const MOST_LISTED = 20;

/** Checks the words of an answer: they may ask for no file outside the scope, and must pass the checks and rules. */
async function takeWords(
  services: CallServices & RuleServices & Needs<'repository'>,
  log: StepJournal,
  answer: Messages['change'],
  signal: AbortSignal,
): Promise<Outcome<Omit<Taken, 'changes'>, StepOutcome>> {
  const { record } = log;
  const words = answer.message.kind === 'change' ? (answer.message.notes ?? '') : answer.message.reason;
  const asks = refuseScopeRequest(services, record, words);
  if (asks !== undefined) return failure(asks);
  const heard = await takeMessage(services, log, 'change', { ...answer, words }, signal);
  const { unfit, instead, rulings, objection } = heard;
  if (unfit !== undefined) return failure(refuseAnswer(record, [unfit], { rulings: [...rulings] }));
  return success({ notes: instead ?? words, rulings, objection });
}

/** An answer without known secrets in its words. Its code stays exact, and is refused where it holds a secret. */
function withMaskedWords(
  read: Outcome<ImplementerAnswer, UnreadableAnswer>,
): Outcome<ImplementerAnswer, UnreadableAnswer> {
  if (!read.ok) return failure({ ...read.why, detail: maskKnown(read.why.detail) });
  const answer = read.value;
  return success(
    answer.kind === 'change'
      ? { ...answer, notes: maskKnown(answer.notes) }
      : { ...answer, reason: maskKnown(answer.reason) },
  );
}

/**
 * Refuses a request for a file outside the scope, as it refuses an edit of that file. The second request halts the line,
 * and one of the two paths allows the file.
 */
function refuseScopeRequest(services: Needs<'settings'>, record: TaskRecord, words: string): StepOutcome | undefined {
  const { enabled, scope_guard: scopeGuard } = services.settings.messages;
  if (!enabled || !scopeGuard.enabled) return undefined;
  const requests = scopeRequests(words).filter(({ path }) => classifyPath(path, getScope(record)) !== 'allowed');
  if (requests.length === 0) return undefined;
  const reasons = requests.map(
    ({ path, why }) =>
      `${path}: is outside the scope of this task${why === '' ? '' : ` (you say: ${why})`}; solve it without this file, or ask for it once more, and a human decides`,
  );
  return refuseAnswer(record, reasons, { scopeRefused: requests.map(({ path }) => path) });
}

/** An answer was understood and is not taken; what was kept of an earlier one stays. */
export function refuseAnswer(
  { partial }: TaskRecord,
  reasons: readonly string[],
  facts: Facts,
  wants?: NonNullable<Facts['strike']>['wants'],
): StepOutcome {
  const why = reasons.join('\n');
  return {
    event: 'answer_refused',
    reason: `answer refused: ${reasons.join('; ')}`,
    facts: {
      ...facts,
      strike: { station: 'implementer', kind: 'refused', why, ...(wants === undefined ? {} : { wants }) },
      ...(partial === undefined ? {} : { partial }),
      feedback: [{ from: 'answer', text: why }],
    },
  };
}

/** Whether an answer deletes or shortens what it may not, or repeats, letter by letter, the attempt that was just rejected. */
function wantedBy(
  { change, rejected }: TaskRecord,
  head: string,
  refusals: readonly EditRefusal[],
): NonNullable<Facts['strike']>['wants'] {
  if (refusals.some(({ kind }) => kind === 'delete')) return 'forbidden deletion';
  if (refusals.length > 0 && refusals.every(({ kind }) => kind === 'shrunk')) return 'shortened file';
  const isSame = refusals.length > 0 && refusals.every(({ kind }) => kind === 'no-op');
  const wasRejected = change?.commit === head && rejected.some(({ tree }) => tree === change.tree);
  return isSame && wasRejected ? 'rejected attempt' : undefined;
}

/** Some blocks found no place: the rest is kept as data, so that only they are asked again, after a crash too. */
function incomplete(reasons: readonly string[], partial: NonNullable<Facts['partial']>): StepOutcome {
  const why = reasons.join('\n');
  return {
    event: 'answer_refused',
    reason: `answer refused${partial.kept.length > 0 ? ' in part' : ''} (${formatCount(partial.failed.length, 'block')} to be corrected): ${reasons.map(firstLine).join('; ')}`,
    facts: { strike: { station: 'implementer', kind: 'refused', why }, partial, feedback: [] },
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function unreadable({ kind, detail }: UnreadableAnswer): StepOutcome {
  const as = kind === 'empty' ? 'empty' : 'unreadable';
  return {
    event: 'strike',
    reason: `${as} answer: ${detail}`,
    facts: { strike: { station: 'implementer', kind: as, why: detail } },
  };
}

const wholeAnswer = (before: PartialAnswer, answer: ImplementerAnswer): MergedAnswer =>
  answer.kind === 'change' && before.failed.length === 0 ? { answer, unanswered: [] } : mergeAnswer(before, answer);

/** What of refusals a breaker asks about: where a change would have gone. */
function createScopeFacts(refusals: readonly EditRefusal[]): Facts {
  const outside = refusals.filter(({ kind }) => kind === 'scope' || kind === 'forbidden').map(({ path }) => path);
  const guarded = refusals.filter(({ kind }) => kind === 'protected').map(({ path }) => path);
  return {
    ...(outside.length > 0 ? { scopeRefused: outside } : {}),
    ...(guarded.length > 0 ? { protectedRefused: guarded } : {}),
  };
}

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

/** Turns edits into file contents; nothing is written yet. */
async function applyTo(
  services: Needs<'repository'>,
  record: TaskRecord,
  head: string,
  edits: readonly (Edit | EditedFile)[],
  inPart: readonly string[] = [],
): Promise<Outcome<readonly FileWrite[], readonly EditRefusal[]>> {
  const paths = edits.map(({ path }) => path);
  const applied = applyEdits(edits, await heldAgainst(services, record, head, paths, inPart));
  return applied.ok ? unfiltered(services, head, applied.value) : applied;
}

/** The scope and limits of a change. */
async function heldAgainst(
  services: Needs<'repository'>,
  record: TaskRecord,
  head: string,
  changed: readonly string[],
  inPart: readonly string[],
): Promise<AnswerContext> {
  const { byPath: files, folders, spelledLike } = indexTree(await services.repository.files(head));
  const wanted = changed.filter((path) => files.has(path));
  const contents = await services.repository.read(head, wanted);
  const before = head === record.base ? contents : await services.repository.read(record.base, wanted);
  const current = (path: string): CurrentFile | undefined => {
    const file = files.get(path);
    return file === undefined
      ? undefined
      : {
          bytes: contents.get(path) ?? new Uint8Array(),
          mode: file.mode as CurrentFile['mode'],
          linesBefore: lineCount(before.get(path)),
        };
  };
  return {
    current,
    paths: files,
    folders,
    spelledLike,
    scope: getScope(record),
    allowDeletes: record.contract.constraints.allowDeletes,
    allowShrink: mayShrink(record),
    inPart: new Set(inPart),
    example: EXAMPLE_PATH,
  };
}

const lineCount = (bytes: Uint8Array | undefined): number =>
  bytes === undefined ? 0 : new TextDecoder().decode(bytes).split('\n').length - 1;

/** What goes through a filter on its way into git (git-crypt, git-lfs) is not written: andon would leave the filter out. */
async function unfiltered(
  services: Needs<'repository'>,
  head: string,
  changes: readonly FileWrite[],
): Promise<Outcome<readonly FileWrite[], readonly EditRefusal[]>> {
  const written = changes.flatMap(({ path, content }) => (content === null ? [] : [path]));
  const filtered = await services.repository.filtered(head, written);
  if (filtered.size === 0) return success(changes);
  return failure(
    [...filtered].map(([path, filter]) => ({
      kind: 'path',
      path,
      detail: `The file goes through git's filter ${filter}, which is not run here; do not change the file.`,
    })),
  );
}

/** Whether a value holds a known secret, or a piece of one, in any of its texts. */
const holdsKnownSecret = (value: unknown): boolean => holds(JSON.stringify(value));

const holds = (text: string): boolean => maskKnown(text) !== text;

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
  // By line, so that a line of a key may go; and whole, for keys of short lines.
  const owned = [...before.values()].flatMap((text) => [text, ...linesOf(text)]).flatMap(findKnown);
  const masked = new Set([...before.values()].filter(holds).flatMap(maskedLines)); // lines move between files too
  for (const { path, text } of suspects) {
    const old = before.get(path) ?? '';
    const known = new Set(linesOf(old));
    const fresh = linesOf(text ?? '').filter((line) => !known.has(line));
    const added = findKnown(fresh.join('\n'));
    const isNewHere =
      holds(text ?? '') && (!holds(old) || added.some((one) => !owned.some((all) => all.includes(one))));
    if (isNewHere || (holds(path) && !bytes.has(path))) faults.set(path, HOLDS);
    const isStarred = fresh.some((line) => masked.has(line.trim()) || (holds(old) && THREE_STARS.test(line)));
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
