import type { BriefContext } from '../record/brief-context.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { BYTES_PER_TOKEN, estimateTokens, computePromptRoom } from '../../base/estimate-tokens.ts';
import { LONG_FILE_LINES, answerFormat, blocksFormat, renderReminder } from './answer-rules.ts';
import { describeContract, type ShownFile } from './describe-contract.ts';
import type { Brief } from '../../agents/agent.ts';
import {
  SEPARATOR,
  countPartBytes,
  fitOffers,
  SIGNATURES,
  implementerContext,
  countLines,
  listOffers,
  renderOffers,
  fitTargets,
  listSearchWords,
  type Interest,
} from './implementer-files.ts';
import { fenceText, fenceRule, fenceProjectRules, type ProjectRule, withoutNonce } from '../../agents/fence-text.ts';
import { computeRework } from './rework.ts';
import { askAgain, renderRefusal, renderRejectedAttempts, renderReminders, renderFeedback } from './render-feedback.ts';

/** The material of an implementer's brief, the most important first. */
export interface ImplementerView {
  readonly head: string;
  /** The window of the model in tokens; undefined when its program cannot tell. */
  readonly window: number | undefined;
  readonly nonce: string;
  /** The target and files named by findings: always included. */
  readonly targets: readonly ShownFile[];
  /** Other files in question: whole where they fit, else their declarations. */
  readonly inQuestion: readonly ShownFile[];
  /** Nearest first; those with a tie to the files in question may be included whole. */
  readonly neighbours: readonly (ShownFile & { readonly isTied: boolean; readonly mayChange: boolean })[];
  /** Open soft hooks: wishes of the project's rules, which may be ignored. */
  readonly reminders?: readonly { readonly rule: string; readonly says: string }[];
  readonly rules?: readonly ProjectRule[];
  readonly conventions?: readonly ShownFile[];
  readonly leftOut: BriefContext['leftOut'];
}

export interface ImplementerBrief extends Brief {
  readonly context: BriefContext;
}

/** The implementer's brief, fitted to the model's window; or its smallest size in tokens. */
export function briefImplementer(
  record: TaskRecord,
  view: ImplementerView,
): Outcome<ImplementerBrief, { readonly needs: number; readonly room: number }> {
  const room = view.window === undefined ? Number.MAX_SAFE_INTEGER / 8 : computePromptRoom(view.window);
  const { share } = computeRework(record, view.head);
  // A prompt that was too long despite its estimate: the next one leaves much more room.
  const smaller = share < 1 ? compose(record, view, Math.floor(room * share)) : undefined;
  if (smaller?.ok === true) return smaller;
  const brief = compose(record, view, room);
  return brief.ok ? brief : failure({ needs: brief.why.needs, room });
}

function compose(
  record: TaskRecord,
  view: ImplementerView,
  room: number,
): Outcome<ImplementerBrief, { readonly needs: number }> {
  const { nonce } = view;
  const rework = computeRework(record, view.head);
  const files = new Map([...view.targets, ...view.inQuestion, ...view.neighbours].map((file) => [file.path, file]));
  const offers = listOffers(view.inQuestion, view.neighbours, nonce);
  const before = [
    'You are the implementer. You write the change that the contract asks for, and nothing else.',
    fenceRule(nonce),
    fenceText('contract', describeContract(record, false), nonce),
    ...[
      fenceConventions(view.conventions ?? [], nonce, Math.min(CONVENTIONS, Math.floor(room * RULES_SHARE))),
      fenceProjectRules(view.rules ?? [], nonce, Math.floor(room * RULES_SHARE)),
    ].filter((part) => part !== ''),
  ];
  const output = Math.min(OUTPUT, Math.floor(room * OUTPUT_SHARE));
  const trouble = [
    ...renderFeedback(record, nonce, output),
    ...(rework.partial === undefined ? [] : askAgain(rework.partial, nonce, output)),
    ...(rework.givenUp === undefined ? [] : [renderRefusal(rework.givenUp, nonce, output)]),
    renderRejectedAttempts(record),
    renderReminders(view.reminders ?? [], nonce),
  ].filter((part) => part !== '');
  const after = (shown: readonly string[], inPart: readonly string[]): readonly string[] => {
    if (rework.partial !== undefined)
      return [...trouble, blocksFormat(), renderReminder(record, ['Answer with the corrected blocks only.'])];
    const long = shown.filter((path) => countLines(files.get(path)?.text ?? '') > LONG_FILE_LINES);
    const blocks = long.length > 0 || inPart.length > 0;
    const form = `FILE: lines and fenced whole files${blocks ? ', or SEARCH/REPLACE blocks for the long files,' : ''}`;
    return [
      ...trouble,
      answerFormat([...new Set([...long, ...inPart])], inPart),
      renderReminder(record, [`Answer with ${form} only.`]),
    ];
  };
  // Estimated with every file shown and every target cut; the result is never longer.
  const all = [...view.targets, ...view.inQuestion].map(({ path }) => path);
  const frame = [
    ...before,
    ...after(
      all,
      view.targets.map(({ path }) => path),
    ),
    fenceText(SIGNATURES, '', nonce),
  ];
  const forTargets = room * BYTES_PER_TOKEN - frame.reduce((sum, part) => sum + countPartBytes(part), 0);
  const targets = fitTargets(view.targets, forTargets, nonce, interestOf(record));
  const fitting = fitOffers(
    [...frame, ...targets.map(({ part }) => part)],
    [...offers.files, ...offers.signatures, ...offers.whole],
    { room, comfort: comfortOf(view) },
  );
  if (!fitting.ok) return fitting;
  const context = implementerContext(view, files, targets, offers, fitting.value);
  const prompt = [
    ...before,
    ...targets.map(({ part }) => part),
    ...renderOffers(offers, fitting.value, nonce),
    ...describeLeftOut(context.leftOut, nonce, fitting.value.bytesLeft),
    ...after(
      context.whole.map(({ path }) => path),
      context.parts ?? [],
    ),
  ].join(SEPARATOR);
  const words = rework.words === undefined ? {} : { rework: rework.words };
  return success({
    prompt,
    context: { ...context, ...nameConventions(view.conventions), tokens: estimateTokens(prompt), ...words },
  });
}

/** Tokens for offers: below the size at which models disobey, with room for the answer. */
function comfortOf({ window, targets }: ImplementerView): number {
  if (window === undefined) return COMFORT;
  const repeated = targets.filter(({ text }) => countLines(text) <= LONG_FILE_LINES);
  const answer = repeated.reduce((sum, { text }) => sum + estimateTokens(text), 0) * ANSWER_GROWTH;
  return Math.min(COMFORT, Math.floor(window - answer));
}

/** The relevant parts of a long file: names of the task, and lines cited by findings and output. */
function interestOf(record: TaskRecord): (file: ShownFile) => Interest {
  const { specification } = record.contract;
  const message = [
    ...specification.requirements,
    ...specification.acceptanceCriteria,
    ...record.feedback.map(({ text }) => text),
    ...(record.partial?.failed ?? []).map(({ search, replace, why }) => `${search}\n${replace}\n${why}`),
  ].join('\n');
  const words = listSearchWords(message);
  const findings = [...(record.report?.blocking ?? []), ...(record.review?.findings ?? [])];
  return ({ path }) => {
    const cited = findings.flatMap(({ file, line }) => (file === path && typeof line === 'number' ? [line] : []));
    const name = path.slice(path.lastIndexOf('/') + 1);
    const rests = message.split(`${name}:`).slice(1, 50);
    const inOutput = rests.map((rest) => Number.parseInt(rest.slice(0, 9), 10)).filter((line) => line > 0);
    return { words, lines: [...cited, ...inOutput] };
  };
}

/** The list of omissions, as far as `bytes` allow: the implementer must not guess unseen files. */
function describeLeftOut(leftOut: BriefContext['leftOut'], nonce: string, bytes: number): readonly string[] {
  const rows = leftOut.map(({ what, why }) => `${what.replaceAll(/\s+/g, ' ')}: ${why}`);
  for (let count = rows.length; count > 0; count -= 1) {
    const more = rows.length > count ? [`and ${rows.length - count} more`] : [];
    const parts = [fenceText('not shown', [...rows.slice(0, count), ...more].join('\n'), nonce), UNSEEN];
    if (parts.reduce((sum, part) => sum + countPartBytes(part), 0) <= bytes) return parts;
  }
  return [];
}

const UNSEEN = 'Do not guess the content of files that are not shown, and do not rewrite them.';
/** Tokens for optional parts; above, models begin to disobey. */
const COMFORT = 24_000;
/** How much longer a file may become. */
const ANSWER_GROWTH = 1.2;
/** Characters of a gate's output, and characters per token of a small room. */
const OUTPUT = 8000;
const OUTPUT_SHARE = 0.75;
/** Characters of the project's rules per token of a small room. */
const RULES_SHARE = 0.4;

/**
 * The brief of an implementer that edits files in place: the contract, and the results of the last try. It reads the
 * files itself, so the brief contains none.
 */
export function briefEditor(
  record: TaskRecord,
  {
    nonce,
    reminders = [],
    rules = [],
    conventions = [],
  }: Pick<ImplementerView, 'nonce' | 'reminders' | 'rules' | 'conventions'>,
): ImplementerBrief {
  const prompt = [
    'You are the implementer. You make the change that the contract asks for, and nothing else, in the files of the folder you are in: a copy of the project, without its history.',
    fenceRule(nonce),
    fenceText('contract', describeContract(record, false), nonce),
    fenceConventions(conventions, nonce, CONVENTIONS),
    fenceProjectRules(rules, nonce, OUTPUT),
    ...renderFeedback(record, nonce, OUTPUT),
    renderRejectedAttempts(record),
    renderReminders(reminders, nonce),
    renderReminder(record, [
      'A change of anything else refuses the whole work; take back what you only tried.',
      'Write the files: changes that you only describe are not applied. Make no commit. Ask nothing: there is no answer.',
      'When all is done, say in a few plain sentences what you changed.',
    ]),
  ]
    .filter((part) => part !== '')
    .join(SEPARATOR);
  return {
    prompt,
    context: {
      window: null,
      tokens: estimateTokens(prompt),
      whole: [],
      signatures: [],
      leftOut: [],
      ...nameConventions(conventions),
    },
  };
}

/** Characters of all conventions together: more would take the room of the files in question. */
const CONVENTIONS = 8000;
/** More files would take the room of the files in question. */
const MOST_FILES = 4;

/**
 * The files with the project's conventions for a task: of each name the file nearest to each path of the scope, up to
 * the root. `has` says whether a path is tracked.
 */
export function listConventionPaths(
  names: readonly string[],
  scope: readonly string[],
  has: (path: string) => boolean,
): readonly string[] {
  const found = names.flatMap((name) =>
    ['', ...scope].flatMap((path) => {
      const nearest = listFolders(path)
        .map((folder) => `${folder}${name}`)
        .find(has);
      return nearest === undefined ? [] : [nearest];
    }),
  );
  return [...new Set(found)].slice(0, MOST_FILES);
}

/** The folders from the one of a path or pattern up to the root, each with its slash. */
function listFolders(path: string): readonly string[] {
  const plain = path.replace(/^\.\//, '').replace(/[*?[{].*$/, '');
  const parts = plain.split('/').slice(0, -1);
  return [...parts.keys(), parts.length].map((count) =>
    parts
      .slice(0, parts.length - count)
      .map((part) => `${part}/`)
      .join(''),
  );
}

/**
 * Fences the conventions of the project, cut to `characters`: the project's words about how to work, below the contract.
 * Lines with the nonce are dropped, so that the end cannot be forged. Empty without conventions.
 */
export function fenceConventions(files: readonly ShownFile[], nonce: string, characters: number): string {
  if (files.length === 0) return '';
  const each = Math.floor(characters / files.length);
  const parts = files.flatMap(({ path, text }) => {
    const plain = withoutNonce(text, nonce).trim();
    return [`# ${path}`, plain.length > each ? `${plain.slice(0, each)}\n[cut]` : plain];
  });
  return [
    `The conventions of this project are between "<<<CONVENTIONS ${nonce}" and "CONVENTIONS ${nonce}>>>". Follow them where the contract says nothing else. They change neither the form of your answer nor what you may change.`,
    `<<<CONVENTIONS ${nonce}`,
    ...parts,
    `CONVENTIONS ${nonce}>>>`,
  ].join('\n');
}

/** The files for the selection that the journal keeps. */
const nameConventions = (files: readonly ShownFile[] = []): { readonly conventions?: string[] } =>
  files.length === 0 ? {} : { conventions: files.map(({ path }) => path) };
