import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { branchName } from '../formats/names.ts';
import { examineAgents } from './examine/agents.ts';
import { examineCage } from './examine/cage.ts';
import { broken, poor, well } from './examine/check.ts';
import type { Check } from './examine/check.ts';
import { gatesOnBase } from './examine/gates.ts';
import { examineMachine } from './examine/machine.ts';
import { examineRules } from './examine/rules.ts';
import { lostFromJournal } from './lost-journal.ts';
import { NO_JOURNAL, buildWorld, readJournal } from './open-floor.ts';
import type { Place } from './open-floor.ts';
import type { World } from './world.ts';

/** Examines everything the line needs in this repository, one thing after the other; nothing is changed and nothing is spent. */
export async function* examine(
  place: Place,
  env: NodeJS.ProcessEnv,
  { gates, load }: { readonly gates: boolean; readonly load: boolean },
): AsyncGenerator<Check> {
  const world = await buildWorld(place, env, () => {}, NO_JOURNAL, 'examining');
  const target = await world.repository.target(place.settings.target);
  yield nodeVersion(process.versions.node);
  yield well('git', place.facts.gitVersion);
  yield target.ok
    ? well('target branch', `${branchName(target.value.ref)} at ${target.value.commit.slice(0, 12)}`)
    : broken(
        'target branch',
        target.why,
        'name a branch that is there as `target` in .andon/config.yaml (a new repository needs a first commit)',
      );
  for (const notice of place.settings.notices) yield poor('configuration', notice, `move it to ${place.userConfig}`);
  yield handoffFolder(world);
  yield await journalIsWhole(place, world);
  yield* await examineRules(world);
  yield* examineMachine(place);
  yield* examineAgents(world, { load });
  yield await examineCage(world, place, env);
  if (gates && target.ok) yield* await gatesOnBase(world, target.value.commit);
}

/** The range of package.json: older ones lack what the packages below andon need. */
export function nodeVersion(version: string): Check {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const fits =
    major >= 26 || (major === 24 && minor >= 15) || (major === 22 && (minor > 22 || (minor === 22 && patch >= 2)));
  return fits
    ? well('node', version)
    : poor('node', `${version} is not tested`, 'use Node.js ^22.22.2, ^24.15.0 or >=26');
}

const RESTORE = 'restore the state folder from a backup';

/** What andon believes must be whole; a journal that does not open is as bad as a broken chain. */
async function journalIsWhole(place: Place, { repository }: World): Promise<Check> {
  try {
    const journal = readJournal(place);
    const damage = journal?.verify();
    const count = journal?.head() ?? 0;
    const lost = await lostFromJournal(place.facts.root, journal, repository);
    journal?.close();
    if (damage === undefined && lost !== undefined) return poor('journal', lost, RESTORE);
    if (damage === undefined) return well('journal', count === 0 ? 'empty' : `${count} entries, the chain is whole`);
    return broken('journal', `it is damaged at entry ${damage}`, RESTORE);
  } catch (error) {
    return broken('journal', error instanceof Error ? error.message : String(error), RESTORE);
  }
}

function handoffFolder({ handoff }: World): Check {
  const found = lstatSync(handoff.folder, { throwIfNoEntry: false });
  if (found === undefined)
    return poor('_handoff', 'there is none yet', '`andon init`, `andon watch` or `andon doctor --fix` makes it');
  if (!found.isDirectory())
    return broken('_handoff', `${handoff.folder} is not a folder`, 'move that file away; andon keeps its papers there');
  return lstatSync(join(handoff.folder, '.gitignore'), { throwIfNoEntry: false }) === undefined
    ? poor(
        '_handoff',
        'it has no .gitignore of its own: a commit may take papers along',
        '`andon doctor --fix` makes its .gitignore',
      )
    : well('_handoff', 'is there, and git ignores it');
}
