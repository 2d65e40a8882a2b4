import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLACES, PURE, ROWS } from '../../../oxlint.config.ts';
import { importsOf } from './imports-of.ts';

const ROOT = join(import.meta.dirname, '../../..');

const sources = new Map(
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(ROOT, 'src', name), 'utf8')] as const),
);

/** Files with one fault each, in a folder of their own; the last part says what the linter must report. */
const FAULTS: readonly (readonly [title: string, file: string, text: string, rule: string])[] = [
  ['an import from a higher row', 'record/up.ts', "import '../config/read-settings.ts';", 'no-restricted-imports'],
  ['a dynamic import from a higher row', 'line/later.ts', "void import('../wiring/open.ts');", 'no-restricted-imports'],
  ['a re-export from a higher row', 'rules/again.ts', "export * from '../line/machine.ts';", 'no-restricted-imports'],
  ['a type from a higher row', 'base/type.ts', "export type { A } from '../record/a.ts';", 'no-restricted-imports'],
  ['an import from far below', 'rules/load/deep.ts', "import '../../line/a.ts';", 'no-restricted-imports'],
  ['an adapter outside wiring', 'daemon/steps/git.ts', "import '../../adapters/cage/a.ts';", 'no-restricted-imports'],
  [
    'two adapters that meet',
    'adapters/cage/run.ts',
    "import { a } from '../agents/a.ts'; a();",
    'no-restricted-imports',
  ],
  [
    'an adapter under a helper of all adapters',
    'adapters/low.ts',
    "import { a } from './agents/a.ts'; a();",
    'no-restricted-imports',
  ],
  ['a page component in the demo', 'demo/page.ts', "import '../views/a.ts';", 'no-restricted-imports'],
  ['a parser of code in the page', 'page/source.ts', "import '../source/a.ts';", 'no-restricted-imports'],
  ['a decision in an adapter', 'adapters/cage/rule.ts', "import '../../rules/a.ts';", 'no-restricted-imports'],
  ['the daemon in the page', 'page/daemon.ts', "import '../daemon/a.ts';", 'no-restricted-imports'],
  [
    'a value of the server in the page',
    'page/web.ts',
    "import { a } from '../surfaces/web/a.ts'; a();",
    'no-restricted-imports',
  ],
  ['a package in another place', 'daemon/run.ts', "import 'execa';", 'no-restricted-imports'],
  ['a part of a package in another place', 'line/zod.ts', "import 'zod/v4';", 'no-restricted-imports'],
  ['a powerful module in another place', 'daemon/spawn.ts', "import 'node:child_process';", 'no-restricted-imports'],
  [
    'the platform in a pure folder',
    'contract/path.ts',
    "import { join } from 'node:path'; join();",
    'no-restricted-imports',
  ],
  ['a clock in a pure folder', 'line/now.ts', 'export const now = () => Date.now();', 'no-restricted-properties'],
  ['chance in a pure folder', 'record/chance.ts', 'export const n = () => Math.random();', 'no-restricted-properties'],
  ['the environment in a pure folder', 'config/env.ts', "export const p = process.env['A'];", 'no-restricted-globals'],
  ['a print in a pure folder', 'rules/print.ts', "console.log('x');", 'no-restricted-globals'],
  ['a timer in a pure folder', 'night/timer.ts', 'setTimeout(() => {}, 5);', 'no-restricted-globals'],
  [
    'the network in a pure folder',
    'adapters/queue/net.ts',
    "await fetch('http://localhost');",
    'no-restricted-globals',
  ],
  ['a circle of values', 'daemon/one.ts', "import { two } from './two.ts';\nexport const one = () => two;", 'no-cycle'],
  ['a circle of types', 'daemon/type.ts', "import type { U } from './types.ts';\nexport type T = U;", 'no-cycle'],
  ['a long file', 'daemon/long.ts', 'export {};\n'.repeat(401), 'max-lines'],
];

/** Files that must not be reported. */
const IN_ORDER: readonly (readonly [file: string, text: string])[] = [
  ['daemon/two.ts', "export { one as two } from './one.ts';"],
  ['daemon/types.ts', "export type { T as U } from './type.ts';"],
  ['daemon/typed.ts', "export type { A } from '../adapters/cage/a.ts';"],
  ['wiring/open.ts', "import '../adapters/cage/a.ts';\nimport '../line/machine.ts';\nimport 'node:fs';"],
  ['adapters/processes/run.ts', "import 'execa';\nimport 'node:child_process';"],
  ['adapters/cage/a.ts', "import type { R } from '../processes/run.ts';\nexport const at = (r: R) => [r, Date.now()];"],
  ['page/types.ts', "export type { A } from '../surfaces/web/a.ts';"],
  ['rules/zod.ts', "import 'zod';\nimport '../source/a.ts';\nexport const at = new Date('2026-01-01');"],
];

describe('the walls of the source tree', () => {
  const world = mkdtempSync(join(tmpdir(), 'andon-walls-'));
  const reports = new Map<string, string[]>();

  beforeAll(() => {
    cpSync(join(ROOT, 'oxlint.config.ts'), join(world, 'oxlint.config.ts'));
    writeFileSync(join(world, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(ROOT, 'node_modules'), join(world, 'node_modules'));
    for (const folder of ['agents', 'cage', 'processes', 'queue'])
      mkdirSync(join(world, 'src/adapters', folder), { recursive: true });
    for (const [file, text] of [...FAULTS.map(([, name, code]) => [name, code] as const), ...IN_ORDER]) {
      mkdirSync(dirname(join(world, 'src', file)), { recursive: true });
      writeFileSync(join(world, 'src', file), text);
    }
    for (const { filename, code } of lint(world)) {
      const file = filename.replace(/^src\//, '');
      reports.set(file, [...(reports.get(file) ?? []), code]);
    }
  });
  afterAll(() => rmSync(world, { recursive: true }));

  it.each(FAULTS)('stop %s', (_, file, __, rule) => {
    expect(reports.get(file)?.join(' ')).toContain(rule);
  });

  it('let a tree in order through', () => {
    const faulty = new Set(FAULTS.map(([, file]) => file));
    const circle = ['daemon/two.ts', 'daemon/types.ts'];
    expect([...reports.keys()].filter((file) => !faulty.has(file) && !circle.includes(file))).toEqual([]);
  });

  it('speak of folders and files that exist', () => {
    const named = [...ROWS.flat(), ...Object.values(PLACES).flat()];
    const known = [...sources.keys()];
    expect(named.filter((name) => !known.some((file) => file === name || file.startsWith(`${name}/`)))).toEqual([]);
  });

  it('have a row for each folder and a place for each package', () => {
    const folders = new Set([...sources.keys()].filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
    expect([...folders].filter((name) => !ROWS.flat().some((known) => known === name))).toEqual([]);
    const packages = [...sources.values()]
      .flatMap(importsOf)
      .map(({ from }) => from)
      .filter((from) => !/^(?:\.|node:)/.test(from));
    const places = Object.keys(PLACES);
    expect(packages.filter((from) => !places.some((name) => from === name || from.startsWith(`${name}/`)))).toEqual([]);
  });

  it('keep the clock out of pure folders', () => {
    const pure = [...sources].filter(([file]) => PURE.some((folder) => file.startsWith(`${folder}/`)));
    expect(pure.filter(([, text]) => /\bnew Date\(\)/.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('pass all services together only in the composition root', () => {
    const whole = [...sources].filter(
      ([file, text]) => !file.startsWith('wiring/') && /\w\??: Services\b(?!\[)/.test(text),
    );
    expect(whole.map(([file]) => file)).toEqual([]);
  });
});

/** The reports of the linter on a folder; it ends with 1 when there are any. */
function lint(cwd: string): readonly { filename: string; code: string }[] {
  const program = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  try {
    execFileSync(process.execPath, [program, '--format', 'json', 'src'], { cwd, encoding: 'utf8' });
  } catch (error) {
    return (JSON.parse((error as { stdout: string }).stdout) as { diagnostics: { filename: string; code: string }[] })
      .diagnostics;
  }
  return [];
}
