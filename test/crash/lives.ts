import { aContract } from '../support/contract.ts';
import type { Factory, Options } from '../support/factory.ts';
import { choose } from '../support/answers.ts';
import { aNote, aside, decisionOn, notesOf } from '../support/parked.ts';
import { write } from '../support/versions.ts';

/** A command that is under way. */
export type Acting = ReturnType<Factory['start']>;

/** Something that is true one day, and what you do until it is; it is done again as often as andon dies over it. */
export interface Goal {
  readonly name: string;
  readonly isReached: (factory: Factory) => unknown;
  /** A command of yours, or an edit. */
  readonly act?: (factory: Factory) => Acting | undefined;
  /** The command works alone, without a daemon. */
  readonly alone?: boolean;
}

/** One life of a task, from the contract to its end. */
export interface Life {
  readonly name: string;
  readonly options: Options;
  readonly contract: object;
  /** What the checkout is like before. */
  readonly before?: (factory: Factory) => void;
  readonly goals: readonly Goal[];
}

const mainHas = (factory: Factory, path: string): boolean =>
  factory.git('ls-tree', '-r', '--name-only', 'main').split('\n').includes(path);

const FINAL_PATH = 'docs/auth_final.md';
const merged: Goal = { name: 'merged and archived', isReached: (factory) => factory.isMerged() };
const halted: Goal = { name: 'halted, with both papers', isReached: (factory) => factory.isHalted() };
const isResumed = (factory: Factory): boolean =>
  factory.isMerged() || (!factory.isHalted() && factory.face() !== undefined && factory.face() !== 'erik_consultation');
const resumed = (alone: boolean): Goal => ({
  name: `resumed by the command${alone ? ' without a daemon' : ''}`,
  isReached: isResumed,
  act: (factory) => factory.start(['resume', 'DOC-001', '--path', '1']),
  alone,
});
const decided: Goal = {
  name: 'resumed by DECISION.json',
  isReached: isResumed,
  act(factory) {
    if (factory.isHalted() && factory.paper('ERIK_HALT.md') !== undefined) choose(factory, 1);
    return undefined;
  },
};
const undone = (alone: boolean): Goal => ({
  name: `undone${alone ? ' without a daemon' : ''}`,
  isReached: async (factory) =>
    !mainHas(factory, FINAL_PATH) && (await factory.show('DOC-001')).story.some(({ text }) => text.includes('undone')),
  act: (factory) => factory.start(['undo', 'DOC-001']),
  alone,
});
const pause = (to: 'pause' | 'unpause', alone: boolean): Goal => ({
  name: `${to}d${alone ? ' without a daemon' : ''}`,
  isReached: async (factory) => ((await factory.status()).paused !== null) === (to === 'pause'),
  act: (factory) => factory.start([to]),
  alone,
});

/** Edits of every kind that git knows, none of them in the way. */
function dirty(factory: Factory): void {
  factory.write('README.md', '# Project A\n\nfor the stash\n');
  factory.git('stash', '--quiet');
  factory.write('README.md', '# Project A\n\nunstaged\n');
  factory.write('staged.txt', 'staged\n');
  factory.git('add', 'staged.txt');
  factory.write('untracked.txt', 'untracked\n');
  factory.write('.env', 'ignored\n');
}

function elsewhere(factory: Factory): void {
  factory.git('switch', '--quiet', '--create', 'mine');
  dirty(factory);
}

const TOO_LONG = aContract({ 'constraints.max_diff_size': 3 });
/** Green on the base, red on the first version of the document, green on the second. */
const GATE = {
  gates: [
    {
      name: 'second',
      run: "test ! -f docs/auth_final.md || grep -q 'Version 2' docs/auth_final.md || { echo 'Make it a better one'; exit 1; }",
    },
  ],
};
const learns = [{ ...write(2), when: { model: 'qwen2.5-coder', includes: ['Make it a better one'] } }, write(1)];

/** Every protocol in few lives: admission, attempts, gates, merge on and off the checkout, halt, resume, undo, pause, archive. */
export const LIVES: readonly Life[] = [
  {
    name: 'merged into the branch that is checked out, gated, at the second attempt',
    options: { projectConfig: GATE, scenario: { implementer: learns } },
    contract: aContract(),
    before: dirty,
    goals: [merged],
  },
  {
    name: 'halted, resumed by DECISION.json, merged beside the checkout, undone',
    options: { projectConfig: { target: 'main' } },
    contract: TOO_LONG,
    before: elsewhere,
    goals: [pause('pause', false), pause('unpause', false), halted, decided, merged, undone(false)],
  },
  {
    name: 'halted, resumed and undone by commands alone',
    options: {},
    contract: TOO_LONG,
    before: dirty,
    goals: [halted, resumed(true), merged, undone(true), pause('pause', true), pause('unpause', true)],
  },
];

const isDropped = (factory: Factory, id: string): boolean =>
  factory.has(`_handoff/queue/${id}.json`) ||
  factory.paper(aside(id, 'TASK_CONTRACT.json.lock')) !== undefined ||
  factory.archivedAs(id) !== undefined ||
  (factory.paper('TASK_CONTRACT.json') ?? factory.paper('TASK_CONTRACT.json.lock'))?.includes(`"${id}"`) === true;
const drops = (id: string, contract: object) => (factory: Factory) => {
  if (!isDropped(factory, id)) factory.drop(contract, `queue/${id}.json`);
  return undefined;
};
const isAside = (factory: Factory, id: string): boolean =>
  factory.paper(aside(id, 'TASK_CONTRACT.json.lock')) !== undefined &&
  factory.paper(aside(id, 'ERIK_HALT.md')) !== undefined;
const parked = (id: string, changes: Readonly<Record<string, unknown>> = {}): Goal => ({
  name: `${id} parked`,
  isReached: (factory) => isAside(factory, id),
  act: drops(id, aNote(id, changes)),
});
const noteMerged = (id: string, act?: Goal['act']): Goal => ({
  name: `${id} merged`,
  isReached: (factory) => factory.isMerged(id),
  ...(act === undefined ? {} : { act }),
});

/** The lives of several tasks: two are parked while others run, and are answered while another one runs. */
export const LIVES_OF_SEVERAL: readonly Life[] = [
  {
    name: 'parked with another one, while a third is merged; both are answered then, the second one first',
    options: {
      scenario: notesOf(['DOC-002', 'DOC-003']),
      files: { 'notes/DOC-002/README.md': '# 2\n', 'notes/DOC-003/README.md': '# 3\n' },
    },
    contract: TOO_LONG,
    before: dirty,
    goals: [
      halted,
      parked('DOC-002', { 'constraints.max_diff_size': 2 }),
      noteMerged('DOC-003', drops('DOC-003', aNote('DOC-003'))),
      noteMerged('DOC-002', (factory) => {
        const report = aside('DOC-002', 'ERIK_HALT.md');
        if (factory.paper(report) !== undefined) factory.drop(decisionOn(factory, report, 1), 'DECISION.json');
        return undefined;
      }),
      noteMerged('DOC-001', (factory) => factory.start(['resume', 'DOC-001', '--path', '1'])),
    ],
  },
];
