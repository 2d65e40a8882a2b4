import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHouse, importsOf, type House } from './house.ts';

const SRC = join(import.meta.dirname, '../../../src');

/** Which folder may import which; ARCHITECTURE.md says why. */
const HOUSE: House = {
  rows: [
    // What everybody stands on.
    { room: 'base', from: [], pure: true },
    { room: 'test-results', from: ['base'], pure: true },
    { room: 'likeness', from: ['base'], pure: true },
    // Source code, parsed by tree-sitter grammars that are loaded on demand.
    { room: 'source', from: ['base', 'likeness (types)'], pure: false },
    // What an agent really did, from what its program wrote down.
    { room: 'session', from: ['base', 'test-results'], pure: true },
    { room: 'contract', from: ['base'], pure: true },
    { room: 'contract/draft', from: ['base', 'contract'], pure: true },
    { room: 'rule-model', from: ['base'], pure: true },
    // What other tools and older versions write, converted to andon's own formats when it is loaded.
    { room: 'compat', from: ['base', 'rule-model'], pure: true },
    { room: 'record', from: ['base', 'contract', 'likeness', 'rule-model'], pure: true },
    { room: 'config', from: ['base', 'compat', 'contract', 'record', 'rule-model'], pure: true },
    { room: 'ports', from: ['base', 'record (types)', 'config (types)', 'rule-model (types)'], pure: true },
    // When something may begin, and what all calls of a user may take together.
    { room: 'night', from: ['base', 'config', 'ports (types)'], pure: true },
    // The wing of the rules: pure, and knows nothing of the line but what its record looks like.
    { room: 'rules/text', from: ['base', 'rule-model'], pure: true },
    { room: 'rules/secrets', from: ['base', 'record (types)', 'rules/text'], pure: true },
    { room: 'rules/expressions', from: ['base'], pure: true },
    { room: 'rules/variables', from: ['base', 'rule-model', 'rules/expressions', 'rules/matchers'], pure: true },
    { room: 'rules/matchers', from: ['base', 'rule-model', 'rules/secrets', 'rules/text'], pure: true },
    { room: 'rules/enforce', from: ['base', 'rule-model'], pure: true },
    {
      room: 'rules/checks',
      from: [
        'base',
        'record (types)',
        'rules/enforce',
        'rules/matchers',
        'rule-model',
        'rules/secrets',
        'rules/text',
        'source',
      ],
      pure: true,
    },
    // What an answer claims: computed where it can be computed, judged where it must be judged.
    {
      room: 'rules/lanes',
      from: ['base', 'rule-model', 'rules/checks', 'rules/expressions', 'rules/secrets', 'rules/variables'],
      pure: true,
    },
    {
      room: 'rules',
      from: [
        'base',
        'record (types)',
        'rules/checks',
        'rules/enforce',
        'rules/lanes',
        'rules/matchers',
        'rule-model',
        'rules/secrets',
        'rules/text',
      ],
      pure: true,
    },
    {
      room: 'rules/load',
      from: [
        'base',
        'compat',
        'rules',
        'rules/checks',
        'rules/enforce',
        'rules/expressions',
        'rules/lanes',
        'rules/variables',
        'rule-model',
      ],
      pure: true,
    },
    { room: 'rules/response', from: ['base', 'record (types)', 'rules', 'rule-model'], pure: true },
    { room: 'rules/reporters', from: ['base', 'rule-model'], pure: true },
    { room: 'rules/relevance', from: ['base', 'rule-model', 'rules/text'], pure: true },
    {
      room: 'rules/messages',
      from: ['record', 'rule-model', 'rules/guards', 'rules/relevance', 'rules/text'],
      pure: true,
    },
    { room: 'rules/reviews', from: ['likeness', 'record', 'rule-model'], pure: true },
    {
      room: 'rules/guards',
      from: ['base', 'record (types)', 'rule-model', 'rules/text', 'session (types)', 'test-results'],
      pure: true,
    },
    { room: 'rules/gate-tampering', from: ['base', 'record (types)'], pure: true },
    // The wing of the line.
    { room: 'line/breakers', from: ['base', 'contract', 'likeness', 'record'], pure: true },
    { room: 'line/stations', from: ['base', 'contract', 'record'], pure: true },
    // What several reviewers say of one change: briefs, citations looked up, two rounds put together.
    {
      room: 'line/panel',
      from: ['base', 'record', 'rule-model', 'rules/reviews', 'line/stations'],
      pure: true,
    },
    // What an agent is asked about a proposal in prose, and what of its answer counts.
    { room: 'line/proposal', from: ['base', 'contract', 'contract/draft', 'record', 'line/stations'], pure: true },
    // Whose turn it is among what waits: one decision, for the line and for whoever shows it.
    { room: 'line/order', from: ['base', 'record (types)'], pure: true },
    {
      room: 'line',
      from: ['base', 'contract', 'record', 'night', 'line/breakers', 'line/order', 'test-results'],
      pure: true,
    },
    { room: 'line/documents', from: ['base', 'record', 'line', 'line/stations', 'rules/secrets'], pure: true },
    // What happened since somebody looked last: decided once, then text, Markdown or page.
    {
      room: 'line/digest',
      from: ['base', 'record', 'night', 'line', 'line/breakers', 'line/documents', 'rules/secrets'],
      pure: true,
    },
    // Who must act, over all repositories: the digest's own needs and waits, as rows of four lanes.
    {
      room: 'line/board',
      from: ['base', 'record (types)', 'night (types)', 'line', 'line/digest', 'line/documents'],
      pure: true,
    },
    // Siblings never meet, but all of them may speak of processes (the runner is handed to them, its types are not)
    // write files by the same durable means, and can be cut off before and after what they do to a disk.
    {
      room: 'adapters/*',
      from: [
        'base',
        'config',
        'ports',
        'record',
        'rule-model',
        'adapters/processes (types)',
        'adapters/safe-fs.ts',
        'adapters/durable.ts',
        'adapters/failpoints.ts',
        'adapters/install-root.ts',
        'adapters/trash.ts',
        'adapters/socket-folder.ts',
      ],
      pure: false,
    },
    // Contracts are read to know whose turn it is; the files are the handoff's, which is handed to it.
    { room: 'adapters/queue', from: ['base', 'contract', 'ports'], pure: true },
    { room: 'adapters/trash.ts', from: [], pure: false },
    { room: 'adapters/socket-folder.ts', from: [], pure: false },
    // What andon owns is read and written through it.
    { room: 'adapters/safe-fs.ts', from: ['base', 'adapters/durable.ts'], pure: false },
    { room: 'adapters/durable.ts', from: ['adapters/failpoints.ts'], pure: false },
    { room: 'adapters/failpoints.ts', from: [], pure: false },
    { room: 'adapters/install-root.ts', from: [], pure: false },
    // The one place that joins ports and adapters, and what it hands to the rooms of the daemon.
    {
      room: 'wiring',
      from: [
        'base',
        'views',
        'compat',
        'config',
        'record',
        'ports',
        'line',
        'night',
        'rule-model',
        'rules/load',
        'rules/matchers',
        'adapters/*',
        'adapters/queue',
        'adapters/safe-fs.ts',
        'adapters/install-root.ts',
        'adapters/trash.ts',
        'adapters/socket-folder.ts',
      ],
      pure: false,
    },
    {
      room: 'daemon/journal',
      from: ['base', 'contract', 'record', 'line', 'line/order', 'ports', 'wiring (types)'],
      pure: false,
    },
    {
      room: 'daemon/git',
      from: [
        'base',
        'contract',
        'record',
        'line',
        'line/stations',
        'likeness',
        'ports',
        'source',
        'daemon/journal',
        'wiring',
      ],
      pure: false,
    },
    {
      room: 'daemon/gates',
      from: [
        'base',
        'contract',
        'record',
        'line',
        'line/breakers',
        'ports',
        'rules/gate-tampering',
        'test-results',
        'daemon/git',
        'daemon/journal',
        'daemon/night',
        'wiring',
      ],
      pure: false,
    },
    // When a step or a call may begin: the user's hours and ceilings, and the ledger that they are held against.
    {
      room: 'daemon/night',
      from: ['base', 'config (types)', 'record', 'line', 'line/breakers', 'night', 'ports', 'daemon/journal', 'wiring'],
      pure: false,
    },
    {
      room: 'daemon/calls',
      from: [
        'base',
        'config',
        'contract',
        'record',
        'line',
        'line/breakers',
        'line/documents',
        'line/stations',
        'ports',
        'rules/secrets',
        'daemon/git',
        'daemon/journal',
        'daemon/night',
        'wiring',
      ],
      pure: false,
    },
    {
      room: 'daemon/documents',
      from: [
        'base',
        'contract',
        'record',
        'line',
        'line/documents',
        'ports (types)',
        'rules/secrets',
        'daemon/journal',
        'wiring',
      ],
      pure: false,
    },
    {
      room: 'daemon/steps',
      from: [
        'base',
        'config',
        'contract',
        'record',
        'night',
        'line',
        'line/breakers',
        'line/documents',
        'line/panel',
        'line/stations',
        'ports',
        'rules',
        'rules/checks',
        'rules/guards',
        'rules/lanes',
        'rules/messages',
        'rule-model',
        'rules/response',
        'rules/reviews',
        'rules/secrets',
        'inspection',
        'inspection/rulebook',
        'daemon/calls',
        'daemon/documents',
        'daemon/gates',
        'daemon/git',
        'daemon/journal',
        'daemon/night',
        'wiring',
      ],
      pure: false,
    },
    {
      room: 'daemon/halts',
      from: [
        'base',
        'contract',
        'record',
        'line',
        'line/documents',
        'ports',
        'rules/secrets',
        'daemon/documents',
        'daemon/gates',
        'daemon/git',
        'wiring',
      ],
      pure: false,
    },
    {
      room: 'daemon/intake',
      from: [
        'base',
        'config',
        'contract',
        'record',
        'line',
        'line/order',
        'line/proposal',
        'ports',
        'contract/draft',
        'rules/secrets',
        'inspection',
        'daemon/calls',
        'daemon/documents',
        'daemon/git',
        'daemon/journal',
        'daemon/night',
        'wiring',
      ],
      pure: false,
    },
    {
      room: 'daemon/notify',
      from: ['record', 'line', 'line/digest', 'ports', 'rules/checks', 'daemon/readers', 'wiring'],
      pure: false,
    },
    // What short commands show of a line: nothing here moves it, or runs a program but git.
    {
      room: 'daemon/readers',
      from: [
        'base',
        'config (types)',
        'contract',
        'record',
        'night',
        'line',
        'line/order',
        'line/breakers',
        'line/board',
        'line/digest',
        'line/documents',
        'ports',
        'daemon/documents',
        'daemon/journal',
        'daemon/night',
        'wiring',
      ],
      pure: false,
    },
    // The line of one repository, which joins those rooms; the watchdog is one that watches.
    {
      room: 'daemon/watch',
      from: [
        'base',
        'record',
        'line',
        'line/digest',
        'ports',
        'rules/secrets',
        'inspection/rulebook',
        'daemon/calls',
        'daemon/documents',
        'daemon/git',
        'daemon/halts',
        'daemon/intake',
        'daemon/journal',
        'daemon/night',
        'daemon/notify',
        'daemon/steps',
        'wiring',
      ],
      pure: false,
    },
    // A rulebook held against files, for commands, git hooks and the line.
    {
      room: 'inspection/rulebook',
      from: ['base', 'compat', 'config', 'ports', 'rules/lanes', 'rules/load', 'rule-model', 'wiring'],
      pure: false,
    },
    {
      room: 'inspection',
      from: [
        'base',
        'config',
        'record',
        'ports',
        'line/stations',
        'rules',
        'rules/checks',
        'rules/enforce',
        'rules/guards',
        'rules/lanes',
        'rules/messages',
        'rules/load',
        'rules/reviews',
        'rules/matchers',
        'rules/relevance',
        'rules/response',
        'rule-model',
        'rules/secrets',
        'rules/text',
        'rules/variables',
        'inspection/rulebook',
        'daemon/calls',
        'wiring',
      ],
      pure: false,
    },
    {
      room: 'inspection/engine',
      from: ['base', 'rules', 'rules/load', 'rule-model', 'rules/text', 'inspection', 'inspection/rulebook', 'wiring'],
      pure: false,
    },
    // A change put before several reviewers at once, beside the line.
    {
      room: 'panels',
      from: [
        'base',
        'config',
        'contract',
        'record',
        'ports (types)',
        'rule-model',
        'rules/reviews',
        'rules/secrets',
        'line/documents',
        'line/panel',
        'line/stations',
        'inspection',
        'inspection/rulebook',
        'daemon/calls',
        'daemon/night',
        'wiring',
      ],
      pure: false,
    },
    // Claude Code's settings, and what its hooks are answered.
    {
      room: 'inspection/claude',
      from: ['base', 'rule-model', 'rules/guards', 'session', 'inspection', 'inspection/rulebook', 'wiring'],
      pure: false,
    },
    { room: 'setup', from: ['base', 'compat', 'config', 'wiring'], pure: false },
    {
      room: 'setup/doctor',
      from: [
        'base',
        'config',
        'contract',
        'record',
        'line',
        'ports',
        'inspection/rulebook',
        'daemon/calls',
        'daemon/gates',
        'daemon/intake',
        'daemon/git',
        'daemon/journal',
        'daemon/readers',
        'setup',
        'wiring',
      ],
      pure: false,
    },
    // Whole lines in projects of their own.
    { room: 'demo', from: ['base', 'config', 'wiring'], pure: false },
    {
      room: 'drills',
      from: ['base', 'config', 'record', 'line', 'demo', 'daemon/watch', 'daemon/night', 'daemon/readers', 'wiring'],
      pure: false,
    },
    // Surfaces read the line (a record, its view, its story); only the daemon moves it.
    {
      room: 'surfaces/*',
      from: [
        'base',
        'config',
        'contract',
        'contract/draft',
        'record',
        'ports (types)',
        'night',
        'line',
        'line/board',
        'line/digest',
        'line/documents',
        'line/panel (types)',
        'rule-model',
        'rules/reporters',
        'rules/secrets',
        'panels',
        'inspection',
        'inspection/claude',
        'inspection/engine',
        'inspection/rulebook',
        'setup',
        'setup/doctor',
        'demo',
        'drills',
        'views',
        'daemon/documents',
        'daemon/intake',
        'daemon/journal',
        'daemon/notify',
        'daemon/readers',
        'daemon/steps',
        'daemon/watch',
        'wiring',
      ],
      pure: false,
    },
    // A task and a digest as pages: one set of components for the board and for files, so they ask for nothing.
    { room: 'views', from: ['base', 'line/digest', 'line/documents'], pure: true },
    // What runs in a browser: it knows the board, and what the server tells and is told.
    { room: 'page', from: ['base', 'line/board', 'line/documents', 'surfaces/web (types)', 'views'], pure: false },
    { room: 'main.ts', from: ['surfaces/*'], pure: false },
  ],
  packages: {
    // zod is the language in which shapes are written: formats, and what agents print.
    zod: [
      'likeness/',
      'test-results/',
      'session/',
      'base/',
      'compat/',
      'config/',
      'contract/',
      'record/',
      'rule-model/',
      'rules/guards/',
      'rules/load/',
      'rules/secrets/',
      'rules/text/',
      'rules/relevance/',
      'rules/variables/',
      'demo/',
      'drills/',
      'surfaces/web/asks.ts',
      'adapters/agents/claude-output.ts',
    ],
    // Read in one place; written where a configuration is made: by `init` and for the demo; a spec may be YAML.
    yaml: [
      'config/config-file.ts',
      'config/config-page.ts',
      'config/edit-config.ts',
      'contract/draft/task-spec.ts',
      // Rule files and waivers, bounded against hostile ones.
      'base/strict-yaml.ts',
      'base/yaml-scan.ts',
      'demo/demo-place.ts',
    ],
    // gitleaks configurations, and a pipeline in TOML.
    'smol-toml': ['compat/toml.ts'],
    // Where everything stands in a text that is JSON.
    'jsonc-parser': ['base/json.ts', 'base/json-edit.ts'],
    // Which of two versions is the older one.
    'compare-versions': ['base/version.ts'],
    'web-tree-sitter': ['source/'],
    picomatch: ['base/paths.ts', 'base/path-globs.ts'],
    // Patterns of rules run on its automata alone.
    re2js: ['rules/matchers/pattern.ts'],
    diff: ['line/stations/answer-formats/line-ends.ts'],
    // Strict XML as a stream, which knows no entities but the five.
    saxes: ['test-results/junit.ts'],
    'fastest-levenshtein': ['base/nearest-word.ts'],
    // The machine, and the one file that runs it.
    xstate: ['line/machine.ts', 'daemon/watch/task-line.ts'],
    execa: ['adapters/processes/run.ts'],
    'simple-git': ['adapters/repository/checkout.ts'],
    chokidar: ['adapters/handoff/watch.ts'],
    // The daemon's lock, what only one andon of a user does, and an append to the audit, which several processes write.
    'proper-lockfile': [
      'adapters/locks/daemon-lock.ts',
      'adapters/locks/with-exclusive-lock.ts',
      'adapters/audit/audit-log.ts',
    ],
    pino: ['daemon/watch/log.ts'],
    commander: ['surfaces/cli/cli.ts'],
    // How wide a text is shown.
    'fast-string-truncated-width': ['base/text-width.ts'],
    // The protocol that programs speak, in one place.
    '@modelcontextprotocol/server': [
      'surfaces/mcp/protocol.ts',
      'surfaces/mcp/bounded-stdio-transport.ts',
      'surfaces/mcp/http-sessions.ts',
    ],
    // The board in a browser: the router, and what the page is made of.
    hono: ['surfaces/web/'],
    // The board in a terminal, loaded when it is shown in one.
    ink: ['surfaces/top/open.ts'],
    react: ['surfaces/top/open.ts'],
    preact: ['page/', 'views/'],
    'preact-render-to-string': ['views/page-frame.tsx'],
    rolldown: ['wiring/load-pages.ts'],
    '@preact/signals': ['page/'],
    eventsource: ['page/'],
    // Loaded only when a human is asked.
    '@clack/prompts': ['surfaces/cli/prompts.ts'],
  },
  guarded: {
    // git, hardened; the andon that a drill kills, whose orphans no runner may end; the board in a watchdog's terminal; what removes folders; and what holds
    // andon's own standard output.
    'node:child_process': [
      'adapters/repository/git.ts',
      'adapters/processes/edit-text.ts',
      'adapters/processes/job-control.ts',
      'adapters/processes/start-andon.ts',
      'adapters/processes/start-child-daemon.ts',
      'adapters/processes/on-reader-closed.ts',
      'adapters/processes/service-manager.ts',
      'adapters/trash.ts',
    ],
    'node:sqlite': ['adapters/journal/', 'adapters/ledger/', 'adapters/locks/kernel-lock.ts'],
    // The one server besides: the way out of a cage, which passes on what a service streams.
    'node:http': [
      'adapters/listener/listener.ts',
      'adapters/agents/model-proxy.ts',
      'adapters/agents/proxy-response.ts',
      'adapters/agents/login-tunnel.ts',
      'surfaces/cli/environment.ts',
    ],
    'node:https': ['adapters/agents/model-proxy.ts'],
    // The kernel's name of a repository, which only one process can have; and who listens while doctor tries a cage.
    'node:net': [
      'adapters/locks/kernel-name.ts',
      'setup/doctor/doors.ts',
      'adapters/agents/model-proxy.ts',
      'adapters/agents/login-tunnel.ts',
    ],
    'node:worker_threads': [],
    'node:vm': [],
  },
  exceptions: [
    {
      file: 'base/sha256.ts',
      imports: 'node:crypto',
      why: 'a digest is arithmetic, which the platform has and nobody should write again',
    },
    {
      file: 'adapters/locks/holder.ts',
      imports: 'adapters/processes/descendants.ts',
      why: 'a lock names its holder as processes are named: by pid and start time',
    },
    {
      file: 'surfaces/cli/commands/top.ts',
      imports: 'surfaces/top/open.ts',
      why: 'what draws in a terminal is loaded by its own command',
    },
    {
      file: 'surfaces/cli/commands/web.ts',
      imports: 'surfaces/web/serve.ts',
      why: 'the other surface is started by a command',
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
    .filter((name) => /\.(?:tsx?|json)$/.test(name) && !name.endsWith('tsconfig.json'))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(SRC, name), 'utf8')] as const),
);

describe('the house', () => {
  it('is looked at as a whole', () => {
    expect(files.size).toBeGreaterThan(100);
    expect([...files.values()].flatMap(importsOf).length).toBeGreaterThan(400);
  });

  it('passes all services together only in the composition root', () => {
    const whole = [...files].filter(
      ([file, text]) => !file.startsWith('wiring/') && /\w\??: Services\b(?!\[)/.test(text),
    );
    expect(whole.map(([file]) => file)).toEqual([]);
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
    { room: 'floor/open-services.ts', from: ['floor', 'adapters/*'], pure: false },
    { room: 'main.ts', from: ['floor'], pure: false },
  ],
  packages: { zod: ['likeness/', 'test-results/', 'formats/'], execa: ['adapters/processes/run.ts'] },
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
  'floor/open-services.ts': "import { d } from '../adapters/agents/d.ts';\nimport './f.ts';\n",
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
      'an adapter outside open-services',
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
