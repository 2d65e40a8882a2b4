import { OLLAMA } from '../../base/agent-ids.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { compilePattern } from '../../base/pattern.ts';
import { checkConfig, parseConfig, type ConfigFile } from './config-file.ts';
import { listPlaceholders, PLACEHOLDERS } from './driver-arguments.ts';
import type { DriverOutput } from './driver-output.ts';
import { driverSchema, type WrittenDriver } from './driver-schema.ts';
import { editFaults, editOf, withCalls } from './edit-call.ts';
import { resolvePrices } from './resolve-prices.ts';
import { readServer, type ServerDriver } from './server-driver.ts';

/** How to drive a program, defaults filled in; nothing of it comes from a repository. */
export type Driver = ReturnType<typeof filled>;

/** The shipped drivers, and the user's configuration of any. */
export interface DriverSources {
  /** The text of a shipped driver; undefined when it does not exist. */
  readonly shipped: (name: string) => ConfigFile | undefined;
  readonly shippedNames: readonly string[];
  readonly own: Readonly<Record<string, WrittenDriver>>;
  /** The user's file, for faults. */
  readonly userFile: string;
}

/** The names of all drivers: that of andon's code, shipped ones, and the user's. */
export const listDriverNames = ({
  shippedNames,
  own,
}: Pick<DriverSources, 'shippedNames' | 'own'>): readonly string[] =>
  [...new Set([OLLAMA, ...shippedNames, ...Object.keys(own)])].toSorted();

/** Merges the shipped and the user's description of one driver; every fault at once, each with its file. */
export function readDriver(name: string, sources: DriverSources): Outcome<Driver | ServerDriver, readonly string[]> {
  const faults: string[] = [];
  const file = sources.shipped(name);
  const own = Object.hasOwn(sources.own, name) ? sources.own[name] : undefined;
  const base = file && checkConfig(driverSchema, parseConfig(file, faults), file.name, faults);
  if (faults.length > 0) return failure(faults);
  const where = own === undefined ? (file?.name ?? '') : `${sources.userFile}: agents.${name}`;
  if (base === undefined && own === undefined) return failure([unknown(name, sources)]);
  const written: WrittenDriver = {
    ...base,
    ...own,
    env: { ...base?.env, ...own?.env },
    home_files: { ...base?.home_files, ...own?.home_files },
    ...(base?.door === undefined && own?.door === undefined ? {} : { door: { ...base?.door, ...own?.door } }),
    ...withCalls(base?.calls, own?.calls),
  };
  // The shipped check looks for a key; the user's home may have a login instead.
  if (base?.home === 'fresh' && own?.home === 'own' && own.login === undefined) delete written.login;
  if (written.server !== undefined) return readServer(name, written, written.server, where);
  const tested = compilePatterns(written);
  const found = [...missing(name, written, sources), ...misplaced(written), ...tested.faults];
  faults.push(...found.map((fault) => `${where}: ${fault}`));
  const { calls, output } = written;
  if (faults.length > 0 || calls === undefined || output === undefined) return failure(faults);
  return success(filled(name, { ...written, calls, output }, tested));
}

function unknown(name: string, sources: DriverSources): string {
  const names = listDriverNames(sources);
  const near = findNearestWord(name, names);
  return `there is no driver ${name}${near === undefined ? '' : `; did you mean ${near}?`} Drivers: ${names.join(', ')}; one more is written as agents.${name} in ${sources.userFile}`;
}

/** A user's own program needs a complete driver; a name close to a known one is probably a typo. */
function missing(name: string, { calls, output, door }: WrittenDriver, sources: DriverSources): readonly string[] {
  const near = findNearestWord(
    name,
    [OLLAMA, ...sources.shippedNames].filter((one) => one !== name),
  );
  const meant = near === undefined ? '' : `; did you mean agents.${near}?`;
  const isNew = sources.shipped(name) === undefined;
  const faults: string[] = [];
  if (calls?.edit !== undefined && calls.edit.args === undefined)
    faults.push('calls.edit.args: expected the arguments of the call');
  if (calls?.edit !== undefined && door?.to === undefined)
    faults.push('door.to: expected the address that an edit call may reach');
  if (calls?.text === undefined && calls?.review === undefined && calls?.edit === undefined)
    faults.push(
      `calls: expected text, review or edit${isNew ? ` of a driver that andon does not bring along${meant}` : ''}`,
    );
  if (output === undefined) faults.push('output: expected at least a format');
  else if (output.format !== 'text' && output.answer?.take === undefined)
    faults.push(`output.answer.take: expected the path of the answer in the ${output.format}`);
  return faults;
}

/** Placeholders without a value, and prompts that reach no program. */
function misplaced({
  args = [],
  env = {},
  calls = {},
  prompt,
  version,
  login,
  isolates,
  output,
}: WrittenDriver): readonly string[] {
  const faults: string[] = [];
  const needs = { stdin: undefined, argument: 'prompt', file: 'prompt_file' }[prompt?.via ?? 'stdin'];
  const lists = {
    'calls.text': calls.text?.args,
    'calls.review': calls.review?.args,
    'calls.edit': calls.edit?.args,
    'calls.edit.login': calls.edit?.login?.args,
  };
  for (const [call, list] of Object.entries(lists)) {
    if (list === undefined) continue;
    const edits = call.startsWith('calls.edit');
    const used = list.flat().flatMap(listPlaceholders);
    const known = PLACEHOLDERS.map((one) => `{${one}}`).join(' ');
    for (const word of used)
      if (!PLACEHOLDERS.some((one) => one === word))
        faults.push(`${call}.args: {${word}} is not known; one of: ${known}`);
    for (const word of ['prompt', 'prompt_file'])
      if (word === needs ? !used.includes(word) : used.includes(word))
        faults.push(
          `${call}.args: prompt.via ${prompt?.via ?? 'stdin'} ${word === needs ? 'needs' : 'has no'} {${word}}`,
        );
    const isTold = (edits ? (calls.edit?.output ?? output) : output)?.usage?.file === true;
    if (isTold !== used.includes('usage_file'))
      faults.push(`${call}.args: {usage_file} and usage.file: true go together`);
    if (call !== 'calls.review' && used.some((word) => word.startsWith('schema')))
      faults.push(`${call}.args: only calls.review has a schema`);
    if (edits && used.includes('max_usd'))
      faults.push(`${call}.args: only calls.text and calls.review have a limit in dollars`);
    if (!edits && used.some((word) => word === 'door' || word === 'key'))
      faults.push(`${call}.args: only calls.edit has a door and its key`);
  }
  const fixed = {
    args,
    'version.args': version?.args ?? [],
    'login.args': login?.args ?? [],
    'isolates.args': isolates?.args ?? [],
  };
  for (const [place, list] of Object.entries(fixed))
    if (list.flatMap(listPlaceholders).length > 0) faults.push(`${place}: placeholders belong into calls`);
  for (const [name, value] of Object.entries(env))
    for (const word of listPlaceholders(value))
      if (word !== 'home' && word !== 'model') faults.push(`env.${name}: only {home} and {model} are put in here`);
  faults.push(...editFaults(calls.edit));
  return faults;
}

function compilePatterns({ version, causes = [] }: WrittenDriver) {
  const faults: string[] = [];
  const ready = <Written extends { readonly match: string }>(place: string, { match, ...rest }: Written) => {
    const made = compilePattern(match);
    if (!made.ok) faults.push(`${place}.match: ${made.why}`);
    return { ...rest, fits: (text: string): boolean => made.ok && made.value.test(text, () => {}) };
  };
  return {
    faults,
    version: version && ready('version', version),
    causes: causes.map((one, at) => ready(`causes[${at}]`, one)),
  };
}

/** Bytes of a prompt that a pipe takes; Linux limits a single argument to 128 KiB. */
const MOST_BYTES = { stdin: 8_000_000, file: 8_000_000, argument: 120_000 } as const;

function filled(
  name: string,
  written: WrittenDriver & {
    readonly calls: NonNullable<WrittenDriver['calls']>;
    readonly output: DriverOutput;
  },
  { version, causes }: ReturnType<typeof compilePatterns>,
) {
  const { login, prompt, exits = {}, output, calls, end } = written;
  const via = prompt?.via ?? 'stdin';
  return {
    name,
    program: written.program ?? name,
    args: written.args ?? [],
    env: written.env ?? {},
    pass: written.pass ?? [],
    model: written.model,
    ...resolvePrices(written, output.usage?.usd !== undefined),
    version,
    login: login && { ...login, env: login.env ?? [] },
    isolates: written.isolates,
    prompt: { via, maxBytes: prompt?.max_bytes ?? MOST_BYTES[via] },
    calls: { text: calls.text?.args, review: calls.review?.args, edit: editOf(calls.edit, written.door, output) },
    home: written.home ?? ('own' as const),
    homeFiles: written.home_files ?? {},
    output,
    exits: {
      ok: exits.ok ?? [0],
      refused: exits.refused ?? [],
      unavailable: exits.unavailable ?? [],
      tooLong: exits.too_long ?? [],
    },
    causes,
    end: {
      first: end?.first ?? ('SIGTERM' as const),
      graceMs: end?.grace_seconds === undefined ? undefined : end.grace_seconds * 1000,
    },
  };
}
