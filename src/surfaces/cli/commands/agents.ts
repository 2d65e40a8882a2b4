import type { AgentProfile } from '../../../config/agent-profiles.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { mistake } from '../../../base/problem.ts';
import { driverNames } from '../../../config/drivers.ts';
import { driverSources, editingDrivers } from '../../../wiring/open-drivers.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import type { Place } from '../../../wiring/open-place.ts';
import { profilesAt } from '../../../wiring/open-profiles.ts';
import { addProfile, heldTo, profileOf } from '../../../inspection/profiles.ts';
import { readProjectRulebook } from '../../../inspection/rulebook/rulebook.ts';
import { AGENT_ROLES, MODES } from '../../../rule-model/rule-words.ts';
import type { AgentRole, Mode } from '../../../rule-model/rule-words.ts';
import { baseBranch } from '../base-branch.ts';
import { lookOf } from './check.ts';
import { report } from '../inspections.ts';
import { LOOKS, flag, givenOf, textOption, textsOption } from '../options.ts';
import { json, line, styled } from '../print.ts';
import { faultsAsFacts, printFaults, printRules } from '../rules-output.ts';
import { conflictingOptions, missingArgument, runCommand, unexpectedArgument, unknownWord } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const ACTIONS = {
  list,
  show,
  add,
  run: validate,
  test: async (invocation: Invocation, name: string) =>
    (await import('../agent-test-output.ts')).test(invocation, name),
  stats: async (invocation: Invocation) => (await import('../agent-stats-output.ts')).stats(invocation),
  judge: async (invocation: Invocation) =>
    (await import('../actions/judge-from-outside.ts')).judgeFromOutside(invocation),
} as const;

/** Those that take no name. */
const NAMELESS: readonly string[] = ['list', 'stats', 'judge'];

/** `andon agents`: lists, checks, tests and measures the agent profiles of this project. */
export async function run(invocation: Invocation): Promise<number> {
  const [what, name] = invocation.args as [string, string | undefined];
  const action = Object.hasOwn(ACTIONS, what) ? ACTIONS[what as keyof typeof ACTIONS] : undefined;
  if (action === undefined) throw unknownWord('action', what, Object.keys(ACTIONS), 'andon agents list');
  if (NAMELESS.includes(what)) {
    if (name !== undefined) throw unexpectedArgument([name], `andon agents ${what}`);
    return action(invocation, '');
  }
  if (name === undefined || name === '')
    throw missingArgument('agent profile', 'andon agents list', 'to see all profiles');
  return action(invocation, name);
}

const rootOf = async ({ cwd, env }: Invocation): Promise<string> => (await findPlace(cwd, env)).facts.root;

async function list(invocation: Invocation): Promise<number> {
  const place = await findPlace(invocation.cwd, invocation.env);
  const { root } = place.facts;
  const drivers = driverNames(driverSources(place));
  const { profiles, faults } = profilesAt(root);
  const book = await readProjectRulebook(root, { selfTests: false });
  if (flag(invocation.options, 'json'))
    json({ agents: profiles.map((one) => asFacts(one, book)), drivers, faults: faultsAsFacts(faults) });
  else {
    const width = Math.max(0, ...profiles.map(({ name }) => name.length));
    for (const profile of profiles) {
      const { kept, idle } = heldTo(profile, book);
      const warning = kept.length === 0 ? styled('red', '  no rule') : idle.length > 0 ? styled('yellow', '  *') : '';
      line(
        `${profile.name.padEnd(width)}  ${(profile.enforcement ?? 'as the project').padEnd(14)} ${String(kept.length).padStart(4)} of ${book.rules.length} rules  ${profile.roles.join(', ') || 'no role'}${driverInWords(profile)}${warning}  ${styled('dim', inOneTerminalLine(profile.file, 60))}`,
      );
      for (const pattern of idle)
        line(styled('dim', `${' '.repeat(width)}  no rule is named by ${inOneTerminalLine(pattern, 80)}`));
    }
    if (profiles.length === 0 && faults.length === 0)
      line('No agent profiles yet. Run `andon agents add <name> --role reviewer --rule "security/*"`.');
    line(styled('dim', `drivers that a profile may name: ${drivers.join(', ')}`));
    printFaults(faults);
  }
  return faults.length > 0 ? 2 : 0;
}

async function show(invocation: Invocation, name: string): Promise<number> {
  const root = await rootOf(invocation);
  const profile = profileOf(root, name);
  const book = await readProjectRulebook(root, { selfTests: false });
  if (flag(invocation.options, 'json')) {
    json(asFacts(profile, book));
    return 0;
  }
  const { kept, idle } = heldTo(profile, book);
  line(`${profile.name}  ${styled('dim', `from ${inOneTerminalLine(profile.file, 80)}`)}`);
  line(`driver       ${inOneTerminalLine(profile.driver ?? 'none: it only says which rules hold', 80)}`);
  if (profile.model !== undefined) line(`model        ${inOneTerminalLine(profile.model, 80)}`);
  if (profile.edits) line('edits        yes: as an implementer it works on the files itself');
  line(`roles        ${profile.roles.join(', ') || 'none'}`);
  line(`enforcement  ${profile.enforcement ?? 'as the project'}`);
  line(`rules        ${inOneTerminalLine(profile.rules.join(', '), 200)}: ${kept.length} of ${book.rules.length}`);
  for (const pattern of idle) line(`             no rule is named by ${inOneTerminalLine(pattern, 80)}`);
  printRules(book.rules.filter(({ rule }) => kept.includes(rule)));
  return 0;
}

async function add(invocation: Invocation, name: string): Promise<number> {
  const { options } = invocation;
  const mode = textOption(options, 'enforcement');
  const place = await findPlace(invocation.cwd, invocation.env);
  const driver = driverOf(place, textOption(options, 'driver'));
  const edits = flag(options, 'edits');
  if (edits) refuseToEdit(place, driver);
  const file = addProfile(place.facts.root, name, {
    roles: textsOption(options, 'role').map((role) => oneOf<AgentRole>('--role', role, AGENT_ROLES)),
    rules: textsOption(options, 'rule'),
    enforcement: mode === undefined ? undefined : oneOf<Mode>('--enforcement', mode, MODES),
    driver,
    model: textOption(options, 'model'),
    edits,
  });
  if (flag(options, 'json')) json({ file });
  else line(`wrote ${name} into ${inOneTerminalLine(file)}; andon agents show ${name} lists its rules`);
  return 0;
}

/** The name of a driver that is known; undefined where none was named. */
function driverOf(place: Place, written: string | undefined): string | undefined {
  return written === undefined ? undefined : oneOf('--driver', written, driverNames(driverSources(place)));
}

/** Refuses what cannot be let at files, with those drivers that can. */
function refuseToEdit(place: Place, driver: string | undefined): void {
  const editors = editingDrivers(driverSources(place));
  if (driver !== undefined && editors.includes(driver)) return;
  throw mistake(
    driver === undefined
      ? `--edits needs --driver. Known: ${editors.join(', ')}.`
      : `${driver} does not edit files itself. Known: ${editors.join(', ')}.`,
    runCommand(`andon agents add NAME --edits --driver ${editors[0] ?? 'codex'}`),
  );
}

/** The subject as in `andon check`; by default the change of this branch. */
async function validate(invocation: Invocation, name: string): Promise<number> {
  const { options } = invocation;
  const profile = profileOf(await rootOf(invocation), name);
  const isNamed = givenOf(options, LOOKS).length > 0;
  if (isNamed && options['base'] !== undefined)
    throw conflictingOptions(
      ['--base', '--plan, --contract, --file, --diff or --staged'],
      `andon agents run ${name} --base main`,
    );
  const look = isNamed ? await lookOf(invocation) : { base: await baseBranch(invocation) };
  const surface = isNamed ? (look.staged === undefined ? 'gate' : 'pre-commit') : 'ci';
  return report(invocation, { look, surface, phase: undefined, task: undefined, profile });
}

function asFacts(profile: AgentProfile, book: Parameters<typeof heldTo>[1]): object {
  const { kept, idle } = heldTo(profile, book);
  const { name, roles, rules, enforcement, driver = null, model = null, edits, file } = profile;
  const held = kept.map(({ id }) => id);
  return { name, roles, rules, enforcement: enforcement ?? null, driver, model, edits, file, held_to: held, idle };
}

/** The driver and model of a profile, as a part of a line. */
const driverInWords = ({ driver, model, edits }: AgentProfile): string =>
  driver === undefined
    ? ''
    : `  by ${inOneTerminalLine(`${driver}${model === undefined ? '' : ` ${model}`}`, 60)}${edits ? ', on the files itself' : ''}`;

function oneOf<Word extends string>(option: string, written: string, known: readonly Word[]): Word {
  const word = known.find((one) => one === written);
  if (word !== undefined) return word;
  throw unknownWord(`value of ${option}`, written, known, 'andon agents add --help');
}
