import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULES, PLACES, isPure } from '../../../oxlint.config.ts';
import { importsOf } from './imports-of.ts';

const ROOT = join(import.meta.dirname, '../../..');

const sources = new Map(
  readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(ROOT, 'src', name), 'utf8')] as const),
);

const IMPORT = 'no-restricted-imports';

/** Files with one fault each, in a folder of their own; the last part says what the linter must report. */
const FAULTS: readonly (readonly [title: string, file: string, text: string, rule: string])[] = [
  ['an import from a module above', 'project/config/up.ts', "import '../../agents/read.ts';", IMPORT],
  ['a dynamic import from a module above', 'line/core/later.ts', "void import('../../app/cli/open.ts');", IMPORT],
  ['a re-export from a module above', 'rules/again.ts', "export * from '../line/core/machine.ts';", IMPORT],
  ['a type from a module above', 'base/type.ts', "export type { A } from '../line/record/a.ts';", IMPORT],
  ['an import from deep within', 'rules/load/a/deep.ts', "import '../../../line/core/a.ts';", IMPORT],
  ['a module that is not on the list', 'source/runs.ts', "import '../sandbox/cage-limits.ts';", IMPORT],
  ['the line in the rules', 'rules/files/line.ts', "import '../../line/record/a.ts';", IMPORT],
  ['the line in an agent', 'agents/drivers/line.ts', "export type { A } from '../../line/record/a.ts';", IMPORT],
  ['rules in the page', 'page/rules.ts', "import '../rules/a.ts';", IMPORT],
  ['a value of the server in the page', 'page/web.ts', "import { a } from '../app/web/a.ts'; a();", IMPORT],
  ['the daemon in the page', 'page/daemon.ts', "import { a } from '../line/daemon/a.ts'; a();", IMPORT],
  ['git in a decision', 'line/core/git.ts', "import { a } from '../git/a.ts'; a();", IMPORT],
  ['a disk in a decision', 'line/breakers/disk.ts', "import { a } from '../../base/system/a.ts'; a();", IMPORT],
  ['a process in a rule', 'rules/checks/files.ts', "import { a } from '../files/a.ts'; a();", IMPORT],
  ['a driver in the port of agents', 'agents/port.ts', "import { a } from './drivers/a.ts'; a();", IMPORT],
  ['a package in another place', 'line/daemon/run.ts', "import 'execa';", IMPORT],
  ['a part of a package in another place', 'line/core/zod.ts', "import 'zod/v4';", IMPORT],
  ['a powerful module in another place', 'line/daemon/spawn.ts', "import 'node:child_process';", IMPORT],
  ['the platform in a pure part', 'project/contract/path.ts', "import { join } from 'node:path'; join();", IMPORT],
  ['a clock in a pure part', 'line/core/now.ts', 'export const now = () => Date.now();', 'no-restricted-properties'],
  ['chance in a pure part', 'line/record/n.ts', 'export const n = () => Math.random();', 'no-restricted-properties'],
  [
    'the environment in a pure part',
    'project/config/env.ts',
    "export const p = process.env['A'];",
    'no-restricted-globals',
  ],
  ['a print in a pure part', 'rules/print.ts', "console.log('x');", 'no-restricted-globals'],
  ['a timer in a pure part', 'agents/budget/timer.ts', 'setTimeout(() => {}, 5);', 'no-restricted-globals'],
  ['the network in a pure part', 'line/order/net.ts', "await fetch('http://localhost');", 'no-restricted-globals'],
  [
    'a circle of values',
    'line/git/one.ts',
    "import { two } from './two.ts';\nexport const one = () => two;",
    'no-cycle',
  ],
  ['a circle of types', 'line/git/type.ts', "import type { U } from './types.ts';\nexport type T = U;", 'no-cycle'],
  ['a long file', 'line/git/long.ts', 'export {};\n'.repeat(401), 'max-lines'],
];

/** Files that must not be reported. */
const IN_ORDER: readonly (readonly [file: string, text: string])[] = [
  ['line/git/two.ts', "export { one as two } from './one.ts';"],
  ['line/git/types.ts', "export type { T as U } from './type.ts';"],
  ['line/core/typed.ts', "export type { A } from '../state/a.ts';"],
  ['line/services/open.ts', "import '../../sandbox/cage/a.ts';\nimport '../core/machine.ts';\nimport 'node:fs';"],
  ['sandbox/processes/run.ts', "import 'execa';\nimport 'node:child_process';"],
  ['sandbox/cage/a.ts', "import { r } from '../processes/run.ts';\nexport const at = [r, Date.now()];"],
  ['page/types.ts', "export type { A } from '../app/web/a.ts';\nexport const at = Date.now();"],
  ['page/view.ts', "import '../app/views/a.ts';\nimport '../line/board/a.ts';\nimport '../base/a.ts';"],
  ['rules/zod.ts', "import 'zod';\nimport '../source/a.ts';\nexport const at = new Date('2026-01-01');"],
  ['main.ts', "import './app/cli/run-cli.ts';\nimport 'node:fs';"],
];

describe('the walls of the source tree', () => {
  const world = mkdtempSync(join(tmpdir(), 'andon-walls-'));
  const reports = new Map<string, string[]>();

  beforeAll(() => {
    cpSync(join(ROOT, 'oxlint.config.ts'), join(world, 'oxlint.config.ts'));
    writeFileSync(join(world, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(ROOT, 'node_modules'), join(world, 'node_modules'));
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
    const circle = ['line/git/two.ts', 'line/git/types.ts'];
    expect([...reports.keys()].filter((file) => !faulty.has(file) && !circle.includes(file))).toEqual([]);
  });

  it('have no circle: a module imports only from those before it', () => {
    const names = Object.keys(MODULES);
    for (const [at, [name, { imports }]] of Object.entries(MODULES).entries())
      expect([name, imports.filter((one) => !names.slice(0, at).includes(one))]).toEqual([name, []]);
  });

  it('speak of folders and files that exist', () => {
    const parts = Object.entries(MODULES).flatMap(([name, { effects }]) => effects.map((part) => `${name}/${part}`));
    const named = [...Object.keys(MODULES), ...parts, ...Object.values(PLACES).flat()];
    const known = [...sources.keys()];
    expect(named.filter((name) => !known.some((file) => file === name || file.startsWith(`${name}/`)))).toEqual([]);
  });

  it('allow no import that is not made', () => {
    const made = [...sources].flatMap(([file, text]) =>
      importsOf(text).flatMap(({ from }) => {
        if (!from.startsWith('.')) return [];
        const [to = ''] = join(dirname(file), from).split('/');
        return [`${file.split('/')[0]} ${to}`];
      }),
    );
    const allowed = Object.entries(MODULES).flatMap(([name, { imports }]) => imports.map((one) => `${name} ${one}`));
    expect(allowed.filter((one) => !made.includes(one))).toEqual([]);
  });

  it('have a module for each folder, with a page about it, and a place for each package', () => {
    const folders = new Set([...sources.keys()].filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
    expect(folders).toEqual(new Set(Object.keys(MODULES)));
    for (const name of folders) expect(readFileSync(join(ROOT, 'src', name ?? '', 'README.md'), 'utf8')).not.toBe('');
    const packages = [...sources.values()]
      .flatMap(importsOf)
      .map(({ from }) => from)
      .filter((from) => !/^(?:\.|node:)/.test(from));
    const places = Object.keys(PLACES);
    expect(packages.filter((from) => !places.some((name) => from === name || from.startsWith(`${name}/`)))).toEqual([]);
  });

  it('keep the clock out of pure parts', () => {
    const pure = [...sources].filter(([file]) => isPure(file));
    expect(pure.length).toBeGreaterThan(300);
    expect(pure.filter(([, text]) => /\bnew Date\(\)/.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('have each unit test beside its source: `<source>.test.ts`, or `<source>-<aspect>.test.ts`', () => {
    const known = [...sources.keys()].map((file) => file.replace(/\.tsx?$/, ''));
    const tests = readdirSync(join(ROOT, 'test/unit'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.startsWith('house'))
      .map((name) => name.replaceAll('\\', '/').replace(/\.test\.ts$/, ''));
    expect(tests.length).toBeGreaterThan(200);
    expect(tests.filter((test) => !known.some((source) => test === source || test.startsWith(`${source}-`)))).toEqual(
      [],
    );
  });

  it('pass all services together only in the composition root', () => {
    const whole = [...sources].filter(
      ([file, text]) => !file.startsWith('line/services/') && /\w\??: Services\b(?!\[)/.test(text),
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
