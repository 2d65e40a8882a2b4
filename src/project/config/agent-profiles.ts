import { z } from 'zod';
import { formatJsonPath } from '../../base/fault.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { lazy } from '../../base/lazy.ts';
import { optionalKey } from '../../base/optional.ts';
import { variableValue } from '../contract/read-task-metadata.ts';
import { VARIABLE_NAME, type RuleFault, faultAt } from './rule-fault.ts';
import { AGENT_ROLES, MODES, type AgentRole } from './config-words.ts';
import { checkConfig, parseConfig, type ConfigFile } from './config-file.ts';
import { readRuleboundAgents, type ProfileDraft } from './rulebound-config.ts';

/** An agent profile in a repository: its point of view, its rules, and how strictly they are enforced. */
export type AgentProfile = Readonly<ReturnType<typeof profileOf>>;

/** The profiles of a project in the order of their files, and all faults. */
export interface AgentProfiles {
  readonly profiles: readonly AgentProfile[];
  readonly faults: readonly RuleFault[];
}

/**
 * Reads `.andon/agents/<name>.yaml`, one profile a file, and all those of `.rulebound/agents.json`. A file with a fault
 * gives none.
 */
export function readAgentProfiles(own: readonly ConfigFile[], rulebound: ConfigFile): AgentProfiles {
  const foreign = readRuleboundAgents(rulebound);
  const read = [
    ...own.map(readOwn),
    { profiles: [], faults: foreign.faults },
    ...foreign.profiles.map((draft) => checkProfile(rulebound.name, draft)),
  ];
  const profiles = read.flatMap((one) => one.profiles);
  const twice = profiles.flatMap(({ name, file }, at) => {
    const first = profiles.slice(0, at).find((other) => other.name === name);
    return first === undefined
      ? []
      : [faultAt(file, undefined, [], `${name} is defined in ${first.file} already`, 'keep one of them')];
  });
  return { profiles, faults: [...read.flatMap(({ faults }) => faults), ...twice] };
}

/** Why a text is no name of a profile; undefined when it is one. */
export const checkProfileName = (name: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? undefined
    : 'expected letters, digits, `.`, `_` and `-`, the first of them a letter or a digit, 64 at most';

export function findProfile(
  { profiles }: AgentProfiles,
  name: string,
): { readonly found: AgentProfile | undefined; readonly meant: string | undefined } {
  const found = profiles.find((one) => one.name === name);
  const names = profiles.map((one) => one.name);
  return { found, meant: found === undefined ? findNearestWord(name, names) : undefined };
}

/** Minutes of a week. */
const WEEK = 7 * 24 * 60;

const schema = lazy(() =>
  z.strictObject({
    roles: optionalKey(
      z.array(z.enum(AGENT_ROLES)),
      'From whose point of view it looks; the first of these that a disagreement has decides it.',
    ),
    rules: optionalKey(
      z.array(z.string().min(1).max(200)).min(1).max(200),
      '`all` (the default), ids of rules, or globs over ids and categories, such as `security/*`.',
    ),
    enforcement: optionalKey(z.enum(MODES), "How hard; default: the project's."),
    driver: optionalKey(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected the name of a driver, such as codex'),
      "Who does its work: a driver that andon brings along, or one of the user's own.",
    ),
    model: optionalKey(
      z.string().regex(/^[^-\s][^\s]{0,199}$/, 'expected the name of a model: no spaces, no dash in front'),
      'The model that is asked.',
    ),
    edits: optionalKey(
      z.boolean(),
      'true: as an implementer it works on a copy of the files itself, in the cage, instead of answering in text. Default: false.',
    ),
    limits: optionalKey(
      z.strictObject({
        idle_minutes: optionalKey(z.number().positive().max(WEEK), 'Of silence before a call is a stall.'),
        hard_minutes: optionalKey(z.number().positive().max(WEEK), 'Of one call, however lively it is.'),
      }),
      "What one call may take; it lowers the contract's limits and never raises them.",
    ),
    vars: optionalKey(
      z.record(
        z.string().regex(VARIABLE_NAME, 'expected the name of a variable: letters, digits and `_`'),
        variableValue(),
      ),
      'Variables for the expressions of rules, which believe them before anybody else, such as tier.',
    ),
  }),
);

function readOwn(file: ConfigFile): AgentProfiles {
  const name = file.name.replace(/^.*\//, '').replace(/\.ya?ml$/, '');
  const faults: string[] = [];
  const bad = checkProfileName(name);
  if (bad !== undefined) faults.push(`the name of a profile is that of its file; ${bad}`);
  const written = parseConfig(file, faults);
  const parsed = checkConfig(schema, written, file.name, faults);
  if (faults.length > 0 || parsed === undefined)
    return {
      profiles: [],
      faults: faults.map((why) => profileFault(file.name, '$', why.replace(`${file.name}: `, ''))),
    };
  return { profiles: [profileOf(name, parsed, file.name)], faults: [] };
}

/** A profile of another file; a fault in one leaves the others as they are. */
function checkProfile(file: string, { name, value, path, lineOf }: ProfileDraft): AgentProfiles {
  const bad = checkProfileName(name);
  if (bad !== undefined) return { profiles: [], faults: [profileFault(file, formatJsonPath(path), bad, lineOf(path))] };
  const parsed = schema().safeParse(value);
  if (parsed.success) return { profiles: [profileOf(name, parsed.data, file)], faults: [] };
  const faults = parsed.error.issues.map((issue) => {
    const steps = [...path, ...issue.path.filter((step) => typeof step !== 'symbol')];
    return profileFault(file, formatJsonPath(steps), issue.message, lineOf(steps));
  });
  return { profiles: [], faults };
}

const profileOf = (name: string, written: z.infer<ReturnType<typeof schema>>, file: string) => ({
  name,
  roles: AGENT_ROLES.filter((role) => written.roles?.includes(role) === true) as readonly AgentRole[],
  /** `all`, ids of rules, and globs over them (`security/*`). */
  rules: (written.rules ?? ['all']) as readonly string[],
  /** Undefined: as the project. */
  enforcement: written.enforcement,
  /** Without one the profile only selects rules. */
  driver: written.driver,
  /** Undefined: the user's model for the driver. */
  model: written.model,
  /** As an implementer it edits files instead of answering in text. */
  edits: written.edits === true,
  /** Of its calls; a contract's own limits apply as well. */
  limits: { idleMinutes: written.limits?.idle_minutes, hardMinutes: written.limits?.hard_minutes },
  /** Facts about the agent or its user, by the names that expressions of rules use. */
  vars: (written.vars ?? {}) as Readonly<Record<string, unknown>>,
  file,
});

/** A profile never names a program: otherwise a repository could run anything on the machine of its user. */
const OF_THE_USER = /"(?:program|command|args|argv|env|url|base_url|baseUrl|api_key|apiKey)"/;

const profileFault = (name: string, path: string, message: string, line?: number): RuleFault => ({
  source: { name, ...(line === undefined ? {} : { line }) },
  path,
  message,
  remedy: OF_THE_USER.test(message)
    ? 'set programs, arguments, addresses and keys in your own configuration (`agents:`), never in a repository'
    : 'correct it, or remove the key; a profile has roles, rules, enforcement, driver, model, edits, limits and vars',
});
