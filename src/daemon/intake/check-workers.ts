import { formatJsonPath, findNearestLine } from '../../base/fault.ts';
import type { Fault, JsonPath } from '../../base/fault.ts';
import type { JsonDocument } from '../../base/json.ts';
import { WORKS_AT } from '../../base/agents.ts';
import type { RoleStation } from '../../base/names.ts';
import { findNearestWord } from '../../base/nearest-word.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { findProfile } from '../../config/agent-profiles.ts';
import { withRoles } from '../../contract/task-contract-normalise.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { explainNoWorker } from '../calls/explain-no-worker.ts';
import type { Services } from '../../wiring/services.ts';

/** A contract is admitted or refused at once; a program that takes longer to answer is not waited for. */
const PATIENCE_MS = 700;
/** Names that a refusal lists. */
const SHOWN = 12;

/** A name that the contract, or the project for it, gives to who works at a station. */
interface Named {
  readonly station: RoleStation;
  readonly name: string;
  readonly path: JsonPath;
  readonly isConfigured: boolean;
}

type Agent = Services['agents'][string];

/** What belongs where a name stands that nobody answers to. */
type Wrong = Pick<Fault, 'expected' | 'example'>;

type Asked = Pick<Services, 'agents' | 'profiles' | 'settings'>;

/**
 * The names in the roles that nobody here answers to, so that it is not found out in the middle of the night: a profile
 * must be able to do the work, and what is nearly one was probably mistyped. Of a list of implementers the models too are
 * looked for; where their program does not answer, nothing is known and nothing refused. One model alone is no list: it
 * is looked for when it is called, and the line halts at once.
 */
export async function checkWorkers(
  services: Asked,
  contract: TaskContract,
  lineOf: JsonDocument['lineOf'],
): Promise<readonly Fault[]> {
  const named = namesIn(services, contract);
  const isProfile = ({ name }: Named): boolean => findProfile(services.profiles, name).found !== undefined;
  const models = named.filter((one) => !isProfile(one));
  const isList = named.filter(({ station }) => station === 'implementer').length > 1;
  const near = new Map(models.map((one) => [one, nearlyProfile(services, one)]));
  const asked = models.filter((one) => (isList && one.station === 'implementer') || near.get(one) !== undefined);
  const agent = services.agents[WORKS_AT.implementer];
  const known = asked.length === 0 ? [] : await inTime(agent.models?.() ?? Promise.resolve([]), []);
  const wrong = await Promise.all(
    named.map(async (one): Promise<Wrong | undefined> => {
      if (isProfile(one) || isFaulty(services, one)) return whyUnable(services, one);
      if (!asked.includes(one)) return undefined;
      const meant = near.get(one);
      if (known.length === 0 && meant === undefined) return undefined;
      const isThere = WORKS_AT[one.station] === agent.id && (await isKnown(agent, known, one.name));
      return isThere ? undefined : stranger(agent.id, one, known, meant);
    }),
  );
  return named.flatMap(({ name, path, isConfigured }, at): readonly Fault[] => {
    const why = wrong[at];
    if (why === undefined) return [];
    const expected = `${why.expected}${isConfigured ? '; the name is that of .andon/config.yaml' : ''}`;
    const found = JSON.stringify(toTerminalLine(name, 60));
    return [
      { ...why, expected, found, path: formatJsonPath(path), line: findNearestLine(lineOf, path), kind: 'invalid' },
    ];
  });
}

function namesIn({ settings }: Asked, contract: TaskContract): readonly Named[] {
  const {
    implementers,
    localReviewer,
    reviewers = [localReviewer],
    judge,
    judges = [judge],
  } = withRoles(contract, settings.roles).roles;
  const written = contract.roles.implementers;
  return [
    ...implementers.map((name, place): Named => ({
      station: 'implementer',
      name,
      path: ['roles', 'implementer', ...(written.length > 1 ? [place] : [])],
      isConfigured: written.length === 0,
    })),
    ...reviewers.map((name, place): Named => ({
      station: 'local-reviewer',
      name,
      path: ['roles', 'local_reviewer', ...(contract.roles.reviewers === undefined ? [] : [place])],
      isConfigured: contract.roles.localReviewer === '',
    })),
    ...judges.map((name, place): Named => ({
      station: 'judge',
      name,
      path: ['roles', 'judge', ...(contract.roles.judges === undefined ? [] : [place])],
      isConfigured: contract.roles.judge === '',
    })),
  ];
}

/** A profile that was meant but has a fault in it stands for nobody. */
const isFaulty = ({ profiles }: Asked, { name }: Named): boolean =>
  profiles.faults.some(
    ({ source, path }) =>
      source.name.replace(/\.ya?ml$/, '').endsWith(`/${name}`) || path.startsWith(formatJsonPath(['agents', name])),
  );

function whyUnable(services: Asked, { station, name }: Named): Wrong | undefined {
  const why = explainNoWorker(services, name, station);
  if (why === undefined) return undefined;
  const able = ableAt(services, station);
  const others = able.length === 0 ? '' : `; profiles that can work there: ${able.slice(0, SHOWN).join(', ')}`;
  return { expected: `${why}${others}`, example: JSON.stringify(able[0] ?? name) };
}

/** The profiles that can do the work of a station. */
const ableAt = (services: Asked, station: RoleStation): readonly string[] =>
  services.profiles.profiles.flatMap(({ name }) =>
    explainNoWorker(services, name, station) === undefined ? [name] : [],
  );

const nearlyProfile = (services: Asked, { name, station }: Named): string | undefined =>
  findNearestWord(name, ableAt(services, station));

/** What the list of models does not show may still be known by another name. */
async function isKnown(agent: Agent, known: readonly string[], name: string): Promise<boolean> {
  const standing = agent.localModels?.standingFor(name) ?? name;
  if (known.some((one) => [standing, `${standing}:latest`].includes(one))) return true;
  const window = known.length === 0 ? undefined : agent.localModels?.window(name, { load: false });
  if (window === undefined) return false;
  const isThere = window.then((found) => found.ok || !found.why.why.includes('has no model'));
  return await inTime(isThere, true);
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
  { name, station }: Named,
  known: readonly string[],
  meant: string | undefined,
): Wrong {
  const profile = meant === undefined ? '' : `the profile ${meant} (andon agents list), or `;
  if (WORKS_AT[station] !== program)
    return { expected: `${profile}another model`, example: JSON.stringify(meant ?? '') };
  const names = known.map((one) => one.replace(/:latest$/, ''));
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  const there =
    names.length === 0
      ? `a model that ${program} has, which shows none`
      : `a model that ${program} has: ${toTerminalLine(names.slice(0, SHOWN).join(', '), 400)}${more}`;
  return {
    expected: `${profile}${there}; pull it and save the file again, or name another`,
    example: JSON.stringify(meant ?? findNearestWord(name, names) ?? names[0] ?? ''),
  };
}
