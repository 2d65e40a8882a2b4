import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { faultInWords } from '../../base/fault-in-words.ts';
import { forTerminal, inOneTerminalLine } from '../../base/plain-text.ts';
import { COMPLEXITY_LIMITS } from '../../contract/task-contract-defaults.ts';
import { COMPLEXITIES } from '../../contract/task-contract-shape.ts';
import { completeWishes, saidIn } from '../../contract/draft/wishes.ts';
import type { PartialWishes, StandardWishes, Wishes, WrittenGate } from '../../contract/draft/wishes.ts';
import type { DraftDesk } from '../../daemon/intake/contract-draft.ts';
import { dropContract, keepContract } from '../../daemon/intake/drop-contract.ts';
import type { Place } from '../../wiring/open-place.ts';
import { gateFrom } from '../../setup/propose-config.ts';
import { mistake } from '../../base/problem.ts';
import { dropped, faultAt } from './hand-in.ts';
import { flag } from './options.ts';
import { line, sentence } from './print.ts';
import type { Prompts } from './prompts.ts';
import type { Invocation } from './command.ts';

/** What the questions about a contract need to know. */
export interface ContractTalk {
  readonly invocation: Invocation;
  readonly place: Place;
  readonly desk: DraftDesk;
  /** What flags said already; it is not asked again. */
  readonly given: PartialWishes;
  readonly standard: StandardWishes;
}

/** Asks for a contract part by part, refuses what admission would refuse, shows the whole and asks where it goes. */
export async function askContract(ask: Prompts, talk: ContractTalk): Promise<number> {
  const { desk, given } = talk;
  const known: { -readonly [Key in keyof PartialWishes]: PartialWishes[Key] } = { ...given };
  const nextId = await desk.nextId();
  await refuseHopeless(talk, nextId);
  /** What admission says against one answer; everything that was not asked yet is filled with what always passes. */
  const fault = async <Wish extends keyof Wishes>(wish: Wish, value: Wishes[Wish]): Promise<string | undefined> => {
    const filled = { taskId: nextId, requirements: ['-'], allowed: ['**'], ...known, [wish]: value };
    const found = faultAt((await desk.look(desk.write(completeWishes(filled, talk.standard)))).faults, wish);
    return found === undefined ? undefined : faultInWords(found);
  };
  const list = async (
    wish: 'requirements' | 'criteria' | 'allowed' | 'forbidden' | 'sources',
    question: string,
    atLeastOne?: string,
  ): Promise<void> => {
    if (known[wish] !== undefined) return;
    const lines = await ask.lines(question, {
      check: (one, earlier) => fault(wish, [...earlier, one]),
      ...(atLeastOne === undefined ? {} : { atLeastOne }),
    });
    known[wish] = lines.length === 0 ? undefined : lines;
  };

  ask.say('Nothing is written before the last question; Esc leaves.');
  known.title ??= (await ask.text('What is it about?', { hint: 'a title; empty: none' })) || undefined;
  known.taskId ??= await ask.text('Task id', {
    standard: nextId,
    check: (id) => fault('taskId', id),
  });
  await list('requirements', 'What must hold afterwards?', 'a contract needs at least one requirement');
  await list('criteria', 'How can a judge tell that it is done?');
  if (known.allowed === undefined) {
    const folders = await desk.folders();
    if (folders.length > 0)
      ask.say(
        `Folders here: ${folders
          .slice(0, 16)
          .map((folder) => inOneTerminalLine(folder, 60))
          .join('  ')}`,
      );
  }
  await list(
    'allowed',
    'What may be changed? Files, folders ending in / or globs, from the root of the repository',
    'a contract names at least one path that may be changed',
  );
  await list('forbidden', 'What of that must not be changed?');
  known.target ??=
    (await ask.text('Which file is to be written?', {
      hint: 'empty: not one in particular',
      check: (path) => (path === '' ? undefined : fault('target', path)),
    })) || undefined;
  await list('sources', 'Which files is it made from? Their hashes are written into the contract');
  known.complexity ??= await askComplexity(ask);
  known.gates ??= await askGates(ask, talk, (gates) => fault('gates', gates));
  for (const [wish, question] of BUDGET) known[wish] ??= await askNumber(ask, question, (value) => fault(wish, value));
  return placeContract(ask, talk, completeWishes(known, talk.standard));
}

const BUDGET = [
  ['usd', 'The most it may cost, in US dollars?'],
  ['tokens', 'The most tokens it may take?'],
  ['minutes', 'The most minutes agents may work on it?'],
] as const;

/** A repository in which no task can be admitted, or a flag that is wrong already, is said before anything is asked. */
async function refuseHopeless({ desk, given, standard }: ContractTalk, nextId: string): Promise<void> {
  const filled = { taskId: nextId, requirements: ['-'], allowed: ['**'], ...saidIn(given) };
  const {
    faults: [first],
  } = await desk.look(desk.write(completeWishes(filled, standard)));
  if (first !== undefined)
    throw mistake(`${first.path}: ${faultInWords(first)}`, 'put that right first; nothing was written');
}

async function askComplexity(ask: Prompts): Promise<Wishes['complexity']> {
  const answer = await ask.choose('How hard is it? It sets the limits', [
    { value: 'none', label: 'not said', hint: '2 rebuttals, 5 reviews, no ceiling' },
    ...COMPLEXITIES.map((value) => {
      const { rebuttals, reviewCycles, usd } = COMPLEXITY_LIMITS[value];
      return { value, label: value, hint: `${rebuttals} rebuttals, ${reviewCycles} reviews, $${usd}` };
    }),
  ]);
  return answer === 'none' ? undefined : answer;
}

async function askGates(
  ask: Prompts,
  { place }: ContractTalk,
  fault: (gates: readonly WrittenGate[]) => Promise<string | undefined>,
): Promise<readonly WrittenGate[] | undefined> {
  const { gates: ofProject } = place.settings;
  if (ofProject.length > 0)
    ask.say(
      `These gates of the project run anyway: ${ofProject.map(({ name }) => inOneTerminalLine(name, 60)).join(', ')}`,
    );
  const parsed = (lines: readonly string[]): readonly WrittenGate[] => lines.flatMap((text) => gateFrom(text) ?? []);
  const lines = await ask.lines('A gate of this task alone, as name=command', {
    check: (text, earlier) =>
      gateFrom(text) === undefined ? 'expected name=command, such as test=npm test' : fault(parsed([...earlier, text])),
  });
  const gates: WrittenGate[] = [];
  for (const gate of parsed(lines)) {
    const before = await ask.choose(
      `Must ${inOneTerminalLine(gate.name, 60)} be red on the base, to prove something?`,
      [
        { value: 'no', label: 'no' },
        { value: 'yes', label: 'yes: red before, green after' },
      ],
    );
    gates.push(before === 'yes' ? { ...gate, must_fail_before: true } : gate);
  }
  return gates.length === 0 ? undefined : gates;
}

async function askNumber(
  ask: Prompts,
  question: string,
  fault: (value: number) => Promise<string | undefined>,
): Promise<number | undefined> {
  const text = await ask.text(question, {
    hint: 'empty: no ceiling of its own',
    check: (answer) => {
      if (answer === '') return undefined;
      return Number.isFinite(Number(answer)) ? fault(Number(answer)) : 'expected a number, or nothing';
    },
  });
  return text === '' ? undefined : Number(text);
}

async function placeContract(ask: Prompts, { invocation, place, desk }: ContractTalk, wishes: Wishes): Promise<number> {
  const text = desk.write(wishes);
  const { faults } = await desk.look(text);
  ask.show('The contract', forTerminal(text.trimEnd()));
  for (const fault of faults) ask.warn(`${fault.path}: ${faultInWords(fault)}`);
  const isBusy = desk.isBusy();
  const isFit = faults.length === 0;
  const answer = await ask.choose(isFit ? 'Where does it go?' : 'It would be refused as it is. Where does it go?', [
    ...(isFit && !isBusy && !flag(invocation.options, 'queue')
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
    line('Discarded; nothing was written.');
    return 1;
  }
  if (answer === 'save') {
    const file = await ask.text('Save it as', {
      standard: `${wishes.taskId}.json`,
      check: (name) => {
        if (name === '') return 'name a file';
        return existsSync(resolve(invocation.cwd, name)) ? `${name} is there already; name another file` : undefined;
      },
    });
    keepContract(resolve(invocation.cwd, file), text);
    line(`saved ${inOneTerminalLine(file)}; nothing was dropped`);
    return 0;
  }
  sentence(await dropped(place, dropContract(place, wishes.taskId, text, answer === 'queue'), false));
  return 0;
}
