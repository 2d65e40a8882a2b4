import type { Argument } from '../../project/config/driver-arguments.ts';
import type { Driver } from '../../project/config/read-driver.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { isDiskTrouble } from '../../base/disk-trouble.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';
import { isOlder, findVersion } from '../../base/find-version.ts';
import type { Agent, AgentCall, CallOutcome } from '../agent.ts';
import type { Ending } from '../../sandbox/processes/command.ts';
import type { RunProgram } from '../../sandbox/processes/run.ts';
import { describeEarlyEnd, failCall, followedCall, isUndecided, readIdentity } from './agent-program.ts';
import { readDriverOutcome, usageFilePath, readUsageFile } from './driver-outcome.ts';
import { followProgram } from './follow-program.ts';
import { createEditing, runEditing, type EditingContext } from './editing.ts';
import {
  fillArguments,
  fillPlaceholders,
  freshHome,
  isNothing,
  writeHomeFiles,
  type Values,
} from './fill-placeholders.ts';
import type { PrivateFolder } from './private-folder.ts';
import { machineTime, type Now } from './reset-time.ts';

const QUESTION_MS = 30_000;

/** The surroundings of a driven program; `env` is its whole environment except its home. */
export interface DrivenContext extends Omit<EditingContext, 'now'> {
  readonly now?: () => Now;
}

/** An agent defined by data: the driver says how to start, ask and understand a program. */
export function createDrivenAgent(
  driver: Driver,
  { run, env, privateFolder, now = machineTime, enclosure }: DrivenContext,
): Agent {
  const { name, calls, prompt: way } = driver;
  const ask = (args: readonly string[]): Promise<Ending> =>
    run({
      program: driver.program,
      args: [...driver.args, ...args],
      cwd: '/',
      env: { ...env, ...fillPlaceholders(driver.env, { model: driver.model, home: env['HOME'] }) },
      input: '',
      signal: new AbortController().signal,
      hardMs: QUESTION_MS,
    });
  const fit = async (): Promise<Outcome<string, string>> => {
    const ending = driver.version && (await ask(driver.version.args));
    return ending === undefined || isUndecided(name, ending)
      ? success('of unknown version')
      : readVersion(driver, ending);
  };
  const editing = createEditing(driver, { enclosure, env });
  const runCall = async (call: AgentCall, watched: RunProgram): Promise<CallOutcome> => {
    if (call.edit !== undefined && calls.edit !== undefined)
      return runEditing(
        driver,
        calls.edit,
        { ...call, edit: call.edit },
        { run: watched, enclosure, env, privateFolder, now },
      );
    const args = call.schema === undefined ? calls.text : calls.review;
    const kind = call.schema === undefined ? 'text' : 'review';
    if (args === undefined) return failCall('refused', `${name} takes no ${kind} call; its driver has none`);
    const asked = { ...call, prompt: withSchema(call, args) };
    const bytes = Buffer.byteLength(asked.prompt);
    if (bytes > way.maxBytes)
      return failCall('too-long', `the prompt has ${bytes} bytes; ${name} takes ${way.maxBytes}`);
    const place = privateFolder();
    try {
      const story = followProgram(driver.output, call.show);
      const given = prepareValues(driver, asked, place, env);
      const ending = await watched({
        program: driver.program,
        args: [...driver.args, ...fillArguments(args, given.values)],
        cwd: call.folder,
        env: { ...env, ...fillPlaceholders(driver.env, given.values), ...given.env },
        input: way.via === 'stdin' ? asked.prompt : '',
        ...followedCall(call, story, driver.end),
        onlyOutput: driver.output.only_output,
      });
      const output = story.story();
      const counted = readUsageFile(driver.output, place) ?? output.counted;
      return readDriverOutcome(driver, ending, { ...output, counted }, call, now());
    } finally {
      place.remove();
    }
  };
  return {
    id: name,
    ...(editing === undefined ? {} : { editing }),
    worksAsYou: true,
    writesText: calls.text !== undefined,
    capabilities: { billing: driver.billing, takesBudget: usesPlaceholder(driver, 'max_usd'), hasWindow: false },
    worksAt: [
      ...(calls.text === undefined && calls.edit === undefined ? [] : (['implementer'] as const)),
      ...(calls.review === undefined ? [] : (['local-reviewer'] as const)),
      ...(calls.review === undefined || driver.output.opened === undefined ? [] : (['judge'] as const)),
    ],
    run: (call) => failUnprepared(name, run, (watched) => runCall(call, watched)),
    fit,
    explainMissingOptions: () => explainMissingOptions(driver, ask),
    async probe(model) {
      const version = await fit();
      if (!version.ok) return version;
      const faults = await Promise.all([
        explainMissingOptions(driver, ask),
        findLoginFault(driver, { ...env, ...driver.env }, ask),
      ]);
      const why = faults.find((fault) => fault !== undefined);
      if (why !== undefined) return failure(why);
      const named = model === '' ? '' : `, model ${toTerminalLine(model, 60)} (not asked)`;
      return success(`${name} ${version.value}${driver.login === undefined ? ', login not checked' : ''}${named}`);
    },
  };
}

/** Runs a call; what is thrown before its program runs is a failure without usage, for no model was asked. */
async function failUnprepared(
  name: string,
  run: RunProgram,
  call: (watched: RunProgram) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  let hasRun = false;
  try {
    return await call((command) => {
      hasRun = true;
      return run(command);
    });
  } catch (error) {
    if (hasRun) throw error;
    const why = getErrorMessage(error);
    return failCall(isDiskTrouble(why) ? 'unavailable' : 'refused', `the call of ${name} cannot be prepared: ${why}`);
  }
}

/** The prompt, with the schema of the answer where no argument hands that over. */
function withSchema({ prompt, schema }: AgentCall, args: readonly Argument[]): string {
  if (schema === undefined || args.flat().some((one) => /\{schema(?:_file)?\}/.test(one))) return prompt;
  return `${prompt}\n\nAnswer with one JSON object that fits this JSON Schema, and no other text:\n${JSON.stringify(schema)}`;
}

/** Whether a call that does not edit has a placeholder. */
const usesPlaceholder = ({ calls }: Driver, word: string): boolean =>
  [...(calls.text ?? []), ...(calls.review ?? [])].flat().some((one) => one.includes(`{${word}}`));

/** The values of a call for arguments and environment; files are in its private folder. */
function prepareValues(
  driver: Driver,
  { prompt, schema, model, maxUsd }: AgentCall,
  place: PrivateFolder,
  env: Readonly<Record<string, string>>,
): { readonly values: Values; readonly env: Readonly<Record<string, string>> } {
  const isFresh = driver.home === 'fresh';
  const home = isFresh ? place.folder('home') : env['HOME'];
  if (isFresh) writeHomeFiles(place, driver.homeFiles);
  const asJson = schema && JSON.stringify(schema);
  return {
    values: {
      model: model === '' ? driver.model : model,
      prompt: driver.prompt.via === 'argument' ? prompt : undefined,
      prompt_file: driver.prompt.via === 'file' ? place.write('prompt.txt', prompt) : undefined,
      schema: asJson,
      schema_file:
        asJson !== undefined && usesPlaceholder(driver, 'schema_file') ? place.write('schema.json', asJson) : undefined,
      home,
      usage_file: usesPlaceholder(driver, 'usage_file') ? usageFilePath(place) : undefined,
      max_usd: maxUsd?.toFixed(4),
    },
    env: isFresh && home !== undefined ? freshHome(home) : {},
  };
}

function readVersion({ name, version, program }: Driver, ending: Ending): Outcome<string, string> {
  const remedy = version?.remedy === undefined ? '' : `: \`${version.remedy}\``;
  const line = readIdentity({ name, program, remedy }, ending, (one) => version?.fits(one) === true);
  if (!line.ok) return line;
  const found = findVersion(line.value);
  if (version?.from !== undefined && (found === undefined || isOlder(found, version.from)))
    return failure(
      `${name} ${found ?? 'of unknown version'} is older than ${version.from}, the oldest that andon drives; an old Node.js lets npm install an old ${name} without a word${remedy}`,
    );
  return success(found ?? 'of unknown version');
}

async function explainMissingOptions(
  { name, isolates, version }: Driver,
  ask: (args: readonly string[]) => Promise<Ending>,
): Promise<string | undefined> {
  if (isolates === undefined) return undefined;
  const ending = await ask(isolates.args);
  const early = describeEarlyEnd(name, ending);
  if (early !== undefined) return `${name}, asked for its options: ${early.detail}`;
  const { stdout, stderr } = ending;
  const known = new Set(`${stdout}\n${stderr}`.match(/--[a-z][a-z-]*/g));
  const unknown = isolates.flags.filter((flag) => !known.has(flag));
  return unknown.length === 0
    ? undefined
    : `${name} does not know ${unknown.join(', ')}, without which it is not isolated, or its output is not understood${version?.remedy === undefined ? '; install a version that knows them' : `: \`${version.remedy}\``}`;
}

async function findLoginFault(
  { name, login }: Driver,
  env: Readonly<Record<string, string>>,
  ask: (args: readonly string[]) => Promise<Ending>,
): Promise<string | undefined> {
  if (login === undefined || login.env.some((variable) => !isNothing(env[variable]))) return undefined;
  if (login.args === undefined) return `${name} has no key: ${login.remedy}`;
  const ending = await ask(login.args);
  const early = describeEarlyEnd(name, ending);
  if (early !== undefined) return `${name}, asked for its login: ${early.detail}`;
  return ending.exit === 0 ? undefined : `${name} is not logged in; ${login.remedy}`;
}
