import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import type { Factory } from '../../support/factory.ts';
import { judges, writes } from '../../support/scenario.ts';
import type { Facts, Runner } from '../run-cases.ts';

const FILE = 'docs/file.txt';
/** The allowed folder, as rows call it. */
const SANDBOX = 'docs';

/** A change, a written path or a read path on the real line, where every other station passes. */
export const draftGate: Runner = ({ input }) => {
  const { write, read, original_text: original, draft_text: draft } = input;
  if (typeof write === 'string') return written(write.replace('<sandbox>', SANDBOX));
  if (typeof read === 'string') return asked(read);
  if (typeof original === 'string' && typeof draft === 'string') return changed(`${original}\n`, `${draft}\n`);
  return counted(input);
};

/** Takes lines off the end of a file of so many lines, and adds so many; the row's text is the first of them. */
function counted({ added, removed, original_lines: count, added_text: text }: Facts): Promise<Facts> {
  if (typeof count !== 'number') throw new Error('the row describes no file');
  const old = Array.from({ length: count }, (_, at) => `line ${String(at + 1)} of the file`);
  const kept = old.slice(0, count - Number(removed ?? 0));
  const first = typeof text === 'string' ? text.split('\n') : [];
  const rest = Math.max(0, Number(added ?? 0) - first.length);
  const fresh = [...first, ...Array.from({ length: rest }, (_, at) => `fresh line ${String(at + 1)}`)];
  return changed(`${old.join('\n')}\n`, `${[...kept, ...fresh].join('\n')}\n`);
}

const changed = (before: string, after: string): Promise<Facts> =>
  onTheLine({ files: { [FILE]: before }, answer: { [FILE]: after }, quote: { file: FILE, quote: lastLine(after) } });

const written = (path: string): Promise<Facts> =>
  onTheLine({ answer: { [path]: 'a draft\n' }, quote: { file: path, quote: 'a draft' } });

/** An agent asks for a file by having it among its source files; it is given when its text stands in the prompt. */
async function asked(path: string): Promise<Facts> {
  const text = `the text of ${path}`;
  const answer = { [FILE]: 'done\n' };
  const files = { [path]: `${text}\n` };
  const source = { 'specification.source_files': [{ path, hash: '' }] };
  return onTheLine({ files, answer, quote: { file: FILE, quote: 'done' }, source, mustBeShown: text });
}

interface Work {
  readonly files?: Readonly<Record<string, string>>;
  readonly answer: Readonly<Record<string, string>>;
  /** The line that the judge quotes for its PASS. */
  readonly quote: { readonly file: string; readonly quote: string };
  readonly source?: Facts;
  readonly mustBeShown?: string;
}

async function onTheLine({ files = {}, answer, quote, source = {}, mustBeShown }: Work): Promise<Facts> {
  const factory = await aFactory({
    files,
    scenario: {
      implementer: [writes(answer)],
      judge: [judges('PASS', { evidence: [{ ...quote, line: null }] })],
    },
  });
  const dog = await factory.watch();
  factory.drop(aContract({ 'specification.target_file': FILE, ...source }));
  await dog.until(() => factory.isHalted() || factory.isMerged() || isRefused(factory));
  const isShown = mustBeShown === undefined || (factory.calls('implementer')[0]?.prompt ?? '').includes(mustBeShown);
  const answered = isShown ? answerOf(factory) : 'refused';
  return { answer: answered, allowed: answered === 'accepted', why: factory.transitions()[0]?.['status_reason'] };
}

/** Refused: the contract at admission, or the answer before anything of it was written. */
function isRefused(factory: Factory): boolean {
  const rejected = factory.paper('CONTRACT_REJECTED.md') !== undefined;
  return rejected || factory.transitions()[0]?.['event'] === 'answer_refused';
}

function answerOf(factory: Factory): string {
  if (isRefused(factory)) return 'refused';
  return factory.isHalted() ? `trips:${factory.breaker() ?? 'nothing'}` : 'accepted';
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
