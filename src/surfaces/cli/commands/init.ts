import { CONFIG } from '../../../config/config.ts';
import { asWritten } from '../../../contract/task-contract-normalise.ts';
import { initProject, lookAtConfig, sealedPage } from '../../../setup/init.ts';
import type { InitResult } from '../../../setup/init.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { parseGate } from '../../../contract/gate.ts';
import { demandGates, faultInValues, proposeConfig } from '../../../setup/propose-config.ts';
import type { ConfigValues, NamedGate, Surroundings } from '../../../setup/propose-config.ts';
import { mistake } from '../../../base/problem.ts';
import { askSetup } from '../ask-setup.ts';
import { flag, textOption, textsOption } from '../options.ts';
import { json, line, styled } from '../print.ts';
import { converse, mayAsk } from '../prompts.ts';
import { invalidValue, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon init`: asks in a terminal, goes by flags and what it finds elsewhere; what a human wrote is left alone. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const given = valuesGiven(options);
  const place = await findPlace(cwd, env);
  const { root } = place.facts;
  const before = lookAtConfig(root);
  const asks = mayAsk(invocation) && before.whose !== 'a human';
  const { proposed, around } = await proposeConfig(place, env, { detect: options['detect'] !== false, models: asks });
  const earlier = before.whose === 'init' ? before.values : {};
  const values = demandGates({ ...proposed, ...earlier, ...given });
  await refuseFaults(values, given, around);
  if (flag(options, 'print')) {
    process.stdout.write(sealedPage(values));
    return 0;
  }
  const finish = (decided: ConfigValues): number => {
    const page = demandGates(decided);
    report(invocation, root, initProject(root, page, place.inboxRoot), page, around);
    return 0;
  };
  if (!asks) return finish(values);
  return converse('andon init', async (ask) => {
    const decided = await askSetup(ask, values, given, around);
    if (decided !== undefined) return finish(decided);
    line('Nothing was written.');
    return 1;
  });
}

function valuesGiven(options: Invocation['options']): ConfigValues {
  const gates = textsOption(options, 'gate').map(gateOf);
  const setup = textsOption(options, 'setup');
  const share = textsOption(options, 'share').map((path) => path.replace(/\/+$/, ''));
  const target = textOption(options, 'target');
  const judge = textOption(options, 'judge');
  const implementers = textsOption(options, 'implementer');
  const reviewer = textOption(options, 'reviewer');
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

async function refuseFaults(values: ConfigValues, given: ConfigValues, around: Surroundings): Promise<void> {
  const why = faultInValues(values) ?? (given.target === undefined ? undefined : await around.isBranch(given.target));
  if (why !== undefined) throw mistake(why, runCommand('andon init --help', 'to see the options'));
}

function report(
  { options }: Invocation,
  root: string,
  result: InitResult,
  values: ConfigValues,
  { notes, found }: Surroundings,
): void {
  if (flag(options, 'json')) {
    json({ repository: root, found, ...result });
    return;
  }
  for (const path of result.made) line(`${styled('green', 'made')}  ${path}`);
  for (const path of result.rewritten) line(`${styled('green', 'new')}   ${path} (written by andon, not edited since)`);
  for (const path of result.kept)
    line(
      result.different.includes(path)
        ? `${styled('yellow', 'kept')}  ${path}: not as this andon would write it, and not andon's to change; ${HOW_TO_SEE[path] ?? ''}`
        : `kept  ${path} (it was there already)`,
    );
  if (result.different.includes(CONFIG)) return line(`${COMMIT} Next: \`andon doctor\`, then \`andon new\`.`);
  for (const note of notes) line(`note  ${note}`);
  if (values.gates === undefined)
    line("note  no gate was found: only the reviewers decide; name one: andon init --gate 'test=npm test'");
  line(`Next: look at .andon/config.yaml. ${COMMIT} Then \`andon doctor\`, then \`andon new\`.`);
}

const COMMIT = 'It counts once it is committed: git add .andon && git commit.';

const HOW_TO_SEE: Readonly<Record<string, string>> = {
  [CONFIG]: '`andon init --print` shows what andon would write',
  '_handoff/README.md': 'remove it and run `andon init` to get the page of this version',
};
