import {
  findProfile,
  checkProfileName,
  type AgentProfile,
  type AgentProfiles,
} from '../../project/config/agent-profiles.ts';
import { formatRuleSource } from '../../project/config/rule-fault.ts';
import { withoutGaps } from '../../base/without-gaps.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { PROFILES, readWorkTreeProfiles } from './project-files.ts';
import { renderProfile } from '../../project/config/edit-config.ts';
import { rulesOfProfile } from '../select-rules.ts';
import type { ProjectRulebook } from './rulebook.ts';
import { writeNew } from './create-rule.ts';

/** The profile of that name; throws a Problem that lists what there is, or what is wrong in the files. */
export function requireProfile(root: string, name: string): AgentProfile {
  const all = readWorkTreeProfiles(root);
  refuseFaults(all);
  const { found, meant } = findProfile(all, name);
  if (found !== undefined) return found;
  const names = all.profiles.map((one) => one.name);
  throw createUsageError(
    `Unknown agent profile: ${toTerminalLine(name, 80)}.${meant === undefined ? '' : ` The nearest is ${meant}.`}${names.length === 0 ? '' : ` These are the available agents: ${names.join(', ')}.`}`,
    names.length === 0
      ? `Run \`andon agents add ${checkProfileName(name) === undefined ? name : '<name>'}\` to add one.`
      : 'Run `andon agents list` to see all profiles.',
  );
}

/** A faulty profile enforces nothing, so it is refused. */
export function refuseFaults({ faults }: AgentProfiles): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ source, path, message }) =>
    toTerminalLine(`${formatRuleSource(source)} ${path === '$' ? '' : `${path}: `}${message}`, 400),
  );
  throw new Problem('bad-configuration', lines, faults[0]?.remedy ?? 'correct the file');
}

/** The rules of a rulebook that a profile is held to, and its patterns that name none. */
export const selectProfileRules = (
  profile: AgentProfile,
  { rules }: Pick<ProjectRulebook, 'rules'>,
): ReturnType<typeof rulesOfProfile> =>
  rulesOfProfile(
    profile.rules,
    rules.map(({ rule }) => rule),
  );

/** The rules of a profile for its reviewer, one per line; long rulebooks are cut. */
export function formatProfileRules(profile: AgentProfile, book: Pick<ProjectRulebook, 'rules'>): readonly string[] {
  const { kept } = selectProfileRules(profile, book);
  const lines = kept
    .slice(0, MOST_RULES)
    .map(({ id, modality, title, message }) =>
      `${id} (${modality}): ${title}${message === '' || message === title ? '' : `. ${message}`}`
        .replace(/\s+/g, ' ')
        .slice(0, 500),
    );
  return kept.length > MOST_RULES ? [...lines, `(${kept.length - MOST_RULES} more rules are not shown)`] : lines;
}

const MOST_RULES = 60;

/** What a new profile says of itself; what is left out is not written either. */
type NewProfile = Pick<AgentProfile, 'roles' | 'rules' | 'enforcement' | 'driver' | 'model' | 'edits'>;

/** Writes a profile into a file of its own and returns its name. A profile of that name is refused. */
export function addProfile(root: string, name: string, profile: NewProfile): string {
  const bad = checkProfileName(name);
  if (bad !== undefined) throw createUsageError(`${JSON.stringify(name.slice(0, 80))} is no name of a profile`, bad);
  const all = readWorkTreeProfiles(root);
  refuseFaults(all);
  const there = findProfile(all, name).found;
  if (there !== undefined) throw new Problem('file-exists', `${name} already exists in ${there.file}`, OTHER_NAME);
  const { roles, rules, enforcement, driver, model, edits } = profile;
  const draft = withoutGaps({
    roles: roles.length === 0 ? undefined : roles,
    rules: rules.length === 0 ? ['all'] : rules,
    enforcement,
    driver,
    model,
    edits: edits || undefined,
  });
  const file = `${PROFILES}/${name}.yaml`;
  writeNew(root, file, renderProfile(draft), OTHER_NAME);
  return file;
}

const OTHER_NAME = 'choose another name, or edit that file';
