import type { RoleStation } from '../../base/names.ts';
import { findProfile } from '../../project/config/agent-profiles.ts';
import { getConfiguredModel, type WorkerSources } from './resolve-driver.ts';

/** What a station asks of a program, where a program cannot do it. */
const LACKING: Readonly<Record<RoleStation, string>> = {
  implementer: 'takes neither a text call nor an edit call',
  'local-reviewer': 'takes no review call',
  judge: 'does not tell which files it has opened, without which no PASS counts',
};

/** Why a profile cannot do the work of a station, in words that say what to do; undefined when it can. */
export function explainNoWorker(
  { agents, profiles, settings }: WorkerSources,
  name: string,
  station: RoleStation,
): string | undefined {
  const { found: profile } = findProfile(profiles, name);
  if (profile === undefined) {
    const [fault] = profiles.faults;
    return `a profile without a fault: ${fault?.source.name ?? name} says ${fault?.message ?? 'nothing'}`;
  }
  const { driver, file } = profile;
  if (driver === undefined) return `a profile that says who does its work: ${file} names no \`driver\``;
  const agent = agents[driver];
  if (agent === undefined)
    return `a profile with a known driver: ${file} names ${driver}; andon agents list shows them all`;
  if (!agent.worksAt.includes(station)) return `a profile that can work as ${station}: ${driver} ${LACKING[station]}`;
  if (station === 'implementer' && profile.edits && agent.editing === undefined)
    return `a profile that can work so: ${file} says \`edits: true\`, and ${driver} takes no edit call`;
  const model = profile.model ?? getConfiguredModel(settings, driver);
  if (agent.localModels !== undefined && model === '')
    return `a profile with a model: ${file} names ${driver}, which needs one (\`model:\`)`;
  return undefined;
}
