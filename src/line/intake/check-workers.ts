import { listNames } from '../../base/list-names.ts';
import { findNearestLine, formatJsonPath, type Fault, type JsonPath } from '../../base/fault.ts';
import type { JsonDocument } from '../../base/read-json.ts';
import { WORKS_AT } from '../../base/agent-ids.ts';
import type { RoleStation } from '../../base/names.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { findProfile } from '../../project/config/agent-profiles.ts';
import { withRoles, type TaskContract } from '../../project/contract/task-contract.ts';
import { explainNoWorker } from '../../agents/calls/explain-no-worker.ts';
import type { Needs } from '../services/services.ts';

/** A contract is admitted or refused at once; a slower answer is not waited for. */
const PATIENCE_MS = 700;
const SHOWN = 12;

/** The name of a worker at a station, from the contract or the configuration. */
interface NamedWorker {
  readonly station: RoleStation;
  readonly name: string;
  readonly path: JsonPath;
  readonly isConfigured: boolean;
}

type Wrong = Pick<Fault, 'expected' | 'example'>;
type OwnServices = Needs<'agents' | 'profiles' | 'settings'>;

/**
 * Checks the names in the roles: a profile must be able to do the work, and every model in a list of implementers must
 * exist, where its program answers. A name that is nearly a profile was probably mistyped, unless a model has it. A
 * single model is looked up when it is called.
 */
export async function checkWorkers(
  services: OwnServices,
  contract: TaskContract,
  lineOf: JsonDocument['lineOf'],
): Promise<readonly Fault[]> {
  const named = listWorkers(services, contract);
  const isProfile = (one: NamedWorker): boolean =>
    findProfile(services.profiles, one.name).found !== undefined || isFaulty(services, one);
  const models = named.filter((one) => !isProfile(one));
  const implementers = named.filter(({ station }) => station === 'implementer');
  const near = new Map(models.map((one) => [one, findNearestWord(one.name, listAble(services, one.station))]));
  const isChecked = (one: NamedWorker): boolean =>
    near.get(one) !== undefined || (implementers.length > 1 && implementers.includes(one));
  const checked = models.filter(isChecked);
  const agent = services.agents[WORKS_AT.implementer];
  const known = checked.length === 0 ? [] : await withDeadline(agent.models?.() ?? Promise.resolve([]), []);
  const isModel = ({ station, name }: NamedWorker): boolean => {
    const standing = agent.localModels?.standingFor(name) ?? name;
    return WORKS_AT[station] === agent.id && [standing, `${standing}:latest`].some((one) => known.includes(one));
  };
  return named.flatMap((one): readonly Fault[] => {
    const profile = near.get(one);
    const isWrongModel = checked.includes(one) && !isModel(one) && (known.length > 0 || profile !== undefined);
    const wrong = isProfile(one)
      ? explainUnable(services, one)
      : isWrongModel
        ? describeUnknownModel(WORKS_AT[one.station] === agent.id ? agent.id : undefined, one.name, known, profile)
        : undefined;
    if (wrong === undefined) return [];
    const expected = `${wrong.expected}${one.isConfigured ? '; the name is that of .andon/config.yaml' : ''}`;
    const found = JSON.stringify(toTerminalLine(one.name, 60));
    const line = findNearestLine(lineOf, one.path);
    return [{ ...wrong, expected, found, path: formatJsonPath(one.path), line, kind: 'invalid' }];
  });
}

function listWorkers({ settings }: OwnServices, contract: TaskContract): readonly NamedWorker[] {
  const {
    implementers,
    localReviewer,
    reviewers = [localReviewer],
    judge,
    judges = [judge],
  } = withRoles(contract, settings.roles).roles;
  const { roles } = contract;
  const list = (station: RoleStation, key: string, names: readonly string[], isList: boolean, isConfigured: boolean) =>
    names.map((name, at) => ({ station, name, path: ['roles', key, ...(isList ? [at] : [])], isConfigured }));
  return [
    ...list('implementer', 'implementer', implementers, roles.implementers.length > 1, roles.implementers.length === 0),
    ...list('local-reviewer', 'local_reviewer', reviewers, roles.reviewers !== undefined, roles.localReviewer === ''),
    ...list('judge', 'judge', judges, roles.judges !== undefined, roles.judge === ''),
  ];
}

/** Whether the profile of this name has a fault: then it works nowhere. */
const isFaulty = ({ profiles }: OwnServices, { name }: NamedWorker): boolean =>
  profiles.faults.some(
    ({ source, path }) =>
      source.name.replace(/\.ya?ml$/, '').endsWith(`/${name}`) || path.startsWith(formatJsonPath(['agents', name])),
  );

function explainUnable(services: OwnServices, { station, name }: NamedWorker): Wrong | undefined {
  const why = explainNoWorker(services, name, station);
  if (why === undefined) return undefined;
  const able = listAble(services, station);
  const others = able.length === 0 ? '' : `; profiles that can work there: ${able.slice(0, SHOWN).join(', ')}`;
  return { expected: `${why}${others}`, example: JSON.stringify(able[0] ?? name) };
}

const listAble = (services: OwnServices, station: RoleStation): readonly string[] =>
  services.profiles.profiles.flatMap(({ name }) =>
    explainNoWorker(services, name, station) === undefined ? [name] : [],
  );

async function withDeadline<Value>(answer: Promise<Value>, otherwise: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), PATIENCE_MS);
  });
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** A name that is no known model: the profile that was probably meant, and the models that there are. */
function describeUnknownModel(
  program: string | undefined,
  name: string,
  known: readonly string[],
  profile: string | undefined,
): Wrong {
  const meant = profile === undefined ? '' : `the profile ${profile} (andon agents list), or `;
  if (program === undefined || known.length === 0)
    return { expected: `${meant}another model`, example: JSON.stringify(profile ?? '') };
  const names = known.map((one) => one.replace(/:latest$/, ''));
  const shown = toTerminalLine(listNames(names, SHOWN), 400);
  return {
    expected: `${meant}a model that ${program} has: ${shown}; pull it and try again, or name another`,
    example: JSON.stringify(profile ?? findNearestWord(name, names) ?? names[0] ?? ''),
  };
}
