import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeFault } from '../../base/describe-fault.ts';
import { toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError } from '../../base/problem.ts';
import { CONTRACT_FIELDS } from '../../contract/contract-fields.ts';
import type { ContractDraft, FieldKey, PartialDraft, WrittenGate } from '../../contract/contract-fields.ts';
import { fillDefaults, withoutGaps } from '../../contract/draft/contract-draft.ts';
import type { ProjectDefaults } from '../../contract/draft/contract-draft.ts';
import { parseGate } from '../../contract/gate.ts';
import { COMPLEXITY_LIMITS } from '../../contract/task-contract-defaults.ts';
import { COMPLEXITIES } from '../../contract/task-contract-shape.ts';
import type { ContractChecker } from '../../daemon/intake/contract-checker.ts';
import { dropContract, keepContract } from '../../daemon/intake/drop-contract.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { Invocation } from './command.ts';
import { describeDropped, faultAtField } from './submit-contract.ts';
import { hasFlag } from './options.ts';
import { printLine, printSentence } from './print.ts';
import type { Prompts } from './prompts.ts';

/** What the questions about a contract need to know. */
export interface ContractTalk {
  readonly invocation: Invocation;
  readonly place: Workspace;
  readonly checker: ContractChecker;
  /** The fields that flags set; they are not asked. */
  readonly given: PartialDraft;
  readonly defaults: ProjectDefaults;
}

/** The admission fault of one answer; undefined of a good one. */
type Check = (value: unknown) => Promise<string | undefined>;

/** Asks for a contract field by field, refuses what admission would refuse, shows the whole and asks where it goes. */
export async function askContract(ask: Prompts, talk: ContractTalk): Promise<number> {
  const { checker, given, defaults } = talk;
  const nextId = await checker.suggestId();
  await refuseHopeless(talk, nextId);
  let draft = given;
  ask.say('Nothing is written before the last question; Esc leaves.');
  for (const { key, question } of CONTRACT_FIELDS) {
    if (question === undefined || draft[key] !== undefined) continue;
    /** Fields that were not asked yet are filled with values that always pass. */
    const check: Check = async (value) => {
      const filled = {
        task_id: nextId,
        requirements: ['-'],
        allowed_paths: ['**'],
        ...withoutGaps(draft),
        [key]: value,
      };
      const { faults } = await checker.check(checker.write(fillDefaults(filled, defaults)));
      const fault = faultAtField(faults, key);
      return fault === undefined ? undefined : describeFault(fault);
    };
    const answer = await askField(ask, talk, { key, question, check, nextId });
    if (answer !== undefined && answer !== '') draft = { ...draft, [key]: answer };
  }
  return placeContract(ask, talk, fillDefaults(draft, defaults));
}

interface Question {
  readonly key: FieldKey;
  readonly question: string;
  readonly check: Check;
  readonly nextId: string;
}

const NEEDED: Readonly<Partial<Record<FieldKey, string>>> = {
  requirements: 'a contract needs at least one requirement',
  allowed_paths: 'a contract names at least one path that may be changed',
};
const HINTS: Readonly<Partial<Record<FieldKey, string>>> = {
  title: 'a title; empty: none',
  target_file: 'empty: not one in particular',
};

/** Asks for one field by its kind; undefined where it is left out. */
async function askField(ask: Prompts, { place }: ContractTalk, { key, question, check, nextId }: Question) {
  const { kind } = CONTRACT_FIELDS.find((field) => field.key === key) ?? { kind: 'text' };
  if (kind === 'complexity') return askComplexity(ask, question);
  if (kind === 'gates') return askGates(ask, place, question, check);
  if (kind === 'number') return askNumber(ask, question, check);
  if (key === 'task_id') return ask.text(question, { standard: nextId, check });
  if (kind === 'text' || kind === 'path')
    return ask.text(question, {
      hint: HINTS[key] ?? '',
      check: (text) => (text === '' || key === 'title' ? undefined : check(text)),
    });
  const needed = NEEDED[key];
  const lines = await ask.lines(question, {
    check: (one, earlier) => check([...earlier, one]),
    ...(needed === undefined ? {} : { atLeastOne: needed }),
  });
  return lines.length === 0 ? undefined : lines;
}

/** A repository in which no task can be admitted, or a wrong flag, is named before any question. */
async function refuseHopeless({ checker, given, defaults }: ContractTalk, nextId: string): Promise<void> {
  const filled = { task_id: nextId, requirements: ['-'], allowed_paths: ['**'], ...withoutGaps(given) };
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
  const gates: WrittenGate[] = [];
  for (const gate of parsed(lines)) {
    const before = await ask.choose(`Must ${toTerminalLine(gate.name, 60)} be red on the base, to prove something?`, [
      { value: 'no', label: 'no' },
      { value: 'yes', label: 'yes: red before, green after' },
    ]);
    gates.push(before === 'yes' ? { ...gate, must_fail_before: true } : gate);
  }
  return gates.length === 0 ? undefined : gates;
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

async function placeContract(
  ask: Prompts,
  { invocation, place, checker }: ContractTalk,
  draft: ContractDraft,
): Promise<number> {
  const text = checker.write(draft);
  const { faults } = await checker.check(text);
  ask.show('The contract', toTerminal(text.trimEnd()));
  for (const fault of faults) ask.warn(`${fault.path}: ${describeFault(fault)}`);
  const isBusy = checker.isBusy();
  const isFit = faults.length === 0;
  const answer = await ask.choose(isFit ? 'Where does it go?' : 'It would be refused. Where does it go?', [
    ...(isFit && !isBusy && !hasFlag(invocation.options, 'queue')
      ? [{ value: 'drop', label: 'Drop it on the line' } as const]
      : []),
    ...(isFit
      ? [
          {
            value: 'queue',
            label: isBusy ? 'Put it into the queue; the line is busy' : 'Put it into the queue',
          } as const,
        ]
      : []),
    { value: 'save', label: 'Save it somewhere else' } as const,
    { value: 'discard', label: 'Discard it' } as const,
  ]);
  if (answer === 'discard') {
    printLine('Discarded; nothing was written.');
    return 1;
  }
  if (answer === 'save') {
    const file = await ask.text('Save it as', {
      standard: `${draft.task_id}.json`,
      check: (name) => {
        if (name === '') return 'name a file';
        return existsSync(resolve(invocation.cwd, name)) ? `${name} is there already; name another file` : undefined;
      },
    });
    keepContract(resolve(invocation.cwd, file), text);
    printLine(`saved ${toTerminalLine(file)}; nothing was dropped`);
    return 0;
  }
  printSentence(await describeDropped(place, dropContract(place, draft.task_id, text, answer === 'queue'), false));
  return 0;
}
