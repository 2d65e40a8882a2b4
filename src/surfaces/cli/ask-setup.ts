import { toTerminalLine } from '../../base/plain-text.ts';
import { asWritten } from '../../contract/task-contract-normalise.ts';
import { formatImplementers } from '../../record/implementers.ts';
import { parseGate } from '../../contract/gate.ts';
import { checkValues, formatGate } from '../../setup/propose-config.ts';
import type { ConfigValues, NamedGate, InitContext } from '../../setup/propose-config.ts';
import type { Prompts } from './prompts.ts';

/** Shows what was found and asks at most three questions: the model, the gates, and whether to write. */
export async function askSetup(
  ask: Prompts,
  proposed: ConfigValues,
  given: ConfigValues,
  around: InitContext,
): Promise<ConfigValues | undefined> {
  if (around.found.length > 0) ask.say(`Found here: ${around.found.join(', ')}.`);
  else ask.say('No stack that andon knows was found here.');
  for (const note of around.notes) ask.warn(note);
  const roles = given.roles ?? proposed.roles ?? (await askModel(ask, around));
  const gates = given.gates ?? (await askGates(ask, proposed.gates ?? []));
  const values: ConfigValues = { ...proposed, roles, gates: gates.length === 0 ? undefined : gates };
  ask.show('What is decided', summary(values, around));
  const answer = await ask.choose('Write .andon/config.yaml and _handoff/?', [
    { value: 'write', label: 'Write them', hint: 'you can edit the file, or run `andon init --help` for the options' },
    { value: 'leave', label: 'Leave without writing anything' },
  ]);
  return answer === 'write' ? values : undefined;
}

/** Asks for the implementer where ollama has models, but none of the usual name; the reviewer is another of them. */
async function askModel(ask: Prompts, { models, standardModels }: InitContext): Promise<ConfigValues['roles']> {
  const [standard = ''] = standardModels.implementers;
  if (models.length === 0) {
    ask.say('ollama shows no models here (`ollama list`); the usual names are used.');
    return undefined;
  }
  const find = (name: string): string | undefined =>
    models.find((model) => model === name) ?? models.find((model) => model.startsWith(`${name}:`));
  const choices = [...models, standard].map((name) => ({
    value: name,
    label: toTerminalLine(name, 80),
    ...(models.includes(name) ? {} : { hint: `not here yet: ollama pull ${toTerminalLine(name, 60)}` }),
  }));
  const implementer = find(standard) ?? (await ask.choose('Which model writes the changes?', choices));
  const reviewer =
    find(standardModels.localReviewer) ?? models.find((name) => name !== implementer) ?? standardModels.localReviewer;
  const roles = {
    ...(implementer === standard ? {} : { implementer: asWritten([implementer]) }),
    ...(reviewer === standardModels.localReviewer ? {} : { local_reviewer: reviewer }),
  };
  return Object.keys(roles).length === 0 ? undefined : roles;
}

/** Takes the gates that were found, or those that are typed instead. */
async function askGates(ask: Prompts, proposed: readonly NamedGate[]): Promise<readonly NamedGate[]> {
  if (proposed.length > 0) {
    const shown = proposed.map((gate) => toTerminalLine(formatGate(gate), 200)).join('\n');
    ask.show('Gates: commands that must pass before a change is merged', shown);
    const answer = await ask.choose('Are these right?', [
      { value: 'take', label: 'Take them' },
      { value: 'type', label: 'Type others' },
    ]);
    if (answer === 'take') return proposed;
  }
  const lines = await ask.lines('A gate, as name=command (empty: only the reviewers decide)', { check: checkGate });
  return lines.flatMap((line) => parseGate(line) ?? []);
}

function checkGate(line: string, earlier: readonly string[]): string | undefined {
  const gate = parseGate(line);
  if (gate === undefined) return 'expected name=command, such as test=npm test';
  if (earlier.some((other) => parseGate(other)?.name === gate.name))
    return `there is a gate called ${gate.name} already`;
  return checkValues({ gates: [gate] });
}

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
