import { aContract } from '../../support/contract.ts';
import { aFactory, type Options } from '../../support/factory.ts';
import { issue, judges, answerOnce, writes } from '../../support/scenario.ts';
import { isFacts, type Facts } from '../run-cases.ts';
import { numberOf, textsOf, type Shape } from '../shapes.ts';

/** Files that hold no line, so that a row's own lines are all there are. */
const NO_LINES = { 'docs/auth_v1.md': '', 'docs/auth_v2.md': '', 'README.md': '', 'TODO.md': '', '.gitignore': '' };
const FILE = 'docs/file.md';
const LAST = 'the last line stays';

/** Lines taken out of a project of so many lines, by a real change in a real repository. */
export const deletion: Shape = {
  known: 'deleted_lines',
  fields: [
    'deleted_lines',
    'added_lines',
    'codebase_lines',
    'max_delete_ratio',
    'max_diff_size',
    'renamed',
    'similarity',
  ],
  run(input) {
    const total = numberOf(input, 'codebase_lines');
    const deleted = numberOf(input, 'deleted_lines');
    const constraints = {
      'constraints.max_diff_size': input['max_diff_size'] ?? 100_000,
      ...(input['max_delete_ratio'] === undefined ? {} : { 'breaker.max_delete_ratio': input['max_delete_ratio'] }),
    };
    if (isFacts(input['renamed'])) return renamed(input, total, constraints);
    const added = Array.from({ length: numberOf(input, 'added_lines', 0) }, (_, at) => `new line ${at}`);
    // A file that loses most of itself would be refused as shortened, before any breaker is asked.
    const size = Math.min(total, Math.max(deleted * 3, 20));
    const lines = [...Array.from({ length: size - 1 }, (_, at) => `line ${at} of the file`), LAST];
    const files = { ...NO_LINES, [FILE]: text(lines), 'rest.txt': text(filler(total - size)) };
    const answer = { [FILE]: text([...lines.slice(deleted), ...added]) };
    return onTheLine({ files, answer, constraints, quote: { file: FILE, quote: added.at(-1) ?? lines[0] ?? LAST } });
  },
};

function renamed(input: Facts, total: number, constraints: Facts): Promise<Facts> {
  const size = numberOf(input, 'deleted_lines');
  const same = Math.round((size * numberOf(input, 'similarity')) / 100);
  const [[from, to] = ['', '']] = Object.entries(input['renamed'] as Readonly<Record<string, string>>);
  const before = Array.from({ length: size }, (_, at) => `line ${at} of the file`);
  const after = Array.from({ length: numberOf(input, 'added_lines', size) }, (_, at) =>
    at < same ? (before[at] ?? '') : `another line ${at}`,
  );
  const files = { ...NO_LINES, [`docs/${from}`]: text(before), 'rest.txt': text(filler(total - size)) };
  const answer = { [`docs/${from}`]: null, [`docs/${to}`]: text(after) };
  const isWhole = before.length === after.length && same >= size; // then only the header says that it moved
  const quote = { file: `docs/${to}`, quote: isWhole ? `rename to docs/${to}` : (after.at(-1) ?? '') };
  return onTheLine({ files, answer, constraints: { ...constraints, 'constraints.allow_deletes': true }, quote });
}

/** Whole files that are deleted, out of a project of so many lines. */
export const removal: Shape = {
  known: 'deleted_files',
  fields: ['deleted_files', 'codebase_lines', 'allow_deletes', 'max_delete_ratio'],
  run(input) {
    const deleted = textsOf(input, 'deleted_files');
    const total = numberOf(input, 'codebase_lines', 100_000);
    const rest = Math.max(0, total - deleted.length * SMALL_FILE);
    const files = { ...NO_LINES, 'rest.txt': text(filler(rest)) };
    return onTheLine({
      files: { ...files, ...Object.fromEntries(deleted.map((path) => [path, text(filler(SMALL_FILE))])) },
      answer: Object.fromEntries(deleted.map((path) => [path, null])),
      constraints: {
        'constraints.allowed_paths': ['**'],
        'constraints.allow_deletes': input['allow_deletes'] ?? false,
        ...(input['max_delete_ratio'] === undefined ? {} : { 'breaker.max_delete_ratio': input['max_delete_ratio'] }),
      },
      quote: { file: deleted[0] ?? '', quote: 'deleted file' },
    });
  },
};
const SMALL_FILE = 20;

/** What earlier rounds held and how each was judged, and then the current one: one text, or several files. */
export const rounds = (known: 'current_text' | 'current'): Shape => ({
  known,
  fields: [known, 'history'],
  async run(input) {
    const { history } = input;
    if (!Array.isArray(history) || !history.every(isFacts)) throw new Error('history must be a list of rounds');
    const filesOf = (round: unknown): Readonly<Record<string, string>> =>
      isFacts(round)
        ? Object.fromEntries(Object.entries(round).map(([path, mark]) => [`docs/${path}`, text(marked(path, mark))]))
        : { 'docs/file.py': `${String(round).replace(/\n$/, '')}\n` };
    const now = filesOf(input[known]);
    const [path = '', content = ''] = Object.entries(now)[0] ?? [];
    const evidence = [{ file: path, quote: content.trimEnd().split('\n').at(-1), line: null }];
    const factory = await aFactory({
      scenario: {
        implementer: [
          ...history.map((round) => answerOnce(writes(filesOf(round['text'] ?? round['files'])))),
          writes(now),
        ],
        judge: [
          ...history.map(({ verdict }) =>
            answerOnce(judges(String(verdict), { blocking_issues: [issue('it is broken', { file: path, line: 1 })] })),
          ),
          judges('PASS', { evidence }),
        ],
      },
    });
    await factory.run(aContract({ 'specification.target_file': path }));
    return answerOf(factory.isHalted(), factory.breaker());
  },
});

/** A file of its own kind, as a row's mark stands for its whole content. */
const marked = (path: string, mark: unknown): readonly string[] =>
  Array.from({ length: 6 }, (_, at) => `the ${String(mark)} of ${path}, line ${String(at + 1)} of it`);

/** An implementer who insists on changing these files, or so many. */
export const insistence: Shape = {
  known: 'changed_files',
  fields: ['changed_files', 'allowed_paths', 'forbidden_paths'],
  run(input) {
    const { changed_files: count } = input;
    const changed =
      typeof count === 'number'
        ? Array.from({ length: count }, (_, at) => `docs/file-${String(at + 1)}.md`)
        : textsOf(input, 'changed_files');
    const answer = Object.fromEntries(changed.map((path) => [path, 'changed\n']));
    const constraints = {
      'constraints.allowed_paths': textsOf(input, 'allowed_paths', ['**']),
      'constraints.forbidden_paths': textsOf(input, 'forbidden_paths'),
    };
    return onTheLine({ answer, constraints, quote: { file: changed[0] ?? '', quote: 'changed' } });
  },
};

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];

/** A scenario in words: so many rebuttals, each of them a judge who cites a file that is not there. */
export const scenario: Shape = {
  known: 'scenario',
  fields: ['scenario', 'max_rebuttals'],
  async run(input) {
    const word = /\b(\w+) rebuttals?\b/.exec(String(input['scenario']))?.[1] ?? '';
    const count = NUMBERS.includes(word) ? NUMBERS.indexOf(word) : Number.parseInt(word, 10);
    if (!Number.isInteger(count)) throw new Error(`nothing on the line is "${String(input['scenario'])}"`);
    const absent = judges(
      'FAIL',
      { blocking_issues: [issue('it is broken', { file: 'docs/nowhere.md' })] },
      { times: count },
    );
    const factory = await aFactory({ scenario: { judge: [...(count === 0 ? [] : [absent]), judges('PASS')] } });
    const limit = input['max_rebuttals'];
    await factory.run(aContract(limit === undefined ? {} : { 'limits.max_rebuttals': limit }));
    return answerOf(factory.isHalted(), factory.breaker());
  },
};

interface Work {
  readonly files?: Options['files'];
  readonly answer: Readonly<Record<string, string | null>>;
  readonly constraints: Facts;
  /** The line that the judge quotes for its PASS. */
  readonly quote: { readonly file: string; readonly quote: string };
}

async function onTheLine({ files = {}, answer, constraints, quote }: Work): Promise<Facts> {
  const judge = [judges('PASS', { evidence: [{ ...quote, line: null }] })];
  const factory = await aFactory({ files, scenario: { implementer: [writes(answer)], judge } });
  await factory.run(aContract({ 'specification.target_file': quote.file, ...constraints }));
  return answerOf(factory.isHalted(), factory.breaker());
}

const answerOf = (halt: boolean, breaker: string | undefined): Facts => ({ halt, breaker: breaker ?? null });

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const filler = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `line ${at} of the rest`);
