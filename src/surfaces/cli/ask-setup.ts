import { toTerminalLine } from '../../base/plain-text.ts';
import { asWritten } from '../../contract/task-contract-normalise.ts';
import { formatImplementers } from '../../record/implementers.ts';
import { parseGate } from '../../contract/gate.ts';
import { checkValues, formatGate } from '../../setup/propose-config.ts';
import type { ConfigValues, NamedGate, InitContext } from '../../setup/propose-config.ts';
import type { Prompts } from './prompts.ts';

/** Goes through what was found in the project, one thing at a time; gives back what is to be written, or undefined. */
export async function askSetup(
  ask: Prompts,
  proposed: ConfigValues,
  given: ConfigValues,
  around: InitContext,
): Promise<ConfigValues | undefined> {
  if (around.found.length > 0)
    ask.say(`Found here: ${around.found.join(', ')}. Nothing is written before the last question.`);
  else ask.say('No stack that andon knows was found here. Nothing is written before the last question.');
  for (const note of around.notes) ask.warn(note);
  const target = given.target ?? (await askTarget(ask, proposed.target, around));
  const setup =
    given.setup ?? (await askEach(ask, WORDS.setup, proposed.setup ?? [], (line) => checkValues({ setup: [line] })));
  const share =
    given.share ?? (await askEach(ask, WORDS.share, proposed.share ?? [], (path) => checkValues({ share: [path] })));
  const gates = given.gates ?? (await askGates(ask, proposed.gates ?? []));
  const roles = given.roles ?? (await askModels(ask, proposed.roles, around));
  const values: ConfigValues = {
    ...proposed,
    target: target === '' ? undefined : target,
    setup: setup.length === 0 ? undefined : setup,
    share: share.length === 0 ? undefined : share,
    gates: gates.length === 0 ? undefined : gates,
    roles,
  };
  ask.show('What is decided', summary(values, around));
  const answer = await ask.choose('Write .andon/config.yaml and _handoff/?', [
    { value: 'write', label: 'Write them' },
    { value: 'leave', label: 'Leave without writing anything' },
  ]);
  return answer === 'write' ? values : undefined;
}

const WORDS = {
  setup: { one: 'Prepare the project with', more: 'A command that prepares the project, such as `npm ci`' },
  share: { one: 'Show to the gates, read-only', more: 'A folder that gates may read and git does not track' },
  gate: { one: 'Gate', more: 'A gate, as name=command' },
} as const;

function askTarget(
  ask: Prompts,
  proposed: string | undefined,
  { standardTarget, isBranch }: InitContext,
): Promise<string> {
  return ask.text('Which branch do finished tasks go into?', {
    initial: proposed ?? '',
    hint: `empty: ${standardTarget}`,
    check: (name) => (name === '' ? undefined : isBranch(name)),
  });
}

/** Take, edit or leave out each proposal, then add others. */
async function askEach(
  ask: Prompts,
  words: { readonly one: string; readonly more: string },
  proposed: readonly string[],
  fault: (line: string, taken: readonly string[]) => string | undefined,
): Promise<readonly string[]> {
  const taken: string[] = [];
  const check = (line: string): string | undefined =>
    line === '' ? 'write something, or press Esc to leave' : fault(line, taken);
  for (const one of proposed) {
    const shown = toTerminalLine(one);
    const answer = await ask.choose(`${words.one}: ${shown}`, [
      { value: 'take', label: 'Take it' },
      { value: 'edit', label: 'Edit it' },
      { value: 'drop', label: 'Leave it out' },
    ]);
    if (answer === 'take') taken.push(one);
    if (answer === 'edit') taken.push(await ask.text(words.one, { initial: toTerminalLine(one, 5000), check }));
  }
  const more = await ask.lines(
    `${words.more}${proposed.length > 0 ? ' (another, or empty to go on)' : ' (or empty to go on)'}`,
    {
      check: (line, earlier) => fault(line, [...taken, ...earlier]),
    },
  );
  return [...taken, ...more];
}

async function askGates(ask: Prompts, proposed: readonly NamedGate[]): Promise<readonly NamedGate[]> {
  const more = new Map(proposed.map((gate) => [formatGate(gate), gate]));
  const lines = await askEach(ask, WORDS.gate, [...more.keys()], (line, taken) => {
    const gate = parseGate(line);
    if (gate === undefined) return 'expected name=command, such as test=npm test';
    if (taken.some((other) => parseGate(other)?.name === gate.name))
      return `there is a gate called ${gate.name} already`;
    return checkValues({ gates: [gate] });
  });
  return lines.flatMap((line) => more.get(line) ?? parseGate(line) ?? []);
}

async function askModels(
  ask: Prompts,
  proposed: ConfigValues['roles'],
  around: InitContext,
): Promise<ConfigValues['roles']> {
  if (around.models.length === 0)
    ask.say('ollama shows no models here (`ollama list`); the names go into your contracts all the same.');
  const [standard = ''] = around.standardModels.implementers;
  const [first, ...others] = [proposed?.implementer ?? []].flat();
  const answer = await askModel(
    ask,
    others.length === 0 ? 'Which model writes the changes?' : 'Which model writes the changes first?',
    first,
    standard,
    around,
  );
  const implementers = [answer, ...others.filter((name) => name !== answer)];
  const reviewer = await askModel(
    ask,
    'Which model reviews them first?',
    proposed?.local_reviewer,
    around.standardModels.localReviewer,
    around,
  );
  const roles = {
    ...(implementers.length === 1 && answer === standard ? {} : { implementer: asWritten(implementers) }),
    ...(reviewer === around.standardModels.localReviewer ? {} : { local_reviewer: reviewer }),
  };
  return Object.keys(roles).length === 0 ? undefined : roles;
}

async function askModel(
  ask: Prompts,
  question: string,
  proposed: string | undefined,
  standard: string,
  { models }: InitContext,
): Promise<string> {
  const wish =
    proposed ??
    models.find((name) => name === standard) ??
    models.find((name) => name.startsWith(`${standard}:`)) ??
    standard;
  if (models.length > 0) {
    const names = models.includes(wish) ? models : [wish, ...models];
    const choices = names.map((name) => ({
      value: name,
      label: toTerminalLine(name, 80),
      ...(models.includes(name) ? {} : { hint: `not here yet: ollama pull ${toTerminalLine(name, 60)}` }),
    }));
    const answer = await ask.choose(question, [...choices, { value: OTHER, label: 'another one' }], wish);
    if (answer !== OTHER) return answer;
  }
  return ask.text(question, {
    initial: wish,
    check: (name) => (name === '' ? 'name a model' : checkValues({ roles: { implementer: name } })),
  });
}

/** No model can be called that. */
const OTHER = '-';

function summary({ target, setup = [], share = [], gates = [], roles }: ConfigValues, around: InitContext): string {
  const rows: [string, string][] = [
    ['target', target ?? around.standardTarget],
    ...setup.map((line): [string, string] => ['setup', line]),
    ...share.map((path): [string, string] => ['share', path]),
    ...(gates.length === 0 ? [['gates', 'none: only the reviewers decide'] satisfies [string, string]] : []),
    ...gates.map((gate): [string, string] => ['gate', formatGate(gate)]),
    ['implementer', formatImplementers([roles?.implementer ?? around.standardModels.implementers].flat())],
    ['reviewer', roles?.local_reviewer ?? around.standardModels.localReviewer],
  ];
  return rows.map(([name, value]) => `${name.padEnd(12)} ${toTerminalLine(value, 100)}`).join('\n');
}
