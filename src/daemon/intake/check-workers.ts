import { findNearestLine, formatJsonPath } from '../../base/fault.ts';
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
import type { Needs } from '../../wiring/services.ts';

/** A contract is admitted or refused at once; a slower answer is not waited for. */
const PATIENCE_MS = 700;
/** Names that a refusal lists. */
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
 * exist. Where its program does not answer, nothing is refused. A single model is looked up when it is called. A name that
 * is nearly a profile is a notice.
 */
export async function checkWorkers(
  services: OwnServices,
  contract: TaskContract,
  lineOf: JsonDocument['lineOf'],
): Promise<{ readonly faults: readonly Fault[]; readonly notices: readonly string[] }> {
  const named = listWorkers(services, contract);
  const isProfile = (one: NamedWorker): boolean =>
    findProfile(services.profiles, one.name).found !== undefined || isFaulty(services, one);
  const models = named.filter((one) => !isProfile(one));
  const implementers = named.filter(({ station }) => station === 'implementer');
  const listed = implementers.length > 1 ? models.filter((one) => implementers.includes(one)) : [];
  const agent = services.agents[WORKS_AT.implementer];
  const known = listed.length === 0 ? [] : await withDeadline(agent.models?.() ?? Promise.resolve([]), []);
  const isKnown = (name: string): boolean => {
    const standing = agent.localModels?.standingFor(name) ?? name;
    return known.length === 0 || known.includes(standing) || known.includes(`${standing}:latest`);
  };
  const faults = named.flatMap((one): readonly Fault[] => {
    const wrong = isProfile(one)
      ? whyUnable(services, one)
      : listed.includes(one) && !isKnown(one.name)
        ? describeUnknownModel(agent.id, one.name, known)
        : undefined;
    if (wrong === undefined) return [];
    const expected = `${wrong.expected}${one.isConfigured ? '; the name is that of .andon/config.yaml' : ''}`;
    const found = JSON.stringify(toTerminalLine(one.name, 60));
    const line = findNearestLine(lineOf, one.path);
    return [{ ...wrong, expected, found, path: formatJsonPath(one.path), line, kind: 'invalid' }];
  });
  const notices = models.flatMap(({ name, path, station }) => {
    const profile = findNearestWord(name, listAble(services, station));
    const place = formatJsonPath(path).slice('$.'.length);
    return profile === undefined
      ? []
      : [`${place} "${toTerminalLine(name, 60)}" is read as a model; there is a profile ${profile}`];
  });
  return { faults, notices };
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

function whyUnable(services: OwnServices, { station, name }: NamedWorker): Wrong | undefined {
  const why = explainNoWorker(services, name, station);
  if (why === undefined) return undefined;
  const able = listAble(services, station);
  const others = able.length === 0 ? '' : `; profiles that can work there: ${able.slice(0, SHOWN).join(', ')}`;
  return { expected: `${why}${others}`, example: JSON.stringify(able[0] ?? name) };
}

/** The profiles that can do the work of a station. */
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

function describeUnknownModel(program: string, name: string, known: readonly string[]): Wrong {
  const names = known.map((one) => one.replace(/:latest$/, ''));
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  const shown = `${toTerminalLine(names.slice(0, SHOWN).join(', '), 400)}${more}`;
  return {
    expected: `a model that ${program} has: ${shown}; pull it and save the file again, or name another`,
    example: JSON.stringify(findNearestWord(name, names) ?? names[0] ?? ''),
  };
}
