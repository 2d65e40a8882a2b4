import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeFault } from '../../base/describe-fault.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError } from '../../base/problem.ts';
import { CONTRACT_FIELDS } from '../../contract/contract-fields.ts';
import type { ContractDraft, FieldKey, PartialDraft, WrittenGate } from '../../contract/contract-fields.ts';
import { fillDefaults, withoutGaps } from '../../contract/draft/contract-draft.ts';
import type { ProjectDefaults } from '../../contract/draft/contract-draft.ts';
import { parseGate } from '../../contract/gate.ts';
import { COMPLEXITY_LIMITS, DEFAULT_CONTRACT_LIMITS } from '../../contract/task-contract-defaults.ts';
import { COMPLEXITIES } from '../../contract/task-contract-shape.ts';
import type { ContractChecker } from '../../daemon/intake/contract-checker.ts';
import { dropContract, keepContract } from '../../daemon/intake/drop-contract.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { Invocation } from './command.ts';
import { hasFlag } from './options.ts';
import { printLine, printSentence } from './print.ts';
import type { Prompts } from './prompts.ts';
import { checkField, proposeContract } from './propose-contract.ts';
import { describeDropped } from './submit-contract.ts';

/** What the questions about a contract need to know. */
export interface ContractTalk {
  readonly invocation: Invocation;
  readonly place: Workspace;
  readonly checker: ContractChecker;
  /** The fields that sentence, spec and flags set. */
  readonly given: PartialDraft;
  readonly defaults: ProjectDefaults;
}

/** Asks only what nothing tells, proposes the rest, shows the whole and asks once; each field can be changed. */
export async function askContract(ask: Prompts, talk: ContractTalk): Promise<number> {
  const { checker, given, defaults } = talk;
  await refuseHopeless(talk);
  ask.say('Nothing is written before the last question; Esc leaves.');
  const wanted = (given.requirements ?? []).length > 0 ? given : await withAnswer(ask, talk, given, 'requirements');
  const { draft: proposed, guessed } = await proposeContract(checker, wanted, defaults);
  const hasPaths = (proposed.allowed_paths ?? []).length > 0 || proposed.target_file !== undefined;
  if (!hasPaths) ask.say('No file is named in the sentence, and none has a name like it.');
  let draft = hasPaths ? proposed : await withAnswer(ask, talk, proposed, 'allowed_paths');
  for (;;) {
    const whole = fillDefaults(draft, defaults);
    const text = checker.write(whole);
    const { faults, notices } = await checker.check(text);
    ask.show('The contract', describeDraft(whole, talk.place, guessed));
    for (const fault of faults) ask.warn(`${fault.path}: ${describeFault(fault)}`);
    for (const notice of notices) ask.warn(toTerminalLine(notice, 400));
    const answer = await askWhere(ask, talk, faults.length === 0);
    if (answer === 'change') draft = await changeField(ask, talk, draft);
    else return await place(ask, talk, { answer, id: whole.task_id, text });
  }
}

/** One screen: what was said, and what is proposed. */
function describeDraft(draft: ContractDraft, { settings }: Workspace, guessed: readonly string[] | undefined): string {
  const { complexity } = draft;
  const usual = complexity === undefined ? undefined : COMPLEXITY_LIMITS[complexity];
  const reviews = draft.max_review_cycles ?? usual?.max_review_cycles ?? DEFAULT_CONTRACT_LIMITS.reviewCycles;
  const rebuttals = draft.max_rebuttals ?? usual?.max_rebuttals ?? DEFAULT_CONTRACT_LIMITS.rebuttals;
  const usd = draft.budget_usd ?? usual?.budget_usd;
  const paths = draft.allowed_paths.join(', ');
  const isGuessed = guessed !== undefined && guessed.join() === draft.allowed_paths.join();
  const gates = [...settings.gates.map(({ name }) => name), ...draft.gates.map(({ name }) => name)];
  const rows: readonly (readonly [string, string])[] = [
    ['id', draft.task_id],
    ...(draft.title === undefined ? [] : [['title', draft.title] as const]),
    ...draft.requirements.map((text) => ['wanted', text] as const),
    ...draft.acceptance_criteria.map((text) => ['done when', text] as const),
    ['may change', isGuessed ? `${paths} (found by name)` : paths],
    ...(draft.forbidden_paths.length === 0 ? [] : [['not', draft.forbidden_paths.join(', ')] as const]),
    ...(draft.target_file === undefined ? [] : [['writes', draft.target_file] as const]),
    ['gates', gates.length === 0 ? 'none: only the reviewers decide' : gates.join(', ')],
    ['limits', `${reviews} reviews, ${rebuttals} rebuttals${complexity === undefined ? '' : ` (${complexity})`}`],
    ['cost', usd === undefined ? 'no ceiling of its own' : `at most $${usd}`],
    ['agents', `${[draft.implementer ?? []].flat().join(', then ')}; ${draft.local_reviewer}; ${draft.judge}`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(11)} ${toTerminalLine(value, 160)}`).join('\n');
}

type Where = 'submit' | 'change' | 'save' | 'discard';

function askWhere(ask: Prompts, { invocation, checker }: ContractTalk, isFit: boolean): Promise<Where> {
  const waits = checker.isBusy() || hasFlag(invocation.options, 'queue');
  return ask.choose<Where>(isFit ? 'Is it right?' : 'It would be refused.', [
    ...(isFit ? [{ value: 'submit', label: waits ? 'Submit it; it waits in the queue' : 'Submit it' } as const] : []),
    { value: 'change', label: 'Change a field' },
    ...(isFit ? [{ value: 'save', label: 'Save it somewhere else' } as const] : []),
    { value: 'discard', label: 'Discard it' },
  ]);
}

async function changeField(ask: Prompts, talk: ContractTalk, draft: PartialDraft): Promise<PartialDraft> {
  const fields = CONTRACT_FIELDS.filter(({ question }) => question !== undefined);
  const key = await ask.choose(
    'Which one?',
    fields.map(({ key, question = '' }) => ({ value: key, label: key.replaceAll('_', ' '), hint: question })),
  );
  return withAnswer(ask, talk, draft, key);
}

/** The draft with one more answer, which admission would take. */
async function withAnswer(ask: Prompts, talk: ContractTalk, draft: PartialDraft, key: FieldKey): Promise<PartialDraft> {
  const { [key]: _, ...others } = draft;
  const check: Check = async (value) => {
    const fault = await checkField(talk.checker, others, key, value, talk.defaults);
    return fault === undefined ? undefined : describeFault(fault);
  };
  const answer = await askField(ask, talk, key, check);
  return answer === undefined || answer === '' ? others : { ...others, [key]: answer };
}

/** The admission fault of one answer; undefined of a good one. */
type Check = (value: unknown) => Promise<string | undefined>;

const NEEDED: Readonly<Partial<Record<FieldKey, string>>> = {
  requirements: 'a contract needs at least one requirement',
  allowed_paths: 'a contract names at least one path that may be changed',
};

/** Asks for one field by its kind; undefined where it is left out. */
async function askField(ask: Prompts, { place }: ContractTalk, key: FieldKey, check: Check) {
  const { kind, question = '' } = CONTRACT_FIELDS.find((field) => field.key === key) ?? { kind: 'text' };
  if (kind === 'complexity') return askComplexity(ask, question);
  if (kind === 'gates') return askGates(ask, place, question, check);
  if (kind === 'number') return askNumber(ask, question, check);
  if (kind === 'text' || kind === 'path')
    return ask.text(question, {
      hint: key === 'task_id' ? '' : 'empty: none',
      check: (text) => (text === '' ? (key === 'task_id' ? 'name an id' : undefined) : check(text)),
    });
  const needed = NEEDED[key];
  const lines = await ask.lines(question, {
    check: (one, earlier) => check([...earlier, one]),
    ...(needed === undefined ? {} : { atLeastOne: needed }),
  });
  return lines.length === 0 ? undefined : lines;
}

/** A repository in which no task can be admitted, or a wrong flag, is named before any question. */
async function refuseHopeless({ checker, given, defaults }: ContractTalk): Promise<void> {
  const filled = {
    task_id: await checker.suggestId(),
    requirements: ['-'],
    allowed_paths: ['**'],
    ...withoutGaps(given),
  };
  const {
    faults: [first],
  } = await checker.check(checker.write(fillDefaults(filled, defaults)));
  if (first !== undefined)
    throw createUsageError(`${first.path}: ${describeFault(first)}`, 'put that right first; nothing was written');
}

async function askComplexity(ask: Prompts, question: string): Promise<ContractDraft['complexity']> {
  const answer = await ask.choose(question, [
    { value: 'none', label: 'not said', hint: '2 rebuttals, 5 reviews, no ceiling' },
    ...COMPLEXITIES.map((value) => {
      const { max_rebuttals: rebuttals, max_review_cycles: reviews, budget_usd: usd } = COMPLEXITY_LIMITS[value];
      return { value, label: value, hint: `${rebuttals} rebuttals, ${reviews} reviews, $${usd}` };
    }),
  ]);
  return answer === 'none' ? undefined : answer;
}

async function askGates(
  ask: Prompts,
  { settings }: Workspace,
  question: string,
  check: Check,
): Promise<readonly WrittenGate[] | undefined> {
  if (settings.gates.length > 0)
    ask.say(
      `These gates of the project run anyway: ${settings.gates.map(({ name }) => toTerminalLine(name, 60)).join(', ')}`,
    );
  const parsed = (lines: readonly string[]): readonly WrittenGate[] => lines.flatMap((text) => parseGate(text) ?? []);
  const lines = await ask.lines(question, {
    check: (text, earlier) =>
      parseGate(text) === undefined
        ? 'expected name=command, such as test=npm test'
        : check(parsed([...earlier, text])),
  });
  return lines.length === 0 ? undefined : parsed(lines);
}

async function askNumber(ask: Prompts, question: string, check: Check): Promise<number | undefined> {
  const text = await ask.text(question, {
    hint: 'empty: no ceiling of its own',
    check: (answer) => {
      if (answer === '') return undefined;
      return Number.isFinite(Number(answer)) ? check(Number(answer)) : 'expected a number, or nothing';
    },
  });
  return text === '' ? undefined : Number(text);
}

async function place(
  ask: Prompts,
  { invocation, place, checker }: ContractTalk,
  { answer, id, text }: { readonly answer: Exclude<Where, 'change'>; readonly id: string; readonly text: string },
): Promise<number> {
  if (answer === 'discard') {
    printLine('Discarded; nothing was written.');
    return 1;
  }
  if (answer === 'save') {
    const file = await ask.text('Save it as', {
      standard: `${id}.json`,
      check: (name) => {
        if (name === '') return 'name a file';
        return existsSync(resolve(invocation.cwd, name)) ? `${name} is there already; name another file` : undefined;
      },
    });
    keepContract(resolve(invocation.cwd, file), text);
    printLine(`Saved ${toTerminalLine(file)}. Nothing is queued.`);
    return 0;
  }
  const waits = checker.isBusy() || hasFlag(invocation.options, 'queue');
  printSentence(await describeDropped(place, dropContract(place, id, text, waits), false));
  return 0;
}
