import { diskTrouble, diskTroubleInWords } from '../../base/disk-trouble.ts';
import { branchName } from '../../base/names.ts';
import { isInRange } from '../../base/version.ts';
import { examineAgents } from './agents.ts';
import { examineCage } from './cage.ts';
import { broken, poor, well } from './check.ts';
import type { Check } from './check.ts';
import { gatesOnBase } from './gates.ts';
import { examineLimits } from './limits.ts';
import { examineLine } from './line.ts';
import { examineMachine } from './machine.ts';
import { examineTarget } from './target.ts';
import { checkSignatures } from '../../daemon/git/check-signatures.ts';
import { lostFromJournal } from '../../daemon/journal/lost-journal.ts';
import { misnamed } from '../../inspection/rulebook/misnamed.ts';
import { faultInRules, rulebookFor } from '../../inspection/rulebook/rulebook.ts';
import { whyNoWrites } from '../../wiring/files.ts';
import { servicesOnTarget } from '../../wiring/configuration.ts';
import { readInUse } from '../../wiring/configuration-in-use.ts';
import { dropEarlierBoot } from '../../wiring/leftovers.ts';
import { NO_JOURNAL, readJournal } from '../../wiring/open-journal.ts';
import { buildServices } from '../../wiring/open-services.ts';
import { holderOf } from '../../wiring/open-reader.ts';
import { decidingTexts } from '../../wiring/project-files.ts';
import { usableGit } from '../../wiring/usable-git.ts';
import type { Place } from '../../wiring/open-place.ts';
import type { News, Services } from '../../wiring/services.ts';

/**
 * Examines everything the line needs in this repository and tells it in one order; what takes long and has nothing to do
 * with the rest runs beside it. Nothing is changed and nothing is spent.
 */
export async function* examine(
  place: Place,
  env: NodeJS.ProcessEnv,
  { gates, load, tell }: { readonly gates: boolean; readonly load: boolean; readonly tell: (doing: string) => void },
): AsyncGenerator<Check> {
  yield nodeVersion(process.versions.node);
  yield well('git', await usableGit(place));
  yield* await examineLine(place);
  const noWrites = whyNoWrites(place);
  if (noWrites !== undefined) {
    yield broken(
      'disk',
      `it takes no writes (${diskTroubleInWords(diskTrouble(noWrites))})`,
      'fix that first; checks that need it were skipped',
    );
    return;
  }
  dropEarlierBoot(place); // else the next watchdog does, and what is prepared here with it
  const services = await onCommitted(
    await buildServices(place, env, (news) => tellNews(news, tell), NO_JOURNAL, 'examining'),
  );
  const target = await services.repository.target(await services.configuration.targetName());
  yield target.ok
    ? well('target branch', `${branchName(target.value.ref)} at ${target.value.commit.slice(0, 12)}`)
    : broken(
        'target branch',
        target.why,
        'name a branch that is there as `target` in .andon/config.yaml (a new repository needs a first commit)',
      );
  if (target.ok) yield* await examineTarget(services, target.value);
  if (target.ok) yield* await examineSignatures(services, target.value);
  for (const notice of services.settings.notices) yield poor('configuration', notice, `move it to ${place.userConfig}`);
  const inUse = holderOf(place)?.doing === 'watch' ? (readInUse(place)?.gaps ?? []) : [];
  for (const gap of new Set([...services.configuration.gaps(), ...inUse]))
    yield poor('configuration', gap, 'what counts for the line is what the target branch has committed');
  yield handoffFolder(services);
  tell('the journal and the rules');
  yield await journalIsWhole(place, services);
  yield* await examineRules(services);
  yield* examineMachine(place);
  const cage = begun(examineCage(services, place, env));
  const limits = begun(cage.then(() => examineLimits(services))); // not at once: they share a folder
  tell('the programs of the agents and their models');
  yield* examineAgents(services, { load });
  tell('the cage');
  yield await cage;
  tell('the limits of gates');
  yield await limits;
  if (gates && target.ok) yield* gatesOnBase(services, target.value.commit, tell);
}

/** The services under what the target commits; where it commits nothing yet, what the checkout holds is examined. */
async function onCommitted(built: Services): Promise<Services> {
  const committed = await servicesOnTarget(built);
  await built.configuration.refresh();
  return decidingTexts(committed.project).size === 0 ? built : committed;
}

/** What is waited for later: that it fails meanwhile is heard then. */
function begun(check: Promise<Check>): Promise<Check> {
  check.catch(() => undefined);
  return check;
}

/** Progress output of the gates. */
function tellNews(news: News, tell: (doing: string) => void): void {
  if (news.kind === 'word') tell(news.text);
}

/** The range of package.json: older ones lack what the packages below andon need. */
export const NODE_RANGE = '^22.22.2 || ^24.15.0 || >=26.0.0';

/** Whether andon was tried with a version of Node.js. */
export function nodeVersion(version: string): Check {
  return isInRange(version, NODE_RANGE)
    ? well('node', version)
    : poor('node', `${version} is not tested`, 'use Node.js ^22.22.2, ^24.15.0 or >=26');
}

/** Signatures and names of merges; nothing where git asks for none. */
async function examineSignatures(
  services: Services,
  target: { readonly ref: string; readonly commit: string },
): Promise<readonly Check[]> {
  const { fault, unsigned, signed } = await checkSignatures(services, target);
  if (fault !== undefined) return [broken('signatures', fault.sentence, fault.remedy)];
  if (unsigned !== undefined) return [poor('signatures', unsigned.sentence, unsigned.remedy)];
  return signed === undefined ? [] : [well('signatures', signed)];
}

const RESTORE = 'restore the state folder from a backup';

/** What andon believes must be whole; a journal that does not open is as bad as a broken chain. */
async function journalIsWhole(place: Place, { repository, handoff }: Services): Promise<Check> {
  try {
    const journal = readJournal(place);
    const damage = journal?.verify();
    const count = journal?.head() ?? 0;
    const lost = await lostFromJournal(handoff, journal, repository);
    journal?.close();
    if (damage === undefined && lost !== undefined) return poor('journal', lost, RESTORE);
    if (damage === undefined) return well('journal', count === 0 ? 'empty' : `${count} entries, the chain is whole`);
    return broken('journal', `it is damaged at entry ${damage}`, RESTORE);
  } catch (error) {
    return broken('journal', error instanceof Error ? error.message : String(error), RESTORE);
  }
}

/** Whether the project's rules can be applied: with a fault in them no task gets past its contract. */
async function examineRules(services: Services): Promise<readonly Check[]> {
  const wrong = await faultInRules(services);
  const unread = misnamed(services.root).map((what) => poor('rules', what, 'rename it, or remove it'));
  if (wrong !== undefined) return [broken('rules', wrong, '`andon rules lint` shows every fault'), ...unread];
  const { rules, files } = await rulebookFor(services.journal, services.project);
  return rules.length === 0 ? unread : [well('rules', `${rules.length} of ${files.length} files`), ...unread];
}

function handoffFolder({ handoff }: Services): Check {
  const bars = handoff.barred();
  if (bars !== undefined) return broken('_handoff', bars, 'move it away; andon keeps its papers there');
  if (!handoff.exists(''))
    return poor('_handoff', 'it does not exist yet', '`andon init`, `andon watch` or `andon doctor --fix` makes it');
  return handoff.exists('.gitignore')
    ? well('_handoff', 'is there, and git ignores it')
    : poor(
        '_handoff',
        'it has no .gitignore of its own: a commit may take papers along',
        '`andon doctor --fix` makes its .gitignore',
      );
}
