import { toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import { parseGate } from '../../contract/gate.ts';
import { renderConfigPage } from '../../config/config-page.ts';
import {
  chooseRoles,
  demandGates,
  formatGate,
  listImplementers,
  type ConfigValues,
  type InitContext,
} from '../../setup/propose-config.ts';
import type { Prompts } from './prompts.ts';

/** Asks what the project's files leave open, at most three questions; returns what to write, or undefined. */
export async function askSetup(
  ask: Prompts,
  proposed: ConfigValues,
  given: ConfigValues,
  around: InitContext,
): Promise<ConfigValues | undefined> {
  const { found, notes } = around;
  ask.say(found.length > 0 ? `Found here: ${found.join(', ')}.` : 'No stack that andon knows was found here.');
  for (const note of notes) ask.warn(note);
  const roles = given.roles ?? (await askRoles(ask, proposed.roles, around));
  const gates = given.gates ?? (await askGates(ask, proposed.gates ?? []));
  const values = demandGates({ ...proposed, roles, gates: gates.length === 0 ? undefined : gates });
  ask.show('.andon/config.yaml', toTerminal(renderConfigPage(values)).trimEnd());
  const answer = await ask.choose('Write it, and _handoff/?', [
    { value: 'write', label: 'Write' },
    { value: 'leave', label: 'Leave without writing anything' },
  ]);
  return answer === 'write' ? values : undefined;
}

async function askRoles(
  ask: Prompts,
  earlier: ConfigValues['roles'],
  around: InitContext,
): Promise<ConfigValues['roles']> {
  const names = listImplementers(around);
  if (earlier !== undefined || names.length < 2) return earlier ?? chooseRoles(around);
  const usual = chooseRoles(around)?.implementer ?? around.standard.implementer;
  const answer = await ask.choose(
    'Which agent implements?',
    names.map((name) => ({ value: name, label: toTerminalLine(name, 80) })),
    [usual].flat()[0],
  );
  return chooseRoles(around, answer);
}

async function askGates(
  ask: Prompts,
  proposed: NonNullable<ConfigValues['gates']>,
): Promise<NonNullable<ConfigValues['gates']>> {
  if (proposed.length === 0) {
    const check = (line: string): string | undefined =>
      line === '' || parseGate(line) !== undefined ? undefined : 'expected name=command, such as test=npm test';
    const line = await ask.text('Which command must pass? As name=command', {
      hint: 'test=npm test; empty: only the reviewers decide',
      check,
    });
    const gate = parseGate(line);
    return gate === undefined ? [] : [gate];
  }
  const choices = proposed.map((gate) => ({ value: gate.name, label: toTerminalLine(formatGate(gate), 100) }));
  const chosen = await ask.chooseSeveral('Which gates run on every change? (Space selects)', choices);
  return proposed.filter(({ name }) => chosen.includes(name));
}
