import type { AgentProfile } from '../../../project/config/agent-profiles.ts';
import { toTerminalLine, toTerminal } from '../../../base/plain-text.ts';
import { createUsageError, Problem } from '../../../base/problem.ts';
import { OLLAMA } from '../../../base/agent-ids.ts';
import { listDriverNames, readDriver } from '../../../project/config/read-driver.ts';
import { listDriverSources, listEditingDrivers } from '../../../agents/drivers/open-drivers.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { readWorkTreeProfiles } from '../../../rules/files/project-files.ts';
import { addProfile, selectProfileRules, requireProfile } from '../../../rules/files/profiles.ts';
import { readProjectRulebook, type ProjectRulebook } from '../../../rules/files/rulebook.ts';
import { AGENT_ROLES, MODES } from '../../../project/config/config-words.ts';
import { baseBranch, lookOf } from './check.ts';
import { report } from '../inspections.ts';
import {
  SUBJECT_OPTIONS,
  hasFlag,
  listGivenOptions,
  readTextOption,
  readTextsOption,
  readWordOption,
} from '../options.ts';
import { printCheck, printJson, printLine, printResult, colourText } from '../print.ts';
import { toFaultFacts, printFaults, printRules } from '../rules-output.ts';
import { rootOf } from '../tasks.ts';
import { conflictingOptions, missingArgument, runCommand, unexpectedArgument, unknownWord } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';
import { judgeRequests } from '../../../line/steps/external-judge-protocol.ts';
import { abortOnSignal } from '../signals.ts';
import type { DoctorCheck } from '../../setup/doctor/doctor-check.ts';
import { tryAgent } from '../../setup/doctor/try-agent.ts';

const ACTIONS = {
  list,
  show,
  add,
  run: validate,
  test,
  stats: async (invocation: Invocation) => (await import('../agent-stats-output.ts')).stats(invocation),
  judge: judgeFromOutside,
} as const;

const NAMELESS: readonly string[] = ['list', 'stats', 'judge'];

/** `andon agents`: lists, checks, tests and measures the agent profiles of this project. */
export async function run(invocation: Invocation): Promise<number> {
  const [what, name] = invocation.args as [keyof typeof ACTIONS, string | undefined];
  const action = ACTIONS[what];
  if (NAMELESS.includes(what)) {
    if (name !== undefined) throw unexpectedArgument([name], `andon agents ${what}`);
    return action(invocation, '');
  }
  if (name === undefined || name === '')
    throw missingArgument('agent profile', 'andon agents list', 'to see all profiles');
  return action(invocation, name);
}

async function list(invocation: Invocation): Promise<number> {
  const place = await loadWorkspace(invocation.cwd, invocation.env, { tolerates: 'nothing' });
  const { root } = place.facts;
  const drivers = listDriverNames(listDriverSources(place));
  const { profiles, faults } = readWorkTreeProfiles(root);
  const book = await readProjectRulebook(root, { selfTests: false });
  if (hasFlag(invocation.options, 'json'))
    printJson({ agents: profiles.map((one) => toFacts(one, book)), drivers, faults: toFaultFacts(faults) });
  else {
    const width = Math.max(0, ...profiles.map(({ name }) => name.length));
    for (const profile of profiles) {
      const { count, warning, idle } = describeRules(profile, book);
      printLine(
        `${profile.name.padEnd(width)}  ${(profile.enforcement ?? 'as the project').padEnd(14)} ${count}${profile.roles.join(', ') || 'no role'}${driverInWords(profile)}${warning}  ${colourText('dim', toTerminalLine(profile.file, 60))}`,
      );
      for (const pattern of idle)
        printLine(colourText('dim', `${' '.repeat(width)}  no rule is named by ${toTerminalLine(pattern, 80)}`));
    }
    if (profiles.length === 0 && faults.length === 0)
      printLine('No agent profiles yet. Run `andon agents add <name> --role reviewer --rule "security/*"`.');
    printLine(colourText('dim', `drivers that a profile may name: ${drivers.join(', ')}`));
    printFaults(faults);
  }
  return faults.length > 0 ? 2 : 0;
}

/** Whether there are rules to count, or at least files that were meant to hold some. */
const hasRules = ({ rules, faults }: ProjectRulebook): boolean => rules.length + faults.length > 0;

/** The rules of a profile as parts of its row. */
function describeRules(
  profile: AgentProfile,
  book: ProjectRulebook,
): { readonly count: string; readonly warning: string; readonly idle: readonly string[] } {
  if (!hasRules(book)) return { count: '', warning: '', idle: [] };
  const { kept, idle } = selectProfileRules(profile, book);
  const warning =
    kept.length === 0 ? colourText('red', '  no rule') : idle.length > 0 ? colourText('yellow', '  *') : '';
  return { count: `${String(kept.length).padStart(4)} of ${book.rules.length} rules  `, warning, idle };
}

async function show(invocation: Invocation, name: string): Promise<number> {
  const root = await rootOf(invocation);
  const profile = requireProfile(root, name);
  const book = await readProjectRulebook(root, { selfTests: false });
  if (hasFlag(invocation.options, 'json')) {
    printJson(toFacts(profile, book));
    return 0;
  }
  const { kept, idle } = selectProfileRules(profile, book);
  printLine(`${profile.name}  ${colourText('dim', `from ${toTerminalLine(profile.file, 80)}`)}`);
  printLine(`driver       ${toTerminalLine(profile.driver ?? 'none: it only says which rules hold', 80)}`);
  if (profile.model !== undefined) printLine(`model        ${toTerminalLine(profile.model, 80)}`);
  if (profile.edits) printLine('edits        yes: as an implementer it works on the files itself');
  printLine(`roles        ${profile.roles.join(', ') || 'none'}`);
  printLine(`enforcement  ${profile.enforcement ?? 'as the project'}`);
  if (!hasRules(book)) return 0;
  printLine(`rules        ${toTerminalLine(profile.rules.join(', '), 200)}: ${kept.length} of ${book.rules.length}`);
  for (const pattern of idle) printLine(`             no rule is named by ${toTerminalLine(pattern, 80)}`);
  printRules(book.rules.filter(({ rule }) => kept.includes(rule)));
  return 0;
}

async function add(invocation: Invocation, name: string): Promise<number> {
  const { options } = invocation;
  const place = await loadWorkspace(invocation.cwd, invocation.env, { tolerates: 'nothing' });
  const driver = driverOf(place, readTextOption(options, 'driver'));
  const edits = hasFlag(options, 'edits');
  if (edits) refuseToEdit(place, driver);
  const file = addProfile(place.facts.root, name, {
    roles: AGENT_ROLES.filter((role) => readTextsOption(options, 'role').includes(role)),
    rules: readTextsOption(options, 'rule'),
    enforcement: readWordOption(options, 'enforcement', MODES),
    driver,
    model: readTextOption(options, 'model'),
    edits,
  });
  return printResult(
    invocation,
    { file },
    `Wrote ${name} into ${toTerminalLine(file)}. Run \`andon agents show ${name}\` to see its rules.`,
  );
}

/** The name of a driver that is known; undefined where none was named. */
function driverOf(place: Workspace, written: string | undefined): string | undefined {
  const known = listDriverNames(listDriverSources(place));
  if (written === undefined || known.includes(written)) return written;
  throw unknownWord('value of --driver', written, known, 'andon agents add --help');
}

/** Refuses what cannot be let at files, with those drivers that can. */
function refuseToEdit(place: Workspace, driver: string | undefined): void {
  const sources = listDriverSources(place);
  const editors = listEditingDrivers(sources);
  if (driver !== undefined && editors.includes(driver)) return;
  const read = driver === undefined || driver === OLLAMA ? undefined : readDriver(driver, sources);
  if (read?.ok === false)
    throw new Problem('bad-configuration', read.why, 'correct the file; docs/agents.md shows a driver of each kind');
  throw createUsageError(
    driver === undefined
      ? `--edits needs --driver. Known: ${editors.join(', ')}.`
      : `${driver} does not edit files itself. Known: ${editors.join(', ')}.`,
    runCommand(`andon agents add NAME --edits --driver ${editors[0] ?? 'codex'}`),
  );
}

/** The subject as in `andon check`; by default the change of this branch. */
async function validate(invocation: Invocation, name: string): Promise<number> {
  const { options } = invocation;
  const profile = requireProfile(await rootOf(invocation), name);
  const isNamed = listGivenOptions(options, SUBJECT_OPTIONS).length > 0;
  if (isNamed && options['base'] !== undefined)
    throw conflictingOptions(
      ['--base', '--plan, --contract, --file, --diff or --staged'],
      `andon agents run ${name} --base main`,
    );
  const look = isNamed ? await lookOf(invocation) : { base: await baseBranch(invocation) };
  const surface = isNamed ? (look.staged === undefined ? 'gate' : 'pre-commit') : 'ci';
  return report(invocation, { look, surface, phase: undefined, task: undefined, profile });
}

function toFacts(profile: AgentProfile, book: Parameters<typeof selectProfileRules>[1]): object {
  const { kept, idle } = selectProfileRules(profile, book);
  const { name, roles, rules, enforcement, driver = null, model = null, edits, file } = profile;
  const held = kept.map(({ id }) => id);
  return { name, roles, rules, enforcement: enforcement ?? null, driver, model, edits, file, held_to: held, idle };
}

const driverInWords = ({ driver, model, edits }: AgentProfile): string =>
  driver === undefined
    ? ''
    : `  by ${toTerminalLine(`${driver}${model === undefined ? '' : ` ${model}`}`, 60)}${edits ? ', on the files itself' : ''}`;

/** `andon agents judge`: judges the next review request from outside the watchdog; with `--watch` every one until Ctrl-C. */
async function judgeFromOutside(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const once = !hasFlag(options, 'watch');
  const signal = abortOnSignal(invocation);
  await judgeRequests(place, env, { once }, (text) => printLine(toTerminal(text)), signal);
  return 0;
}

/** `andon agents test`: one real call of each kind, and what was understood of it. */
async function test(invocation: Invocation, name: string): Promise<number> {
  const place = await loadWorkspace(invocation.cwd, invocation.env, { tolerates: 'nothing' });
  const asJson = hasFlag(invocation.options, 'json');
  const checks: DoctorCheck[] = [];
  for await (const check of tryAgent(place, invocation.env, name, abortOnSignal(invocation))) {
    checks.push(check);
    if (!asJson) printCheck(check);
  }
  const isWell = checks.every(({ state }) => state === 'ok');
  if (asJson) printJson({ agent: name, well: isWell, checks });
  return isWell ? 0 : 1;
}
