import { WAIVERS_FILE, readWaivers } from '../rules/load/waiver-file.ts';
import type { Suppressions } from '../rules/enforce/suppress.ts';
import type { ProjectFiles } from '../wiring/project-files.ts';

/** The waivers of a project, from the work tree or from what git keeps. */
export function readSuppressions(files: Pick<ProjectFiles, 'text'>): Suppressions {
  const text = files.text(WAIVERS_FILE);
  const { entries: waivers, faults } =
    text === undefined ? { entries: [], faults: [] } : readWaivers(WAIVERS_FILE, text);
  return { waivers, faults };
}
