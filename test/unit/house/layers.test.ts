import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { House } from './house.ts';
import { checkHouse, importsOf } from './house.ts';

const SRC = join(import.meta.dirname, '../../../src');

/** Which folder may import which; ARCHITECTURE.md says why. */
const HOUSE: House = {
  rows: [
    { room: 'formats', from: [], pure: true },
    { room: 'problems', from: ['formats'], pure: true },
    { room: 'ports', from: ['formats'], pure: true },
    { room: 'breakers', from: ['formats'], pure: true },
    { room: 'stations', from: ['formats'], pure: true },
    { room: 'governance', from: ['formats', 'ports (types)'], pure: true },
    { room: 'reporters', from: ['formats', 'problems'], pure: true },
    { room: 'line', from: ['formats', 'breakers', 'governance', 'stations'], pure: true },
    // Siblings never meet, but all of them may speak of processes (the runner is handed to them, its types are not)
    // write files by the same durable means, and can be cut off before and after what they do to a disk.
    {
      room: 'adapters/*',
      from: [
        'formats',
        'ports',
        'problems',
        'adapters/processes (types)',
        'adapters/durable.ts',
        'adapters/failpoints.ts',
      ],
      pure: false,
    },
    { room: 'adapters/durable.ts', from: ['adapters/failpoints.ts'], pure: false },
    { room: 'adapters/failpoints.ts', from: [], pure: false },
    {
      room: 'floor',
      from: ['formats', 'problems', 'ports', 'breakers', 'stations', 'governance', 'line', 'floor/open-floor.ts'],
      pure: false,
    },
    // The one place that joins ports and adapters; where it all lies is found beside it.
    {
      room: 'floor/open-floor.ts',
      from: ['formats', 'problems', 'ports', 'floor', 'floor/open-place.ts', 'adapters/*'],
      pure: false,
    },
    {
      room: 'floor/open-place.ts',
      from: ['formats', 'problems', 'ports', 'adapters/*', 'adapters/durable.ts'],
      pure: false,
    },
    // Surfaces read the line (a record, its view, its story); only the floor moves it.
    {
      room: 'surfaces/*',
      from: ['formats', 'problems', 'line', 'reporters', 'floor', 'floor/open-floor.ts'],
      pure: false,
    },
    { room: 'main.ts', from: ['surfaces/*'], pure: false },
  ],
  packages: {
    // zod is the language in which shapes are written: formats, and what agents print.
    zod: ['formats/', 'adapters/agents/claude-output.ts'],
    // Read in one place; written where a configuration is made: by `init` and for the demo; a spec may be YAML.
    yaml: [
      'formats/config.ts',
      'formats/config-page.ts',
      'formats/edit-config.ts',
      'formats/task-spec.ts',
      // Rule files and waivers, bounded against hostile ones.
      'formats/rule-yaml.ts',
      'formats/rule-yaml-scan.ts',
      'floor/demo/demo-place.ts',
    ],
    // gitleaks configurations that are imported.
    'smol-toml': ['formats/rule-toml.ts'],
    picomatch: ['formats/paths.ts', 'formats/path-globs.ts'],
    // Patterns of rules run on its automata alone.
    re2js: ['governance/matchers/pattern.ts'],
    diff: ['formats/unified-diff.ts'],
    'fastest-levenshtein': ['formats/nearest-word.ts'],
    '@secretlint/core': ['governance/secrets/all-secrets.ts'],
    '@secretlint/profiler': ['governance/secrets/all-secrets.ts'],
    '@secretlint/secretlint-rule-preset-recommend': ['governance/secrets/all-secrets.ts'],
    // The machine, and the one file that runs it.
    xstate: ['line/machine.ts', 'floor/task-line.ts'],
    execa: ['adapters/processes/run.ts'],
    'simple-git': ['adapters/repository/checkout.ts'],
    chokidar: ['adapters/handoff/watch.ts'],
    // The daemon's lock, and the one around an append to the audit, which several processes write.
    'proper-lockfile': ['adapters/locks/daemon-lock.ts', 'adapters/audit/audit-log.ts'],
    pino: ['floor/log.ts'],
    commander: ['surfaces/cli/cli.ts'],
    // The protocol that programs speak, in one place.
    '@modelcontextprotocol/server': [
      'surfaces/mcp/protocol.ts',
      'surfaces/mcp/stdio-transport.ts',
      'surfaces/mcp/http-sessions.ts',
    ],
    // Loaded only when a human is asked.
    '@clack/prompts': ['surfaces/cli/prompts.ts'],
  },
  guarded: {
    // git, hardened; and the andon that a drill kills, whose orphans no runner may end.
    'node:child_process': ['adapters/repository/git.ts', 'adapters/processes/start-andon.ts'],
    'node:sqlite': ['adapters/journal/'],
    'node:http': ['surfaces/mcp/http.ts'],
    'node:https': [],
    'node:net': ['adapters/locks/daemon-lock.ts'],
    'node:worker_threads': [],
    'node:vm': [],
  },
  exceptions: [
    {
      file: 'adapters/locks/daemon-lock.ts',
      imports: 'adapters/processes/descendants.ts',
      why: 'a lock names its holder as processes are named: by pid and start time',
    },
    {
      file: 'surfaces/cli/commands/mcp.ts',
      imports: 'surfaces/mcp/serve.ts',
      why: 'the other surface is started by a command',
    },
  ],
  maxLines: 260,
};

/** Breaches that are known and to be mended; the test fails as soon as one of them is gone from the code. */
const DEBTS: readonly string[] = [];

const files = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(SRC, name), 'utf8')] as const),
);

describe('the house', () => {
  it('is looked at as a whole', () => {
    expect(files.size).toBeGreaterThan(100);
    expect([...files.values()].flatMap(importsOf).length).toBeGreaterThan(400);
  });

  it('keeps its directions, its pure rooms and its packages', () => {
    const said = checkHouse(files, HOUSE).map((line) => line.replace(/: \d+ lines/, ': N lines'));
    expect(said).toEqual(DEBTS);
  });
});

/** A small house in order; each test plants one fault. */
const SMALL: House = {
  rows: [
    { room: 'formats', from: [], pure: true },
    { room: 'ports', from: ['formats'], pure: true },
    { room: 'governance', from: ['formats', 'ports (types)'], pure: true },
    { room: 'adapters/*', from: ['formats', 'ports', 'adapters/processes (types)'], pure: false },
    { room: 'floor', from: ['formats', 'ports'], pure: false },
    { room: 'floor/open-floor.ts', from: ['floor', 'adapters/*'], pure: false },
    { room: 'main.ts', from: ['floor'], pure: false },
  ],
  packages: { zod: ['formats/'], execa: ['adapters/processes/run.ts'] },
  guarded: { 'node:child_process': ['adapters/processes/'] },
  exceptions: [],
  maxLines: 10,
};

const IN_ORDER: Readonly<Record<string, string>> = {
  'formats/a.ts': "import { z } from 'zod';\n// Date.now() in a comment, and 'node:fs' too\nexport const a = z;\n",
  'ports/b.ts': "import type { A } from '../formats/a.ts';\n",
  'governance/c.ts': "import type { B } from '../ports/b.ts';\nexport const at = new Date('2026-01-01');\n",
  'adapters/processes/run.ts': "import { execa } from 'execa';\nimport { spawn } from 'node:child_process';\n",
  'adapters/agents/d.ts': "import type { Run } from '../processes/run.ts';\nimport 'node:fs';\n",
  'adapters/cage/e.ts': 'console.log(Date.now());\n',
  'floor/f.ts': "import type { B } from '../ports/b.ts';\n",
  'floor/open-floor.ts': "import { d } from '../adapters/agents/d.ts';\nimport './f.ts';\n",
  'main.ts': "await import('./floor/f.ts');\n",
};

const withFile = (file: string, text: string): string[] =>
  checkHouse(new Map(Object.entries({ ...IN_ORDER, [file]: text })), SMALL);

describe('the test of the house', () => {
  it('is content with a house in order', () => {
    expect(checkHouse(new Map(Object.entries(IN_ORDER)), SMALL)).toEqual([]);
  });

  it.each([
    ['an import against the direction', 'formats/a.ts', "import '../ports/b.ts';", 'formats may not import ports'],
    ['a dynamic import against the direction', 'ports/b.ts', "void import('../floor/f.ts');", 'may not import floor'],
    ['a re-export against the direction', 'ports/b.ts', "export * from '../floor/f.ts';", 'may not import floor'],
    [
      'an import over several lines',
      'formats/a.ts',
      "import {\n  one,\n  two,\n} from '../ports/b.ts';",
      'may not import ports',
    ],
    [
      'a value where only types may be taken',
      'governance/c.ts',
      "import { b } from '../ports/b.ts';",
      'governance may not import ports',
    ],
    [
      'two siblings in adapters',
      'adapters/cage/e.ts',
      "import '../agents/d.ts';",
      'adapters/cage may not import adapters/agents',
    ],
    [
      'the runner itself in a sibling',
      'adapters/cage/e.ts',
      "import { run } from '../processes/run.ts';",
      'adapters/cage may not import adapters/processes',
    ],
    [
      'an adapter outside open-floor',
      'floor/f.ts',
      "import { d } from '../adapters/agents/d.ts';",
      'floor may not import adapters/agents',
    ],
    ['a package in another place', 'floor/f.ts', "import { execa } from 'execa';", 'the package execa belongs to'],
    ['a package that nobody placed', 'formats/a.ts', "import x from 'lodash/fp';", 'the package lodash has no place'],
    ['node in a pure room', 'formats/a.ts', "import { join } from 'node:path';", 'may not import node:path'],
    ['a guarded module', 'floor/f.ts', "import { spawn } from 'node:child_process';", 'belongs to adapters/processes/'],
    ['a clock in a pure room', 'formats/a.ts', 'const now = new Date();', 'may not touch new Date()'],
    ['milliseconds in a pure room', 'ports/b.ts', 'const now = Date.now();', 'may not touch Date.now'],
    ['chance in a pure room', 'formats/a.ts', 'const n = Math.random();', 'may not touch Math.random'],
    ['the environment in a pure room', 'formats/a.ts', "const p = process.env['PATH'];", 'may not touch process'],
    ['a print in a pure room', 'formats/a.ts', "console.log('x');", 'may not touch console'],
    ['a timer in a pure room', 'formats/a.ts', 'setTimeout(work, 5);', 'may not touch timers'],
    ['the network in a pure room', 'formats/a.ts', 'await fetch(url);', 'may not touch fetch'],
    ['a folder without a row', 'utils/x.ts', 'export const x = 1;', 'its folder has no row'],
    ['a file beside the folders', 'adapters/x.ts', 'export const x = 1;', 'its folder has no row'],
    ['a missing file', 'floor/f.ts', "import './gone.ts';", 'which is not there'],
    ['a long file', 'formats/a.ts', 'x;\n'.repeat(11), '11 lines are two subjects'],
  ])('finds %s', (_, file, text, rule) => {
    const said = withFile(file, text).filter((line) => !line.includes('a circle of imports'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`${file}: `);
    expect(said[0]).toContain(rule);
  });

  it('finds a circle', () => {
    const circle = { ...IN_ORDER, 'floor/g.ts': "import './h.ts';", 'floor/h.ts': "import type { G } from './g.ts';" };
    expect(checkHouse(new Map(Object.entries(circle)), SMALL)).toEqual([
      'floor/g.ts: a circle of imports: floor/g.ts -> floor/h.ts -> floor/g.ts',
    ]);
  });

  it('finds a row and an exception that guard nothing', () => {
    const { 'governance/c.ts': _, ...without } = IN_ORDER;
    const exceptions = [{ file: 'floor/f.ts', imports: 'adapters/agents/d.ts', why: 'once' }];
    expect(checkHouse(new Map(Object.entries(without)), { ...SMALL, exceptions })).toEqual([
      'floor/f.ts: the exception for adapters/agents/d.ts is not needed any more',
      'governance: this row matches no file',
    ]);
  });

  it('lets an exception through', () => {
    const exceptions = [{ file: 'floor/f.ts', imports: 'adapters/agents/d.ts', why: 'a reason' }];
    const files = new Map(Object.entries({ ...IN_ORDER, 'floor/f.ts': "import '../adapters/agents/d.ts';" }));
    expect(checkHouse(files, { ...SMALL, exceptions })).toEqual([]);
  });
});
