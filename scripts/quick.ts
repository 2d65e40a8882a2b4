import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * `npm run quick [-- REV]`: types, lint, format and the tests that have to do with what changed since a commit (HEAD where
 * none is given; with nothing changed, the last commit). Tests that start whole lines are left to `npm test`.
 */
const ROOT = join(import.meta.dirname, '..');
const CODE = /\.(?:ts|mts|mjs)$/;

const git = (...args: string[]): readonly string[] =>
  execFileSync('git', args, { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((path) => path !== '');

/** What is not as it was in a commit, new files included. */
const changedSince = (commit: string): readonly string[] => [
  ...git('diff', '--name-only', '--diff-filter=d', commit, '--'),
  ...git('ls-files', '--others', '--exclude-standard'),
];

/** Every file below a folder. */
const below = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

/** The tests of the edge that import a changed file themselves; those of pure parts are found by vitest. */
function testsThatImport(changed: ReadonlySet<string>): readonly string[] {
  return below('test/integration').filter((test) => {
    if (!test.endsWith('.test.ts')) return false;
    const imported = readFileSync(join(ROOT, test), 'utf8').matchAll(/from '(\.[^']+)'/g);
    return [...imported].some(([, path = '']) => changed.has(relative(ROOT, resolve(ROOT, dirname(test), path))));
  });
}

interface Ended {
  readonly what: string;
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

/** Runs a tool of this project and keeps what it prints. */
function run(what: string, command: readonly string[]): Promise<Ended> {
  const [program = '', ...args] = command;
  const began = performance.now();
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('close', (code) => done({ what, code: code ?? 1, output, seconds: (performance.now() - began) / 1000 }));
  });
}

const since = process.argv[2] ?? 'HEAD';
const isCommit = (name: string): boolean =>
  spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: ROOT }).status === 0;
if (!isCommit(since)) {
  console.error(`${since} is no commit of this clone; type: npm run quick, or npm run quick -- main`);
  process.exit(2);
}
const touched = changedSince(since);
const files = touched.length > 0 ? touched : changedSince(isCommit('HEAD~1') ? 'HEAD~1' : 'HEAD');
const code = files.filter((path) => CODE.test(path) && existsSync(join(ROOT, path)));
const tests = new Set([
  'test/unit/house', // pages and lists are held to the project by it, whatever changed
  ...code.filter((path) => /^test\/(?:unit|integration)\/.*\.test\.ts$/.test(path)),
  ...testsThatImport(new Set(code)),
]);
console.log(
  `${files.length} files ${touched.length > 0 ? `changed since ${since}` : 'of the last commit'}, ${tests.size - 1} tests of the edge`,
);

const vitest = ['vitest', '--run', '--reporter=dot', '--passWithNoTests'];
const jobs = [
  run('types', ['tsc', '-p', '.']),
  ...(code.length === 0
    ? []
    : [
        run('lint', ['oxlint', '--deny-warnings', ...code]),
        run('format', ['oxfmt', '--check', ...code]),
        run('unit tests', [...vitest.slice(0, 1), 'related', ...vitest.slice(1), '--project', 'unit', ...code]),
      ]),
  run('tests of the house and of the edge', [...vitest, ...tests]),
];
let failed = 0;
for (const job of jobs) {
  const { what, code: exit, output, seconds } = await job;
  if (exit !== 0) {
    failed += 1;
    console.log(output);
  }
  console.log(`${exit === 0 ? 'ok    ' : 'FAILED'} ${what} (${seconds.toFixed(1)} s)`);
}
process.exitCode = failed === 0 ? 0 : 1;
