import { CONFIG } from '../../../project/config/read-settings.ts';
import { toWritten } from '../../../project/contract/task-contract.ts';
import { initProject, lookAtConfig, sealPage, type InitResult } from '../../setup/init-project.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { toTerminalLine, toTerminal } from '../../../base/plain-text.ts';
import { tryGates, type GateTrial } from '../../setup/doctor/try-gates.ts';
import { createProgress } from '../create-progress.ts';
import { parseGate } from '../../../project/contract/gate.ts';
import {
  chooseRoles,
  demandGates,
  describeRoles,
  explainUnable,
  checkValues,
  proposeConfig,
  type ConfigValues,
  type NamedGate,
  type InitContext,
  formatGate,
  listImplementers,
} from '../../setup/propose-config.ts';
import { PROFILES } from '../../../rules/files/project-files.ts';
import { withoutGaps } from '../../../base/without-gaps.ts';
import { createUsageError } from '../../../base/problem.ts';
import { hasFlag, readTextOption, readTextsOption } from '../options.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { runPrompts, mayAsk, type Prompts } from '../prompts.ts';
import { invalidValue, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';
import { renderConfigPage } from '../../../project/config/config-page.ts';

/** `andon init`: asks in a terminal, goes by flags and what it finds elsewhere; what a human wrote is left alone. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const given = valuesGiven(options);
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const { root } = place.facts;
  const before = lookAtConfig(root);
  const isOurs = before.whose !== 'a human';
  const asks = mayAsk(invocation) && isOurs;
  const isDetected = options['detect'] !== false;
  const { proposed, around } = await proposeConfig(place, env, { detect: isDetected });
  const earlier: ConfigValues = before.whose === 'init' ? before.values : {};
  const unable = explainUnable(given.roles ?? {}, around);
  if (unable !== undefined) throw createUsageError(unable.why, unable.remedy);
  const isChosen =
    given.roles !== undefined || ((around.models ?? []).length === 0 && !asks && earlier.roles === undefined);
  const chosen = isDetected && isOurs && isChosen ? await chooseRoles(around, given.roles) : undefined;
  const roles = given.roles === undefined ? chosen : { ...chosen, ...given.roles };
  const configured = earlier.gates ?? place.settings.gates;
  // Gates that were left out and can run now.
  const returned = (proposed.gates ?? []).filter((gate) => !isAmong(configured, gate) && isAmong(before.leftOut, gate));
  const hoped = demandGates({
    ...proposed,
    ...withoutGaps({ roles }),
    ...earlier,
    ...(earlier.gates === undefined ? {} : { gates: [...earlier.gates, ...returned] }),
    ...given,
    ...(given.roles && { roles }),
  });
  const fault = checkValues(hoped) ?? (given.target === undefined ? undefined : await around.isBranch(given.target));
  if (fault !== undefined) throw createUsageError(fault, runCommand('andon init --help', 'to see the options'));
  const mayTry = isOurs && options['try'] !== false && !hasFlag(options, 'print');
  const isFound = before.whose === 'none' && given.setup === undefined && given.gates === undefined;
  const trial = mayTry
    ? await tryFound(place, env, hoped, listNew(hoped, earlier, given), isFound ? around.unprepared : undefined)
    : { wanted: hoped, ...NOT_TRIED };
  const { values, leftOut, notes } = settleGates(trial, listNew(trial.wanted, earlier, given), around);
  const news = { ...around, notes, leftOut, returned };
  const withRoles = async ({ roles: named }: ConfigValues): Promise<readonly string[]> => {
    const said = isDetected && isOurs ? await describeRoles(named, around) : [];
    return [...notes, ...said.map((note) => toTerminalLine(note, 400))];
  };
  if (hasFlag(options, 'print')) {
    if (hasFlag(options, 'json'))
      printJson({ repository: root, found: news.found, notes: await withRoles(values), config: values });
    else process.stdout.write(sealPage(values, leftOut));
    return 0;
  }
  const finish = async (decided: ConfigValues): Promise<number> => {
    const page = demandGates(decided);
    const agents = isOurs ? listNamedDrivers(page, around) : [];
    const written = initProject(root, page, place.inboxRoot, { leftOut, agents });
    report(invocation, root, written, page, { ...news, notes: await withRoles(page) });
    return 0;
  };
  if (!asks) return finish(values);
  return runPrompts('andon init', async (ask) => {
    const decided = await askSetup(ask, values, given, news);
    if (decided !== undefined) return await finish(decided);
    printLine('Nothing was written.');
    return 1;
  });
}

/** The drivers that a page names, without those that a profile of another file is called like. */
function listNamedDrivers({ roles }: ConfigValues, { drivers, profiles }: InitContext): InitContext['drivers'] {
  const named = [roles?.implementer, roles?.local_reviewer].flat();
  const isElsewhere = (name: string): boolean =>
    profiles.profiles.some((one) => one.name === name && one.file !== `${PROFILES}/${name}.yaml`);
  return drivers.filter(({ driver }) => named.includes(driver) && !isElsewhere(driver));
}

/** What is written after a trial: the green gates, those that are left out with the reason, and notes about both. */
function settleGates(
  { wanted, notGreen, behindBuild, untried }: GateTrial & { readonly wanted: ConfigValues },
  found: readonly NamedGate[],
  around: InitContext,
) {
  const isGreen = ({ name }: NamedGate): boolean => !notGreen.has(name);
  const putBehind = (gate: NamedGate): NamedGate => ({ ...gate, run: behindBuild.get(gate.name) ?? gate.run });
  const leftOut = [
    ...around.leftOut.filter((gate) => !isAmong(wanted.gates ?? [], gate)),
    ...found.flatMap(({ name, run: command }) => {
      const why = notGreen.get(name);
      return why === undefined ? [] : [{ name, run: command, why: toTerminalLine(why, 600) }];
    }),
  ];
  const notes = [
    ...around.notes,
    ...(untried === undefined ? [] : [untried]),
    ...[...behindBuild].map(
      ([name, command]) => `gate \`${name}\` is red without the build, so it runs \`${command}\``,
    ),
    ...leftOut.map(
      ({ name, run: command, why }) =>
        `gate \`${name}\` (${command}) is left out: ${why}. Run \`andon init\` again once that is changed.`,
    ),
  ];
  return { values: demandGates({ ...wanted, gates: wanted.gates?.filter(isGreen).map(putBehind) }), leftOut, notes };
}

const isAmong = (gates: readonly { readonly name: string }[], { name }: NamedGate): boolean =>
  gates.some((one) => one.name === name);

/** The gates that were found in the project: neither given by a flag nor decided before. */
const listNew = (wanted: ConfigValues, earlier: ConfigValues, given: ConfigValues): readonly NamedGate[] =>
  given.gates === undefined ? (wanted.gates ?? []).filter((gate) => !isAmong(earlier.gates ?? [], gate)) : [];

const NOT_TRIED: GateTrial = { notGreen: new Map(), behindBuild: new Map() };

/** The words before the reason where gates were not tried. */
const UNTRIED = /^gates were not tried: (?:gate .*? cannot be run on the base: )?/;

/** Tries what was found. Where its setup cannot run, gates that are all green without one take its place. */
async function tryFound(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  wanted: ConfigValues,
  gates: readonly NamedGate[],
  unprepared: ConfigValues | undefined,
): Promise<GateTrial & { readonly wanted: ConfigValues }> {
  if (gates.length === 0) return { wanted, ...NOT_TRIED };
  const progress = createProgress();
  const tryPage = (page: ConfigValues): Promise<GateTrial> =>
    tryGates(place, env, sealPage(page), (doing) => progress.show(doing));
  try {
    const trial = await tryPage({ setup: wanted.setup, share: wanted.share, gates });
    if (trial.untried === undefined || unprepared?.gates === undefined) return { wanted, ...trial };
    const { notGreen, behindBuild, untried } = await tryPage(unprepared);
    if (untried !== undefined || notGreen.size > 0) return { wanted, ...trial };
    return {
      wanted: demandGates({ ...wanted, ...unprepared }),
      notGreen,
      behindBuild,
      untried: `no setup: gates use what is installed here, because ${toTerminalLine(trial.untried.replace(UNTRIED, ''), 240)}`,
    };
  } finally {
    progress.clear();
  }
}

function valuesGiven(options: Invocation['options']): ConfigValues {
  const list = (name: string): readonly string[] | undefined => {
    const texts = readTextsOption(options, name);
    return texts.length === 0 ? undefined : texts;
  };
  const implementers = list('implementer');
  const roles = withoutGaps({
    implementer: implementers && toWritten(implementers),
    local_reviewer: readTextOption(options, 'reviewer'),
  });
  return withoutGaps({
    target: readTextOption(options, 'branch'),
    setup: list('setup'),
    share: list('share')?.map((path) => path.replace(/\/+$/, '')),
    gates: list('gate')?.map(gateOf),
    judge: readTextOption(options, 'judge'),
    roles: Object.keys(roles).length === 0 ? undefined : roles,
  });
}

function gateOf(written: string): NamedGate {
  const gate = parseGate(written);
  if (gate !== undefined) return gate;
  throw invalidValue('--gate', written, 'name=command', "andon init --gate 'test=npm test'");
}

function report(
  { options }: Invocation,
  root: string,
  result: InitResult,
  values: ConfigValues,
  { notes, returned, ...around }: InitContext & { readonly returned: readonly NamedGate[] },
): void {
  if (hasFlag(options, 'json')) {
    printJson({ repository: root, found: around.found, notes, ...result });
    return;
  }
  for (const path of result.made) printLine(`${colourText('green', 'made')}  ${path}`);
  for (const path of result.rewritten)
    printLine(`${colourText('green', 'new')}   ${path} (written by andon, not edited since)`);
  for (const path of result.kept)
    printLine(
      result.different.includes(path)
        ? `${colourText('yellow', 'kept')}  ${path}: not as this andon would write it, and not andon's to change; ${HOW_TO_SEE[path] ?? 'remove it and run `andon init` to write it again'}`
        : `kept  ${path} (it was there already)`,
    );
  if (result.different.includes(CONFIG))
    for (const gate of returned)
      printLine(`note  gate \`${gate.name}\` can run now: add it to \`gates\` in ${CONFIG}: - ${JSON.stringify(gate)}`);
  if (result.different.includes(CONFIG))
    return printLine(`${COMMIT} Next: \`andon doctor --fix\`, then \`andon new\`.`);
  for (const note of notes) printLine(`note  ${note}`);
  if (values.gates === undefined)
    printLine(
      around.leftOut.length === 0
        ? `note  no gate was found: only the reviewers decide. Name one: andon init --gate 'test=${exampleGate(around)}'`
        : 'note  no gate that was found can run (see above): only the reviewers decide. Mend that and run `andon init` again.',
    );
  printLine(`Next: look at .andon/config.yaml. ${COMMIT} Then \`andon doctor --fix\`, then \`andon new\`.`);
}

const COMMIT = 'It counts once it is committed: git add :/.andon && git commit.';

const HOW_TO_SEE: Readonly<Record<string, string>> = {
  [CONFIG]: '`andon init --print` shows what andon would write',
  '_handoff/README.md': 'remove it and run `andon init` to get the page of this version',
};

/** Asks what the project's files leave open, at most three questions; returns what to write, or undefined. */
async function askSetup(
  ask: Prompts,
  proposed: ConfigValues,
  given: ConfigValues,
  around: InitContext,
): Promise<ConfigValues | undefined> {
  const { found, notes } = around;
  ask.say(found.length > 0 ? `Found here: ${found.join(', ')}.` : 'No stack that andon knows was found here.');
  for (const note of notes) ask.warn(note);
  const roles = given.roles === undefined ? await askRoles(ask, proposed.roles, around) : proposed.roles;
  const gates = given.gates ?? (await askGates(ask, proposed.gates ?? [], around));
  const values = demandGates({ ...proposed, roles, gates: gates.length === 0 ? undefined : gates });
  ask.show('.andon/config.yaml', toTerminal(renderConfigPage(values)).trimEnd());
  const answer = await ask.choose('Write it, and _handoff/?', [
    { value: 'write', label: 'Write' },
    { value: 'leave', label: 'Leave without writing anything' },
  ]);
  return answer === 'write' ? values : undefined;
}

async function askRoles(
  ask: Prompts,
  earlier: ConfigValues['roles'],
  around: InitContext,
): Promise<ConfigValues['roles']> {
  const names = listImplementers(around);
  if (earlier !== undefined || names.length < 2) return earlier ?? chooseRoles(around);
  const usual = (await chooseRoles(around))?.implementer ?? around.standard.implementer;
  const answer = await ask.choose(
    'Which agent implements?',
    names.map((name) => ({ value: name, label: toTerminalLine(name, 80) })),
    [usual].flat()[0],
  );
  return chooseRoles(around, { implementer: answer });
}

/** A command of tests in the language of the project. */
const exampleGate = ({ found }: Pick<InitContext, 'found'>): string =>
  EXAMPLES.find(([names]) => found.some((name) => names.test(name)))?.[1] ?? 'npm test';

const EXAMPLES: readonly (readonly [names: RegExp, run: string])[] = [
  [/^(?:python|uv|poetry|pip)/, 'python3 -m pytest'],
  [/^go$/, 'go test ./...'],
  [/^cargo$/, 'cargo test'],
  [/^bundler$/, 'bundle exec rake test'],
  [/^maven$/, 'mvn --offline test'],
  [/^composer$/, 'vendor/bin/phpunit'],
];

async function askGates(
  ask: Prompts,
  proposed: NonNullable<ConfigValues['gates']>,
  around: InitContext,
): Promise<NonNullable<ConfigValues['gates']>> {
  if (proposed.length === 0) {
    const line = await ask.text('Which command must pass?', {
      hint: `for example ${exampleGate(around)}; leave it empty for none: then only the reviewers decide`,
    });
    return line.trim() === '' ? [] : [/^[\w-]+=/.test(line) ? gateOf(line) : { name: 'test', run: line.trim() }];
  }
  const choices = proposed.map((gate) => ({ value: gate.name, label: toTerminalLine(formatGate(gate), 100) }));
  const chosen = await ask.chooseSeveral('Which gates run on every change? (Space selects)', choices);
  return proposed.filter(({ name }) => chosen.includes(name));
}
