import { mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { aContract } from '../../support/contract.ts';
import { aFactory, type Factory } from '../../support/factory.ts';
import { judges, writes } from '../../support/scenario.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { numberOf, runShape, textsOf, type Shape } from '../shapes.ts';

const FILE = 'docs/file.txt';
/** The allowed folder, as rows call it. */
const SANDBOX = 'docs';

/** A change, a written path or a read path on the real line, where every other station passes. */
export const draftGate: Runner = ({ input }) => runShape(SHAPES, input);

const SHAPES: readonly Shape[] = [
  {
    known: 'write',
    fields: ['write'],
    run: ({ write }) => written([String(write).replace('<sandbox>', SANDBOX)]),
  },
  { known: 'read', fields: ['read'], run: ({ read }) => asked(String(read)) },
  {
    known: 'original_text',
    fields: ['original_text', 'draft_text'],
    run: ({ original_text: original, draft_text: draft }) => changed(`${String(original)}\n`, `${String(draft)}\n`),
  },
  {
    known: 'original_exists',
    fields: ['original_exists', 'allowed_operations', 'added', 'removed', 'original_lines', 'added_text'],
    run: created,
  },
  {
    known: 'draft_files',
    fields: ['target_file', 'draft_files', 'draft_text'],
    run: (input) => written(textsOf(input, 'draft_files'), String(input['target_file']), String(input['draft_text'])),
  },
  { known: 'drafts_of', fields: ['drafts_of', 'task'], run: (input) => kept(textsOf(input, 'drafts_of')) },
  { known: 'path', fields: ['path'], run: ({ path }) => kept([String(path)]) },
  { known: 'original_lines', fields: ['original_lines', 'added', 'removed', 'added_text'], run: counted },
];

/** A file that was not there, under a contract that says which operations it allows. */
function created({ original_exists: isThere, allowed_operations: operations, ...row }: Facts): Promise<Facts> {
  if (isThere !== false || operations === undefined) return counted({ original_lines: 0, ...row });
  const lines = Array.from({ length: numberOf(row, 'added') }, (_, at) => `fresh line ${String(at + 1)}`);
  const text = `${lines.join('\n')}\n`;
  return onTheLine({
    answer: { [FILE]: text },
    quote: { file: FILE, quote: lastLine(text) },
    contract: { schema_version: '2.0', complexity: 'minor', 'constraints.allowed_operations': operations },
  });
}

/** Files that all may be written: each must be there afterwards, under its own name and with its own text. */
async function kept(paths: readonly string[]): Promise<Facts> {
  const textOf = (path: string): string => `a draft of ${path}\n`;
  const [target = ''] = paths;
  const { factory, ...facts } = await run({
    answer: Object.fromEntries(paths.map((path) => [path, textOf(path)])),
    quote: { file: target, quote: textOf(target).trimEnd() },
    contract: { 'specification.target_file': target, 'constraints.allowed_paths': paths.map(folderOf) },
  });
  const there = paths.filter((path) => factory.has(path) && factory.read(path) === textOf(path));
  const answer = facts.answer === 'accepted' && there.length < paths.length ? 'lost a draft' : facts.answer;
  return { ...facts, answer, distinct_draft_files: there.length, restored: there[0] };
}

const folderOf = (path: string): string => `${path.split('/').slice(0, -1).join('/') || '.'}/`;

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

/** An answer that writes these files; for a target elsewhere, where a row names one. */
function written(paths: readonly string[], target?: string, text = 'a draft'): Promise<Facts> {
  return onTheLine({
    answer: Object.fromEntries(paths.map((path) => [path, `${text}\n`])),
    quote: { file: paths[0] ?? '', quote: text },
    ...(target === undefined
      ? {}
      : {
          files: { [target]: 'as it was\n' },
          contract: { 'specification.target_file': target, 'constraints.allowed_paths': [folderOf(target)] },
        }),
    link: paths.flatMap((path) => /^(.*link-to-outside)\//.exec(path)?.[1] ?? [])[0],
  });
}

/** An agent asks for a file by having it among its source files; it is given when its text stands in the prompt. */
async function asked(path: string): Promise<Facts> {
  const text = `the text of ${path}`;
  const answer = { [FILE]: 'done\n' };
  const files = { [path]: `${text}\n` };
  const source = { 'specification.source_files': [{ path, hash: '' }] };
  return onTheLine({ files, answer, quote: { file: FILE, quote: 'done' }, contract: source, mustBeShown: text });
}

interface Work {
  readonly files?: Readonly<Record<string, string>>;
  readonly answer: Readonly<Record<string, string>>;
  /** The line that the judge quotes for its PASS. */
  readonly quote: { readonly file: string; readonly quote: string };
  /** What the contract says otherwise. */
  readonly contract?: Facts;
  readonly mustBeShown?: string;
  /** A symbolic link of this name that the project has, to a folder outside of it. */
  readonly link?: string | undefined;
}

async function onTheLine(work: Work): Promise<Facts> {
  const { answer, allowed, why } = await run(work);
  return { answer, allowed, why };
}

async function run({ files = {}, answer, quote, contract = {}, mustBeShown, link }: Work) {
  const factory = await aFactory({
    files,
    scenario: {
      implementer: [writes(answer)],
      judge: [judges('PASS', { evidence: [{ ...quote, line: null }] })],
    },
  });
  if (link !== undefined) {
    symlinkSync(mkdtempSync(join(factory.folder, 'outside-')), join(factory.repo, link));
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message=A link');
  }
  const dog = await factory.begin(aContract({ 'specification.target_file': FILE, ...contract }));
  await dog.until(() => factory.isHalted() || factory.isMerged() || isRefused(factory));
  const isShown = mustBeShown === undefined || (factory.calls('implementer')[0]?.prompt ?? '').includes(mustBeShown);
  const answered = isShown ? answerOf(factory) : 'refused';
  return {
    factory,
    answer: answered,
    allowed: answered === 'accepted',
    why: factory.transitions()[0]?.['status_reason'],
  };
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
