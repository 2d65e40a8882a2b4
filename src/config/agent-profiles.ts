import { z } from 'zod';
import { jsonPath } from '../base/fault.ts';
import { readJson } from '../base/json.ts';
import { nearestWord } from '../base/nearest-word.ts';
import { once } from '../base/once.ts';
import { optional } from './optional.ts';
import { VARIABLE_NAME } from '../rule-model/rule.ts';
import type { RuleFault } from '../rule-model/rule.ts';
import { AGENT_ROLES, MODES } from '../rule-model/rule-words.ts';
import type { AgentRole, Mode } from '../rule-model/rule-words.ts';
import { checkConfig, parseConfig } from './config-file.ts';
import type { ConfigFile } from './config-file.ts';
import { faultIn } from './rulebound-config.ts';

/** What a repository says of one agent: from which point of view it looks, which rules it is held to, and how hard. */
export interface AgentProfile {
  readonly name: string;
  readonly roles: readonly AgentRole[];
  /** `all`, ids of rules, and globs over them (`security/*`). */
  readonly rules: readonly string[];
  /** Undefined: as hard as the project. */
  readonly enforcement: Mode | undefined;
  /** The driver that does its work; without one the profile only says which rules hold. */
  readonly driver: string | undefined;
  /** The model that is asked; undefined: the one that the user names for the driver. */
  readonly model: string | undefined;
  /** As an implementer it works on the files itself instead of answering in text. */
  readonly edits: boolean;
  /** Minutes of its calls; a contract's own limits hold as well. */
  readonly limits: { readonly idleMinutes: number | undefined; readonly hardMinutes: number | undefined };
  /** What is known of whoever works or is worked for, by the names that expressions of rules ask for. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** The file it stands in, by its path from the root. */
  readonly file: string;
}

/** The profiles of a project in the order of their files, and everything that is wrong in them. */
export interface AgentProfiles {
  readonly profiles: readonly AgentProfile[];
  readonly faults: readonly RuleFault[];
}

/** Reads `.andon/agents/<name>.yaml`, one profile a file, and all those of `.rulebound/agents.json`. A file with a fault gives none. */
export function readAgentProfiles(own: readonly ConfigFile[], rulebound: ConfigFile): AgentProfiles {
  const read = [...own.map(readOwn), readRulebound(rulebound)];
  const profiles = read.flatMap((one) => one.profiles);
  const twice = profiles.flatMap(({ name, file }, at) => {
    const first = profiles.slice(0, at).find((other) => other.name === name);
    return first === undefined
      ? []
      : [faultIn(file, '$', `${name} stands in ${first.file} already`, 'keep one of them')];
  });
  return { profiles, faults: [...read.flatMap(({ faults }) => faults), ...twice] };
}

/** Why a text is no name of a profile, in words; undefined when it is one. */
export const whyNoProfileName = (name: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? undefined
    : 'expected letters, digits, `.`, `_` and `-`, the first of them a letter or a digit, 64 at most';

/** The profile that has a name; undefined when there is none, and which was probably meant. */
export function profileNamed(
  { profiles }: AgentProfiles,
  name: string,
): { readonly found: AgentProfile | undefined; readonly meant: string | undefined } {
  const found = profiles.find((one) => one.name === name);
  const names = profiles.map((one) => one.name);
  return { found, meant: found === undefined ? nearestWord(name, names) : undefined };
}

/** Minutes of a week. */
const WEEK = 7 * 24 * 60;

const scalar = z.union([z.string().max(2000), z.number(), z.boolean()]);
const variable = z.union([scalar, z.array(scalar).max(100)]);

const schema = once(() =>
  z.strictObject({
    roles: optional(
      z.array(z.enum(AGENT_ROLES)),
      'From whose point of view it looks; the first of these that a disagreement has decides it.',
    ),
    rules: optional(
      z.array(z.string().min(1).max(200)).min(1).max(200),
      '`all` (the default), ids of rules, or globs over ids and categories, such as `security/*`.',
    ),
    enforcement: optional(z.enum(MODES), "How hard; default: the project's."),
    driver: optional(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected the name of a driver, such as codex'),
      "Who does its work: a driver that andon brings along, or one of the user's own.",
    ),
    model: optional(
      z.string().regex(/^[^-\s][^\s]{0,199}$/, 'expected the name of a model: no spaces, no dash in front'),
      'The model that is asked.',
    ),
    edits: optional(
      z.boolean(),
      'true: as an implementer it works on a copy of the files itself, in the cage, instead of answering in text. Default: false.',
    ),
    limits: optional(
      z.strictObject({
        idle_minutes: optional(z.number().positive().max(WEEK), 'Of silence before a call is a stall.'),
        hard_minutes: optional(z.number().positive().max(WEEK), 'Of one call, however lively it is.'),
      }),
      "What one call may take; it lowers the contract's limits and never raises them.",
    ),
    vars: optional(
      z.record(z.string().regex(VARIABLE_NAME, 'expected the name of a variable: letters, digits and `_`'), variable),
      'Variables for the expressions of rules, which believe them before anybody else, such as tier.',
    ),
  }),
);

function readOwn(file: ConfigFile): AgentProfiles {
  const name = file.name.replace(/^.*\//, '').replace(/\.ya?ml$/, '');
  const faults: string[] = [];
  const bad = whyNoProfileName(name);
  if (bad !== undefined) faults.push(`the name of a profile is that of its file; ${bad}`);
  const written = parseConfig(file, faults);
  const parsed = checkConfig(schema, written, file.name, faults);
  if (faults.length > 0 || parsed === undefined)
    return { profiles: [], faults: faults.map((why) => said(file.name, '$', why.replace(`${file.name}: `, ''))) };
  return { profiles: [profileOf(name, parsed, file.name)], faults: [] };
}

function readRulebound({ name: file, text }: ConfigFile): AgentProfiles {
  if (text === undefined) return { profiles: [], faults: [] };
  const read = readJson(text);
  if (!read.ok) {
    const { path, line, found, expected } = read.why;
    return { profiles: [], faults: [said(file, path, `found ${found}, expected ${expected}`, line)] };
  }
  const document = read.value;
  const { value } = document;
  if (value === null) return { profiles: [], faults: [] };
  const whole = z.strictObject({ agents: z.record(z.string(), z.unknown()).optional() }).safeParse(value);
  if (!whole.success)
    return { profiles: [], faults: whole.error.issues.map((issue) => said(file, pathOf(issue), issue.message)) };
  const all = Object.entries(whole.data.agents ?? {}).map(([name, one]): AgentProfiles => {
    const bad = whyNoProfileName(name);
    if (bad !== undefined) return { profiles: [], faults: [said(file, `$.agents[${JSON.stringify(name)}]`, bad)] };
    const parsed = schema().safeParse(one);
    if (parsed.success) return { profiles: [profileOf(name, parsed.data, file)], faults: [] };
    const faults = parsed.error.issues.map((issue) => {
      const steps = ['agents', name, ...issue.path.filter((step) => typeof step !== 'symbol')];
      return said(file, jsonPath(steps), issue.message, document.lineOf(steps));
    });
    return { profiles: [], faults };
  });
  return { profiles: all.flatMap(({ profiles }) => profiles), faults: all.flatMap(({ faults }) => faults) };
}

const profileOf = (name: string, said: z.infer<ReturnType<typeof schema>>, file: string): AgentProfile => ({
  name,
  roles: AGENT_ROLES.filter((role) => said.roles?.includes(role) === true),
  rules: said.rules ?? ['all'],
  enforcement: said.enforcement,
  driver: said.driver,
  model: said.model,
  edits: said.edits === true,
  limits: { idleMinutes: said.limits?.idle_minutes, hardMinutes: said.limits?.hard_minutes },
  vars: said.vars ?? {},
  file,
});

const pathOf = ({ path }: z.core.$ZodIssue): string => jsonPath(path.filter((step) => typeof step !== 'symbol'));

/** A profile never names what is run: a repository that could would run anything on the machine of whoever clones it. */
const OF_THE_USER = /"(?:program|command|args|argv|env|url|base_url|baseUrl|api_key|apiKey)"/;

const said = (name: string, path: string, message: string, line?: number): RuleFault =>
  faultIn(
    name,
    path,
    message,
    OF_THE_USER.test(message)
      ? 'programs, arguments, addresses and keys stand in your own configuration (`agents:`), never in a repository'
      : 'correct it, or take the key out; a profile has roles, rules, enforcement, driver, model, edits, limits and vars',
    line,
  );
