import { classifyDiskError, describeDiskError } from '../../../base/disk-trouble.ts';
import { toBranchName, toTaskBranch } from '../../../base/names.ts';
import { isInRange } from '../../../base/find-version.ts';
import { examineAgents } from './examine-agents.ts';
import { examineCage, examineLimits } from './examine-cage.ts';
import { DOCTOR_PLACE, failedCheck, warningCheck, passedCheck, type DoctorCheck, TRIAL_RUN } from './doctor-check.ts';
import { checkGatesOnBase, listLeftOutGates } from './try-gates.ts';
import { examineMachine } from './examine-machine.ts';
import { lookAtConfig } from '../init-project.ts';
import { checkSignatures } from '../../../line/git/merge-commits.ts';
import { findLostEntries } from '../../../line/upkeep/lost-journal.ts';
import { listMisnamed, findRuleFault, loadRulebook } from '../../../rules/files/rulebook.ts';
import { findWriteObstacle } from '../../../project/workspace/files.ts';
import { openTargetServices } from '../../../line/services/configuration.ts';
import { readInUse } from '../../../line/services/configuration-in-use.ts';
import { dropEarlierBoot } from '../../../line/upkeep/leftovers.ts';
import { NO_JOURNAL, readJournal } from '../../../line/journal/open-journal.ts';
import { buildServices, requireUsableGit } from '../../../line/services/open-services.ts';
import { openHolder } from '../../../project/workspace/open-reader.ts';
import { readDecidingFiles } from '../../../rules/files/project-files.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import type { Needs } from '../../../line/services/services.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { describeTrouble } from '../../../line/words/describe-line.ts';
import { describeActivity } from '../../../line/words/view-activity.ts';
import { readLine } from '../../../line/readers/read-line.ts';
import { describeHooks, describeSubmodules, describeTarget, listPaths } from '../../../line/intake/find-merge-risks.ts';
import { findProjectTools } from '../../../line/gates/prepare-gate-tree.ts';
import type { ProjectTool } from '../../../sandbox/cage.ts';
import { getErrorMessage } from '../../../base/get-error-message.ts';

/**
 * Examines everything the line needs in this repository and tells it in one order; what takes long and has nothing to do
 * with the rest runs beside it. Nothing is changed and nothing is spent.
 */
export async function* examine(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  { gates, load, tell }: { readonly gates: boolean; readonly load: boolean; readonly tell: (doing: string) => void },
): AsyncGenerator<DoctorCheck> {
  yield checkNodeVersion(process.versions.node);
  yield passedCheck('git', await requireUsableGit(place));
  yield* await examineLine(place);
  const noWrites = findWriteObstacle(place);
  if (noWrites !== undefined) {
    yield failedCheck(
      'disk',
      `it takes no writes (${describeDiskError(classifyDiskError(noWrites))})`,
      `make it writable, or make room; checks that need it were skipped: \`df -h ${place.state}\``,
    );
    return;
  }
  dropEarlierBoot(place); // else the next watchdog does, and what is prepared here with it
  const services = await onCommitted(
    await buildServices(place, env, (news) => news.kind === 'word' && tell(news.text), NO_JOURNAL, 'examining'),
  );
  const target = await services.repository.target(await services.configuration.targetName());
  const [fault = '', remedy = ''] = target.ok ? [] : target.why.split(/; (.*)/s);
  yield target.ok
    ? passedCheck('target branch', `${toBranchName(target.value.ref)} at ${target.value.commit.slice(0, 12)}`)
    : failedCheck('target branch', fault, remedy);
  if (target.ok) yield* examineTarget(services, target.value);
  if (target.ok) yield* await examineSignatures(services, target.value);
  for (const notice of services.settings.notices)
    yield warningCheck('configuration', notice, `move it to ${place.userConfig}`);
  const inUse = openHolder(place)?.doing === 'watch' ? (readInUse(place)?.gaps ?? []) : [];
  for (const gap of new Set([...services.configuration.gaps(), ...inUse]))
    yield warningCheck('configuration', gap, 'what counts for the line is what the target branch has committed');
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
  if (target.ok) yield* await checkProjectTools(services, target.value.commit);
  yield* listLeftOutGates(services.settings, lookAtConfig(place.facts.root));
  if (gates && target.ok) yield* checkGatesOnBase(services, target.value.commit, { env, tell });
}

/** The services under what the target commits; where it commits nothing yet, what the checkout holds is examined. */
async function onCommitted<Own extends Needs<'agents' | 'cage' | 'configuration' | 'project' | 'repository'>>(
  built: Own,
): Promise<Own> {
  const committed = await openTargetServices(built);
  await built.configuration.refresh();
  return readDecidingFiles(committed.project).size === 0 ? built : committed;
}

/** What is waited for later: that it fails meanwhile is heard then. */
function begun(check: Promise<DoctorCheck>): Promise<DoctorCheck> {
  check.catch(() => undefined);
  return check;
}

/** The range of package.json: older ones lack what the packages below andon need. */
export const NODE_RANGE = '^22.22.2 || ^24.15.0 || >=26.0.0';

/** Whether andon was tried with a version of Node.js. */
export function checkNodeVersion(version: string): DoctorCheck {
  return isInRange(version, NODE_RANGE)
    ? passedCheck('node', version)
    : warningCheck('node', `${version} is not tested`, 'use Node.js ^22.22.2, ^24.15.0 or >=26');
}

/** Signatures and names of merges; nothing where git asks for none. */
async function examineSignatures(
  services: Needs<'repository' | 'settings'>,
  target: { readonly ref: string; readonly commit: string },
): Promise<readonly DoctorCheck[]> {
  const { fault, unsigned, signed } = await checkSignatures(services, target);
  if (fault !== undefined) return [failedCheck('signatures', fault.sentence, fault.remedy)];
  if (unsigned !== undefined) return [warningCheck('signatures', unsigned.sentence, unsigned.remedy)];
  return signed === undefined ? [] : [passedCheck('signatures', signed)];
}

const RESTORE = 'restore the state folder from a backup, then check it: `andon doctor --journal`';

/** What andon believes must be whole; a journal that does not open is as bad as a broken chain. */
async function journalIsWhole(
  place: Workspace,
  { repository, handoff }: Needs<'handoff' | 'repository'>,
): Promise<DoctorCheck> {
  try {
    const journal = readJournal(place);
    const damage = journal?.verify();
    const count = journal?.head() ?? 0;
    const lost = await findLostEntries(handoff, journal, repository);
    journal?.close();
    if (damage === undefined && lost !== undefined) return warningCheck('journal', lost, RESTORE);
    if (damage === undefined)
      return passedCheck('journal', count === 0 ? 'empty' : `${count} entries, the chain is whole`);
    return failedCheck('journal', `it is damaged at entry ${damage}`, RESTORE);
  } catch (error) {
    return failedCheck('journal', getErrorMessage(error), RESTORE);
  }
}

/** Whether the project's rules can be applied: with a fault in them no task gets past its contract. */
async function examineRules(services: Needs<'project' | 'root'>): Promise<readonly DoctorCheck[]> {
  const wrong = await findRuleFault(services.project);
  const unread = listMisnamed(services.root).map((what) => warningCheck('rules', what, 'rename it, or remove it'));
  if (wrong !== undefined) return [failedCheck('rules', wrong, '`andon rules lint` shows every fault'), ...unread];
  const { rules, files } = await loadRulebook(services.project);
  return rules.length === 0 ? unread : [passedCheck('rules', `${rules.length} of ${files.length} files`), ...unread];
}

function handoffFolder({ handoff }: Needs<'handoff'>): DoctorCheck {
  const bars = handoff.barred();
  if (bars !== undefined)
    return failedCheck('_handoff', bars, 'andon keeps its papers there; move it away: `mv _handoff _handoff.old`');
  if (!handoff.exists(''))
    return warningCheck(
      '_handoff',
      'it does not exist yet',
      '`andon init`, `andon watch` or `andon doctor --fix` makes it',
    );
  return handoff.exists('.gitignore')
    ? passedCheck('_handoff', 'is there, and git ignores it')
    : warningCheck(
        '_handoff',
        'it has no .gitignore of its own: a commit may take papers along',
        '`andon doctor --fix` makes its .gitignore',
      );
}

/** The line itself, in the words of `andon status`: a healthy machine with a stopped line is not healthy. */
async function examineLine(place: Workspace): Promise<readonly DoctorCheck[]> {
  let journal: ReturnType<typeof readJournal>;
  try {
    journal = readJournal(place);
    // This doctor checks again what the last one found red.
    const facts = { ...(await readLine(place, journal)), unwell: [] };
    const { task, activity } = facts;
    const trouble = describeTrouble(facts)
      .filter(({ tone, text }) => tone === 'warn' && !text.startsWith(' ')) // each file is named by a check of its own
      .map(({ text }) => text);
    const now =
      task === null || activity === null
        ? 'no task is on it'
        : `${task.task_id} ${task.status}: ${toTerminalLine(describeActivity(activity))}`;
    const lines = task !== null || trouble.length === 0 ? [now, ...trouble] : trouble;
    const isWell = trouble.length === 0 && (task === null || task.halt === null);
    return lines.map((text) =>
      isWell ? passedCheck('line', text) : warningCheck('line', text, 'run `andon status` to see more'),
    );
  } catch {
    return []; // faults of the journal and the repository belong to their own checks
  } finally {
    journal?.close();
  }
}

/** What around the target branch would stop a task after agents were paid; nothing where nothing would. */
async function* examineTarget(
  { repository, settings }: Needs<'repository' | 'settings'>,
  target: { readonly ref: string; readonly commit: string },
): AsyncGenerator<DoctorCheck> {
  const [state, head, files, taskBranch] = await Promise.all([
    repository.targetState(target.ref),
    repository.checkedOut(),
    repository.files(target.commit),
    repository.resolve(toTaskBranch('').slice(0, -1)),
  ]);
  const filtered = await repository.filtered(
    target.commit,
    files.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path),
  );
  const name = toBranchName(target.ref);
  if (taskBranch !== undefined)
    yield warningCheck(
      'branches',
      'a branch is called `task`, so git cannot keep `task/<task_id>` beside it',
      'rename it: git branch -m task other-name',
    );
  for (const text of describeTarget(state, target.ref, head))
    yield warningCheck('target branch', text, `look with git status and git log ${name}`);
  const edited = state.edited.filter((path) => !/^(?:\.andon|_handoff)\//.test(path)); // no task changes those
  if (edited.length > 0)
    yield warningCheck(
      'edits',
      `${listPaths(edited)} in ${state.folder} not committed: no change of the same file is merged into ${name}`,
      'commit or stash them; what is never to be committed belongs in .gitignore',
    );
  for (const text of settings.gates.length === 0 ? [] : describeSubmodules(files, settings.share))
    yield warningCheck('submodules', text, 'see `share` in docs/configuration.md');
  if (filtered.size > 0)
    yield warningCheck(
      'filters',
      `git's filter ${[...new Set(filtered.values())].join(', ')} changes ${listPaths([...filtered.keys()])}, so no task can`,
      'leave them out of allowed_paths',
    );
  for (const text of describeHooks(state.hooks))
    yield warningCheck('hooks', text, 'name the commands as `gates` in .andon/config.yaml');
}

/** The versions of Node.js and Python that the repository asks for; nothing where it asks for none. */
async function checkProjectTools(
  services: Needs<'cage' | 'folders' | 'repository'>,
  commit: string,
): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const tool of await findProjectTools(services, commit)) checks.push(await checkTool(services, tool));
  return checks;
}

async function checkTool(services: Needs<'cage' | 'folders'>, tool: ProjectTool): Promise<DoctorCheck> {
  const { name, version, source, folder, installed } = tool;
  const title = `${name} of gates`;
  if (folder !== undefined) return passedCheck(title, `${installed ?? version} in ${folder} (${source})`);
  const onPath = await readVersionOnPath(services, name);
  if (onPath !== undefined && services.cage.tools?.fits(onPath, version) === true)
    return passedCheck(title, `${onPath} on PATH (${source})`);
  return warningCheck(
    title,
    `${source} asks for ${version}, which is not installed here; gates use ${onPath ?? 'none'} of PATH`,
    adviseInstallation(tool),
  );
}

/** The version that a gate finds on PATH, such as `v22.1.0`. */
async function readVersionOnPath(
  { cage, folders }: Needs<'cage' | 'folders'>,
  name: ProjectTool['name'],
): Promise<string | undefined> {
  const program = name === 'python' ? 'python3' : name;
  const tree = folders.empty(DOCTOR_PLACE);
  const { exit, output } = await cage.run({ ...TRIAL_RUN, run: `${program} --version`, tree, timeoutMs: 20_000 });
  folders.tidy(DOCTOR_PLACE);
  return exit === 0 ? /v?\d+\.\d+\.\d+/.exec(output)?.[0] : undefined;
}

function adviseInstallation({ name, version, manager }: ProjectTool): string {
  const plugin = name === 'node' ? 'nodejs' : name;
  const commands: Readonly<Record<string, string>> = {
    nvm: `nvm install ${version}`,
    fnm: `fnm install ${version}`,
    volta: `volta install node@${version}`,
    mise: `mise install ${name}@${version}`,
    asdf: `asdf install ${plugin} ${version}`,
    nodenv: `nodenv install ${version}`,
    n: `n ${version}`,
    pyenv: `pyenv install ${version}`,
    uv: `uv python install ${version}`,
  };
  const command = commands[manager ?? ''];
  if (command !== undefined) return `install it: \`${command}\``;
  return name === 'node'
    ? `install nvm (https://github.com/nvm-sh/nvm), then run \`nvm install ${version}\``
    : `install uv (https://docs.astral.sh/uv), then run \`uv python install ${version}\``;
}
