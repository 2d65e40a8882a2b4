import { jsonPath, nearestLine } from '../../base/fault.ts';
import type { Fault, JsonPath } from '../../base/fault.ts';
import type { JsonDocument } from '../../base/json.ts';
import { WORKS_AT } from '../../base/agents.ts';
import { nearestWord } from '../../base/nearest-word.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import { withRoles } from '../../contract/task-contract-normalise.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import type { Services } from '../wiring/services.ts';

type Agent = Services['agents'][(typeof WORKS_AT)['implementer']];

/** A contract is admitted or refused at once; a program that takes longer to answer is not waited for. */
const PATIENCE_MS = 700;
/** Models that a refusal lists. */
const SHOWN = 12;

/**
 * The names of a list of implementers that nobody here answers to, so that it is not found out in the middle of the
 * night. Where their program does not answer, nothing is known and nothing refused. One name alone is no list: it is
 * looked for when it is called, and the line halts at once.
 */
export async function implementerFaults(
  { agents, settings }: Pick<Services, 'agents' | 'settings'>,
  contract: TaskContract,
  lineOf: JsonDocument['lineOf'],
): Promise<readonly Fault[]> {
  const { implementers } = withRoles(contract, settings.roles).roles;
  if (implementers.length < 2) return [];
  const agent = agents[WORKS_AT.implementer];
  const known = await inTime(agent.models?.() ?? Promise.resolve([]), []);
  if (known.length === 0) return [];
  const there = await Promise.all(implementers.map((name) => isThere(agent, known, name)));
  const isConfigured = contract.roles.implementers.length === 0;
  const where = (place: number): JsonPath => ['roles', 'implementer', ...(isConfigured ? [] : [place])];
  return implementers.flatMap((name, place) =>
    there[place] === true
      ? []
      : [
          {
            ...stranger(agent.id, name, known, isConfigured),
            path: jsonPath(where(place)),
            line: nearestLine(lineOf, where(place)),
          },
        ],
  );
}

/** What the list of models does not show may still be known by another name. */
async function isThere(agent: Agent, known: readonly string[], name: string): Promise<boolean> {
  const standing = agent.localModels?.standingFor(name) ?? name;
  if (known.some((one) => [standing, `${standing}:latest`].includes(one))) return true;
  const window = agent.localModels?.window(name, { load: false });
  if (window === undefined) return false;
  const isKnown = window.then((found) => found.ok || !found.why.why.includes('has no model'));
  return await inTime(isKnown, true);
}

async function inTime<Value>(asked: Promise<Value>, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), PATIENCE_MS);
  });
  return await Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

function stranger(
  program: string,
  name: string,
  known: readonly string[],
  isConfigured: boolean,
): Omit<Fault, 'path' | 'line'> {
  const names = known.map((one) => one.replace(/:latest$/, ''));
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return {
    found: JSON.stringify(inOneTerminalLine(name, 60)),
    expected: `a model that ${program} has: ${inOneTerminalLine(names.slice(0, SHOWN).join(', '), 400)}${more}; pull it and save the file again, or name another${isConfigured ? '; the list is that of .andon/config.yaml' : ''}`,
    example: JSON.stringify(nearestWord(name, names) ?? names[0] ?? ''),
    kind: 'invalid',
  };
}
