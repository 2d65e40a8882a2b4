import { CONFIG } from '../../../config/read-settings.ts';
import { asWritten } from '../../../contract/task-contract-normalise.ts';
import { initProject, lookAtConfig, sealPage, type InitResult } from '../../../setup/init.ts';
import { loadWorkspace, type Workspace } from '../../../wiring/load-workspace.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { tryGates, type GateTrial } from '../../../setup/doctor/try-gates.ts';
import type { LeftOutGate } from '../../../setup/stack.ts';
import { createProgress } from '../progress.ts';
import { parseGate } from '../../../contract/gate.ts';
import {
  chooseRoles,
  demandGates,
  checkValues,
  proposeConfig,
  type ConfigValues,
  type NamedGate,
  type InitContext,
} from '../../../setup/propose-config.ts';
import { createUsageError } from '../../../base/problem.ts';
import { askSetup } from '../ask-setup.ts';
import { hasFlag, readTextOption, readTextsOption } from '../options.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { runPrompts, mayAsk } from '../prompts.ts';
import { invalidValue, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon init`: asks in a terminal, goes by flags and what it finds elsewhere; what a human wrote is left alone. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const given = valuesGiven(options);
  const place = await loadWorkspace(cwd, env);
  const { root } = place.facts;
  const before = lookAtConfig(root);
  const asks = mayAsk(invocation) && before.whose !== 'a human';
  const { proposed, around } = await proposeConfig(place, env, { detect: options['detect'] !== false });
  const earlier = before.whose === 'init' ? before.values : {};
  const roles = around.models === undefined && !asks ? chooseRoles(around) : undefined;
  const fresh = roles === undefined ? proposed : { ...proposed, roles };
  const hoped = demandGates({ ...fresh, ...earlier, ...withReturned(earlier, proposed, before.leftOut), ...given });
  await refuseFaults(hoped, given, around);
  const mayTry = before.whose !== 'a human' && options['try'] !== false && !hasFlag(options, 'print');
  const isFound = before.whose === 'none' && given.setup === undefined && given.gates === undefined;
  const { wanted, notGreen, behindBuild, untried } = mayTry
    ? await tryFound(place, env, hoped, listNew(hoped, earlier, given), isFound ? around.unprepared : undefined)
    : { wanted: hoped, ...NOT_TRIED };
  const found = listNew(wanted, earlier, given);
  const isGreen = ({ name }: NamedGate): boolean => !notGreen.has(name);
  const putBehind = (gate: NamedGate): NamedGate => ({ ...gate, run: behindBuild.get(gate.name) ?? gate.run });
  const values = demandGates({ ...wanted, gates: wanted.gates?.filter(isGreen).map(putBehind) });
  const leftOut = [
    ...around.leftOut.filter(({ name }) => !(wanted.gates ?? []).some((gate) => gate.name === name)),
    ...found.flatMap(({ name, run: command }) => {
      const why = notGreen.get(name);
      return why === undefined ? [] : [{ name, run: command, why: toTerminalLine(why, 200) }];
    }),
  ];
  if (hasFlag(options, 'print')) {
    process.stdout.write(sealPage(values, leftOut));
    return 0;
  }
  const news = {
    ...around,
    notes: [
      ...around.notes,
      ...(untried === undefined ? [] : [untried]),
      ...[...behindBuild].map(describeBehind),
      ...leftOut.map(describeLeftOut),
    ],
    returned: listReturned(place.settings.gates, proposed, before.leftOut),
  };
  const finish = (decided: ConfigValues): number => {
    const page = demandGates(decided);
    const named = [page.roles?.implementer, page.roles?.local_reviewer].flat();
    const agents = around.agents.filter(({ driver }) => named.includes(driver));
    report(invocation, root, initProject(root, page, place.inboxRoot, { leftOut, agents }), page, news);
    return 0;
  };
  if (!asks) return finish(values);
  return runPrompts('andon init', async (ask) => {
    const decided = await askSetup(ask, values, given, news);
    if (decided !== undefined) return finish(decided);
    printLine('Nothing was written.');
    return 1;
  });
}

/** The gates of an earlier page, and those that it left out and that can run now. */
function withReturned(
  earlier: ConfigValues,
  proposed: ConfigValues,
  leftOut: readonly { readonly name: string }[],
): ConfigValues {
  if (earlier.gates === undefined) return {};
  return { gates: [...earlier.gates, ...listReturned(earlier.gates, proposed, leftOut)] };
}

/** The gates that were left out, can run now, and are not configured. */
const listReturned = (
  configured: readonly { readonly name: string }[],
  { gates = [] }: ConfigValues,
  leftOut: readonly { readonly name: string }[],
): readonly NamedGate[] =>
  gates.filter(({ name }) => configured.every((one) => one.name !== name) && leftOut.some((one) => one.name === name));

/** The gates that were found in the project: neither given by a flag nor decided before. */
const listNew = (wanted: ConfigValues, earlier: ConfigValues, given: ConfigValues): readonly NamedGate[] =>
  given.gates === undefined
    ? (wanted.gates ?? []).filter(({ name }) => (earlier.gates ?? []).every((one) => one.name !== name))
    : [];

const NOT_TRIED: GateTrial = { notGreen: new Map(), behindBuild: new Map() };

/** What stands before the reason where gates were not tried. */
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

const describeBehind = ([name, command]: readonly [string, string]): string =>
  `gate \`${name}\` is red without the build, so it runs \`${command}\``;

const describeLeftOut = ({ name, run: command, why }: LeftOutGate): string =>
  `gate \`${name}\` (${command}) is left out: ${why}. Run \`andon init\` again once that is changed.`;

function valuesGiven(options: Invocation['options']): ConfigValues {
  const gates = readTextsOption(options, 'gate').map(gateOf);
  const setup = readTextsOption(options, 'setup');
  const share = readTextsOption(options, 'share').map((path) => path.replace(/\/+$/, ''));
  const target = readTextOption(options, 'target');
  const judge = readTextOption(options, 'judge');
  const implementers = readTextsOption(options, 'implementer');
  const reviewer = readTextOption(options, 'reviewer');
  const roles = {
    ...(implementers.length === 0 ? {} : { implementer: asWritten(implementers) }),
    ...(reviewer === undefined ? {} : { local_reviewer: reviewer }),
  };
  return {
    ...(target === undefined ? {} : { target }),
    ...(setup.length === 0 ? {} : { setup }),
    ...(share.length === 0 ? {} : { share }),
    ...(gates.length === 0 ? {} : { gates }),
    ...(judge === undefined ? {} : { judge }),
    ...(Object.keys(roles).length === 0 ? {} : { roles }),
  };
}

function gateOf(written: string): NamedGate {
  const gate = parseGate(written);
  if (gate !== undefined) return gate;
  throw invalidValue('--gate', written, 'name=command', "andon init --gate 'test=npm test'");
}

async function refuseFaults(values: ConfigValues, given: ConfigValues, around: InitContext): Promise<void> {
  const why = checkValues(values) ?? (given.target === undefined ? undefined : await around.isBranch(given.target));
  if (why !== undefined) throw createUsageError(why, runCommand('andon init --help', 'to see the options'));
}

function report(
  { options }: Invocation,
  root: string,
  result: InitResult,
  values: ConfigValues,
  { notes, found, returned }: InitContext & { readonly returned: readonly NamedGate[] },
): void {
  if (hasFlag(options, 'json')) {
    printJson({ repository: root, found, ...result });
    return;
  }
  for (const path of result.made) printLine(`${colourText('green', 'made')}  ${path}`);
  for (const path of result.rewritten)
    printLine(`${colourText('green', 'new')}   ${path} (written by andon, not edited since)`);
  for (const path of result.kept)
    printLine(
      result.different.includes(path)
        ? `${colourText('yellow', 'kept')}  ${path}: not as this andon would write it, and not andon's to change; ${HOW_TO_SEE[path] ?? ''}`
        : `kept  ${path} (it was there already)`,
    );
  if (result.different.includes(CONFIG))
    for (const gate of returned)
      printLine(`note  gate \`${gate.name}\` can run now: add it to \`gates\` in ${CONFIG}: - ${JSON.stringify(gate)}`);
  if (result.different.includes(CONFIG)) return printLine(`${COMMIT} Next: \`andon doctor\`, then \`andon new\`.`);
  for (const note of notes) printLine(`note  ${note}`);
  if (values.gates === undefined)
    printLine("note  no gate was found: only the reviewers decide; name one: andon init --gate 'test=npm test'");
  printLine(`Next: look at .andon/config.yaml. ${COMMIT} Then \`andon doctor\`, then \`andon new\`.`);
}

const COMMIT = 'It counts once it is committed: git add .andon && git commit.';

const HOW_TO_SEE: Readonly<Record<string, string>> = {
  [CONFIG]: '`andon init --print` shows what andon would write',
  '_handoff/README.md': 'remove it and run `andon init` to get the page of this version',
};
