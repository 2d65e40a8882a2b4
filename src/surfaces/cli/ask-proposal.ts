import { describeFault } from '../../base/fault.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { CONTRACT_FIELDS, type ContractDraft, type PartialDraft } from '../../contract/contract-fields.ts';
import { parseFieldValue } from '../../contract/draft/field-text.ts';
import type { ContractChecker } from '../../daemon/intake/contract-checker.ts';
import { editText } from '../../wiring/edit-text.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { Invocation } from './command.ts';
import type { Prompts } from './prompts.ts';
import { fromRoot, type TypedIn } from './typed-paths.ts';

/** A proposed contract, and what its questions need. */
interface Proposal {
  readonly env: Invocation['env'];
  /** The gates of the project. */
  readonly gates: Workspace['settings']['gates'];
  readonly checker: ContractChecker;
  readonly draft: ContractDraft;
  /** The reason of an inferred scope; else empty. */
  readonly why: string;
}

/** Asks for the sentence of a task. */
export async function askRequirement(ask: Prompts): Promise<PartialDraft> {
  const check = (text: string): string | undefined => (text === '' ? 'write a sentence' : undefined);
  const sentence = await ask.text('What must hold afterwards?', { hint: 'Dates are shown in UTC', check });
  return { title: sentence, requirements: [sentence] };
}

/** Asks for the scope of a task for which none was found. */
export async function askScope(ask: Prompts, typedIn: TypedIn): Promise<readonly string[]> {
  ask.say('No tracked file, or too many, fit these words.');
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
export async function askProposal(ask: Prompts, proposal: Proposal): Promise<string | undefined> {
  const { env, checker, draft, why } = proposal;
  const gates = proposal.gates.map(({ name }) => name).join(', ');
  const guess = { paths: draft.allowed_paths.join(', '), why };
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  for (let text = checker.write(draft); ;) {
    const { faults, notices } = await checker.check(text);
    ask.show('The contract', showContract(text, gates, guess));
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
function showContract(text: string, gates: string, guess: { readonly paths: string; readonly why: string }): string {
  let contract: unknown;
  try {
    contract = JSON.parse(text);
  } catch {
    return toTerminalLine(text, 300);
  }
  const rows = CONTRACT_FIELDS.flatMap(({ key, path }): [string, string][] => {
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], contract);
    const shown = [value].flat().map(describeItem).join(', ');
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
