import { formatDollarsExactly } from '../../../agents/budget/normalise-usage.ts';
import { isUtf8 } from 'node:buffer';
import { basename, resolve } from 'node:path';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { parseJson } from '../../../base/json-object.ts';
import { listNames } from '../../../base/list-names.ts';
import { createUsageError } from '../../../base/problem.ts';
import { getValueAt } from '../../../base/schema-faults.ts';
import { sha256 } from '../../../base/sha256.ts';
import { idOfTitle, readSpec } from '../../../project/contract/draft/spec-markdown.ts';
import {
  type PartialDraft,
  CONTRACT_FIELDS,
  type ContractDraft,
  type FieldValues,
  type WrittenGate,
} from '../../../project/contract/contract-fields.ts';
import type { FoundScope } from '../../../project/contract/draft/find-scope.ts';
import { fillDefaults, projectDefaults } from '../../../project/contract/draft/contract-draft.ts';
import { COMPLEXITIES, COMPLEXITY_LIMITS } from '../../../project/contract/task-contract-defaults.ts';
import { openContractChecker, type ContractChecker } from '../../../line/intake/contract-checker.ts';
import { readBytes } from '../../../rules/files/read-files.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { submitContract, noteUnmatched } from '../submit-contract.ts';
import { hasFlag, readTextOption, readTextsOption, readWordOption } from '../options.ts';
import { printErrorLine, printLine, printRemedy } from '../print.ts';
import { runPrompts, mayAsk, type Prompts } from '../prompts.ts';
import { fromRoot, type TypedIn } from '../typed-paths.ts';
import { runCommand, invalidValue } from '../usage-errors.ts';
import { toShellWord } from '../../../base/shell-word.ts';
import { flagOf, FLAG_FIELDS } from '../contract-options.ts';
import type { Invocation } from '../command.ts';
import { describeFault } from '../../../base/fault.ts';
import { parseFieldValue } from '../../../project/contract/draft/field-text.ts';
import { editText } from '../../../sandbox/processes/edit-text.ts';
import { toCamelCase } from '../../../base/letter-case.ts';
import { title } from '../../../project/contract/task-contract-fields.ts';
import { parseGate } from '../../../project/contract/gate.ts';

/** `andon new`: a contract from a sentence, a spec and flags, which win; what they leave out is inferred and shown. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, cwd, env } = invocation;
  const sentence = args.flat().map(String).join(' ').trim();
  const file = readTextOption(options, 'spec');
  const spec = file === undefined ? undefined : specIn(resolve(cwd, file), file);
  const place = await loadWorkspace(resolve(cwd, readTextOption(options, 'project') ?? '.'), env);
  const typedIn = { cwd, root: place.facts.root };
  const written: PartialDraft = { ...spec?.draft, ...fromRoot(draftFromFlags(options), typedIn) };
  const wanted = sentence === '' ? written : { ...titleFrom(sentence), requirements: [sentence], ...written };
  const note = (text: string): void =>
    printRemedy(toTerminalLine(`note: ${file === undefined ? '' : `${file}: `}${text}`, 300));
  spec?.notices.forEach(note);
  const checker = await openContractChecker(place, env);
  const { settings } = checker;
  const toDraft = (given: PartialDraft): ReturnType<typeof fillDefaults> =>
    fillDefaults(given, projectDefaults(basename(place.facts.root), settings.roles));
  try {
    for (const gap of checker.gaps) printErrorLine(gap);
    if (mayAsk(invocation) && (sentence !== '' || listMissing(wanted).length > 0))
      return await runPrompts('andon new', async (ask) => {
        const known = hasRequirement(wanted) ? wanted : { ...wanted, ...(await askRequirement(ask)) };
        const found = hasScope(known) ? undefined : await checker.findScope(proseOf(known), known.base_branch);
        const scope = hasScope(known) ? {} : { allowed_paths: pathsOf(found) ?? (await askScope(ask, typedIn, found)) };
        const draft = toDraft(complete({ ...known, ...scope }, spec !== undefined));
        if (pathsOf(found) !== undefined) leftOut(found).forEach(note);
        const why = found?.why ?? '';
        const text = await askProposal(ask, { env, gates: settings.gates, checker, draft, why });
        if (text !== undefined) return submitContract(invocation, place, checker, text);
        printLine('Cancelled. Nothing was written.');
        return 1;
      });
    const found = hasScope(wanted) ? undefined : await checker.findScope(proseOf(wanted), wanted.base_branch);
    const paths = pathsOf(found);
    const given = paths === undefined ? wanted : { ...wanted, allowed_paths: paths };
    const missing = listMissing(given);
    const read =
      sentence === '' && spec === undefined ? given.allowed_paths?.find((path) => path.includes(' ')) : undefined;
    if (missing.length > 0 && read !== undefined) throw readAsPath(read);
    if (missing.length > 0) throw missingFields(missing, file, sentence, found);
    const isConfirmed = ['yes', 'print'].some((name) => hasFlag(options, name)) || options['save'] !== undefined;
    if (found?.isNamed === false && !isConfirmed) throw unconfirmed(found, sentence);
    const draft = toDraft(complete(given, spec !== undefined));
    if (found !== undefined) printRemedy(toTerminalLine(`scope: ${found.paths.join(', ')} (${found.why})`, 500));
    leftOut(found).forEach(note);
    await noteUnmatched(checker, draft);
    if (given.complexity === undefined && draft.complexity !== undefined) note(describeMinor(draft.budget_usd));
    return await submitContract(invocation, place, checker, checker.write(draft));
  } finally {
    checker.close();
  }
}

function specIn(path: string, name: string): { readonly draft: PartialDraft; readonly notices: readonly string[] } {
  const bytes = readBytes(path, name);
  if (!isUtf8(bytes)) throw createUsageError(`${name} is not valid UTF-8.`, 'Save it as UTF-8.');
  const read = readSpec(new TextDecoder().decode(bytes));
  if (read.ok) return read.value;
  throw createUsageError(
    read.why.map((why) => `${name}: ${why}`),
    `Correct the spec, then run \`andon new --spec ${name}\`.`,
  );
}

/** A sentence is its own title if it may be one; else the contract has none, and its first line takes its place. */
const titleFrom = (sentence: string): PartialDraft => (title().safeParse(sentence).success ? { title: sentence } : {});

const hasRequirement = ({ requirements = [] }: PartialDraft): boolean => requirements.length > 0;

const hasScope = ({ allowed_paths: allowed = [], target_file: target }: PartialDraft): boolean =>
  allowed.length > 0 || target !== undefined;

const listMissing = (draft: PartialDraft): readonly string[] => [
  ...(hasRequirement(draft) ? [] : [flagOf('requirements')]),
  ...(hasScope(draft) ? [] : [flagOf('allowed_paths')]),
];

const proseOf = ({ title = '', requirements = [] }: PartialDraft): string => [title, ...requirements].join('\n\n');

const pathsOf = (found: FoundScope | undefined): readonly string[] | undefined =>
  found === undefined || found.paths.length === 0 ? undefined : found.paths;

const MOST_LEFT_OUT = 5;

/** A sentence on what the user named and andon does not open, or none. */
const leftOut = (found: FoundScope | undefined): readonly string[] =>
  found === undefined || found.others.length === 0
    ? []
    : [`${listNames(found.others, MOST_LEFT_OUT)}: named, but not clearly as what may change; --allow names what may`];

const LONGEST_ID = 32;

/**
 * The same words make the same id, so a task is not made twice. A title without Latin letters becomes its digest. A spec
 * without a complexity counts as minor, which limits its cost.
 */
function complete(draft: PartialDraft, isSpec: boolean): PartialDraft {
  const { task_id: id, title, requirements = [], complexity } = draft;
  const words = title ?? requirements[0] ?? '';
  const whole = idOfTitle(words) ?? `TASK-${sha256(words).slice(0, 8)}`;
  const short = isSpec || whole.length <= LONGEST_ID ? whole : whole.slice(0, LONGEST_ID + 1).replace(/-[^-]*$/, '');
  return { ...draft, task_id: id ?? short, ...(isSpec ? { complexity: complexity ?? 'minor' } : {}) };
}

const describeMinor = (usd: number = COMPLEXITY_LIMITS.minor.budget_usd): string =>
  `no complexity is named, so it counts as minor: at most ${formatDollarsExactly(usd)} (change it with --complexity or --budget-usd)`;

const typed = (sentence: string): string => `andon new ${toShellWord(sentence) ?? '"…"'}`;

const unconfirmed = (found: FoundScope, sentence: string): Error =>
  createUsageError(
    [
      `These files are a guess: ${found.paths.map((path) => toTerminalLine(path, 200)).join(', ')}.`,
      ...saysLeftOut(found),
    ],
    `Name the files with --allow, or take these: ${typed(sentence)} --yes`,
  );

const saysLeftOut = (found: FoundScope | undefined): readonly string[] =>
  leftOut(found).map((text) => `${toTerminalLine(text, 300)}.`);

/** Options with several values take the words behind them. */
const readAsPath = (text: string): Error =>
  createUsageError(
    `--allow was given ${JSON.stringify(toTerminalLine(text, 200))} as a path, and there is no sentence.`,
    `Write the sentence first: ${typed(text)} --allow FILE`,
  );

const missingFields = (
  missing: readonly string[],
  spec: string | undefined,
  sentence: string,
  found: FoundScope | undefined,
): Error =>
  createUsageError(
    [
      ...(missing.includes(flagOf('requirements')) || saysLeftOut(found).length > 0
        ? []
        : ['No tracked file, or too many, fit the words.']),
      ...saysLeftOut(found),
      `Missing options: ${missing.join(', ')}.`,
    ],
    spec === undefined
      ? runCommand(`${typed(sentence || 'Dates are shown in UTC')} --allow FILE`, 'with the files that may change')
      : `Add the options, or \`## Requirements\` and \`## Allowed paths\` to ${spec}.`,
  );

/** A proposed contract, and what its questions need. */
interface Proposal {
  readonly env: Invocation['env'];
  readonly gates: Workspace['settings']['gates'];
  readonly checker: ContractChecker;
  readonly draft: ContractDraft;
  /** The reason of an inferred scope; else empty. */
  readonly why: string;
}

async function askRequirement(ask: Prompts): Promise<PartialDraft> {
  const check = (text: string): string | undefined => (text === '' ? 'write a sentence' : undefined);
  const sentence = await ask.text('What must hold afterwards?', { hint: 'Dates are shown in UTC', check });
  return { ...titleFrom(sentence), requirements: [sentence] };
}

async function askScope(ask: Prompts, typedIn: TypedIn, found?: FoundScope): Promise<readonly string[]> {
  ask.say('No tracked file, or too many, fit these words.');
  for (const text of saysLeftOut(found)) ask.say(text);
  const text = await ask.text('Which files may change?', {
    hint: 'files, folders ending in /, globs; with commas',
    check(answer) {
      const read = readScope(answer);
      if (!read.ok) return read.why;
      return answer === '' ? 'name at least one path' : undefined;
    },
  });
  const read = readScope(text);
  return fromRoot({ allowed_paths: read.ok ? (read.value as readonly string[]) : [] }, typedIn).allowed_paths ?? [];
}

const readScope = (text: string): ReturnType<typeof parseFieldValue> =>
  parseFieldValue({ key: 'allowed_paths', kind: 'paths', path: '', flag: '' }, [text]);

/** Shows a whole contract and asks once; returns its text, or undefined when the user cancels. */
async function askProposal(ask: Prompts, proposal: Proposal): Promise<string | undefined> {
  const { env, checker, draft, why } = proposal;
  const gates = proposal.gates.map(({ name }) => name).join(', ');
  const guess = { paths: draft.allowed_paths.join(', '), why };
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  for (let text = checker.write(draft); ;) {
    const { faults, notices } = await checker.check(text);
    const target = await checker.findTargetBranch(draft.base_branch);
    ask.show('The contract', showContract(text, gates, guess, target));
    for (const fault of faults) ask.warn(`${fault.path}: ${describeFault(fault)}`);
    for (const notice of notices) ask.say(toTerminalLine(notice, 300));
    const answer = await ask.choose(faults.length === 0 ? 'Submit it?' : 'It would be refused. Edit it?', [
      ...(faults.length === 0 ? [{ value: 'submit', label: 'Submit' } as const] : []),
      { value: 'edit', label: 'Edit', hint: `in ${editor}` } as const,
      { value: 'cancel', label: 'Cancel' } as const,
    ]);
    if (answer === 'cancel') return undefined;
    if (answer === 'submit') return text;
    const edited = editText(editor, 'TASK_CONTRACT.json', text);
    if (edited === undefined) ask.warn(`${toTerminalLine(editor)} failed; the contract is unchanged.`);
    text = edited ?? text;
  }
}

/** A row for each field that is set, in the order of the schema; the plain text where it is no contract. */
function showContract(
  text: string,
  gates: string,
  guess: { readonly paths: string; readonly why: string },
  target: string | undefined,
): string {
  const contract = parseJson(text);
  if (contract === undefined) return toTerminalLine(text, 300);
  const rows = CONTRACT_FIELDS.flatMap(({ key, path }): [string, string][] => {
    const shown = [getValueAt(contract, path.split('.'))].flat().map(describeItem).join(', ');
    if (key === 'base_branch') return [['merged into', shown || (target ?? 'no branch: check one out')]];
    if (key === 'gates') return [[key, [gates, shown].filter((one) => one !== '').join(', ') || NO_GATE]];
    if (shown === '' || shown === '0' || shown === 'false') return [];
    const isGuess = key === 'allowed_paths' && guess.why !== '' && shown === guess.paths;
    return [[key.replaceAll('_', ' '), isGuess ? `${shown}  (${guess.why})` : shown]];
  });
  return rows.map(([name, value]) => `${name.padEnd(20)}${toTerminalLine(value, 160)}`).join('\n');
}

const NO_GATE = 'none: only the reviewers decide';

function describeItem(item: unknown): string {
  if (typeof item === 'string') return item;
  const { path, name, run } = Object(item) as Readonly<Record<string, unknown>>;
  if (typeof path === 'string') return path;
  if (typeof name === 'string' && typeof run === 'string') return `${name}=${run}`;
  return item === undefined ? '' : JSON.stringify(item);
}

type Options = Invocation['options'];

const draftFromFlags = (options: Options): PartialDraft =>
  Object.fromEntries(
    FLAG_FIELDS.flatMap(({ key, kind, flag: flags }) => {
      const value = READERS[kind](options, flags.split(' ')[0] ?? '');
      return value === undefined ? [] : [[key, value]];
    }),
  );

const nameOf = (shown: string): string => toCamelCase(shown.slice('--'.length));

const text = (options: Options, shown: string): string | undefined => readTextOption(options, nameOf(shown));

function texts(options: Options, shown: string): readonly string[] | undefined {
  const given = readTextsOption(options, nameOf(shown));
  return given.length === 0 ? undefined : given;
}

function number(options: Options, shown: string): number | undefined {
  const given = text(options, shown);
  if (given === undefined) return undefined;
  if (given.trim() !== '' && Number.isFinite(Number(given))) return Number(given);
  throw invalidValue(shown, given, 'a number', `andon new ${shown} 2`);
}

const READERS: {
  readonly [Kind in keyof FieldValues]: (options: Options, shown: string) => FieldValues[Kind] | undefined;
} = {
  text,
  texts,
  path: text,
  paths: texts,
  number,
  boolean: (options, shown) => hasFlag(options, nameOf(shown)) || undefined,
  complexity: (options, shown) => readWordOption(options, nameOf(shown), COMPLEXITIES),
  gates: (options, shown) => {
    const gates = texts(options, shown)?.map((line) => gateIn(line, shown));
    return shown === '--gate' ? withGateOptions(options, gates ?? []) : gates;
  },
};

function gateIn(line: string, shown: string): WrittenGate {
  const gate = parseGate(line);
  if (gate !== undefined) return gate;
  throw invalidValue(shown, line, 'name=command', `andon new ${shown} 'test=npm test'`);
}

function withGateOptions(options: Options, gates: readonly WrittenGate[]): readonly WrittenGate[] | undefined {
  const mustFail = texts(options, '--must-fail-before') ?? [];
  const timeout = number(options, '--gate-timeout');
  const unknown = mustFail.find((name) => !gates.some((gate) => gate.name === name));
  if (unknown !== undefined)
    throw invalidValue(
      '--must-fail-before',
      unknown,
      'a gate of this task',
      `andon new --gate '${unknown}=<command>' --must-fail-before '${unknown}'`,
    );
  if (gates.length === 0) return undefined;
  return gates.map((gate) => ({
    ...gate,
    ...(timeout === undefined ? {} : { timeout_minutes: timeout }),
    ...(mustFail.includes(gate.name) ? { must_fail_before: true } : {}),
  }));
}
