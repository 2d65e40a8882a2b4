import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './imports-of.ts';

const SRC = join(import.meta.dirname, '../../../src');

/** What every command stands on: the command line, the place of the repository, its configuration. */
const ANY = [
  'app/cli',
  'base',
  'base/system',
  'project/config',
  'project/contract',
  'project/folders',
  'project/git',
  'project/handoff',
  'project/locks',
  'project/requests',
  'project/workspace',
  'rules/model',
  'sandbox/cage-limits.ts',
  'sandbox/processes/descendants.ts',
  'sandbox/processes/proc.ts',
];

/** Where the line stands is folded from the journal, and told. */
const LINE = [
  'agents/budget',
  'agents/ledger',
  'line/calls/open-ledger.ts',
  'line/calls/settle-call.ts',
  'line/core',
  'line/halts',
  'line/journal',
  'line/night/pause.ts',
  'line/night/read-current-night.ts',
  'line/order',
  'line/readers',
  'line/record',
  'line/services/configuration-gaps.ts',
  'line/services/configuration-in-use.ts',
  'line/upkeep/doctor-reds.ts',
  'line/upkeep/lost-journal.ts',
  'line/words',
  'source/change-fingerprint.ts',
  // Its configuration is what the target commits, which is compared with the checkout.
  'rules/dialects',
  'rules/files/kept-files.ts',
  'rules/files/project-files.ts',
  'rules/load',
];

/** What happened is told as text, Markdown or page. */
const DIGEST = ['line/digest', 'line/reports/task-report', 'rules/secrets'];

/** Rules are held against files. */
const RULES = [
  'rules',
  'rules/checks',
  'rules/dialects',
  'rules/enforce',
  'rules/expressions',
  'rules/files',
  'rules/response',
  'rules/load',
  'rules/matchers',
  'rules/reporters',
  'rules/secrets',
  'rules/text',
  'rules/variables',
  'source',
];

/** Which folders (or files of a folder) a command may load, besides itself. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  status: [...ANY, ...LINE],
  list: [...ANY, ...LINE],
  queue: [...ANY, ...LINE],
  digest: [...ANY, ...LINE, ...DIGEST],
  top: [...ANY, 'sandbox/processes/job-control.ts', ...LINE, ...DIGEST, 'line/board'],
  check: [...ANY, ...RULES],
  hook: [...ANY, 'rules/files/install-hook.ts', 'rules/files/read-files.ts'],
};

/** Packages that run agents, machines or servers, or wait for something: none of them is for a command that only looks. */
const HEAVY = ['ai', '@clack/prompts', '@modelcontextprotocol/server', 'chokidar', 'execa', 'pino', 'xstate'];

describe.each(Object.entries(COMMANDS))('andon %s', (command, folders) => {
  const { files, packages } = loadedBy(['main.ts', 'app/cli/run-cli.ts', `app/cli/commands/${command}.ts`]);
  const own = ['main.ts', 'app/cli/commands', 'app/cli/command-groups'];
  const others = files.filter(
    (file) => ![...own, ...folders].some((folder) => folder === file || folder === dirname(file)),
  );

  it('loads no cage, no agent, no daemon, and nothing else that it has no use for', () => {
    expect(files.length).toBeGreaterThan(50); // the imports were followed
    expect(others).toEqual([]);
  });

  it('loads no package of the daemon', () => {
    expect(packages.filter((name) => HEAVY.includes(name))).toEqual([]);
  });

  it('names no folder that it does not load', () => {
    const unused = folders.filter((folder) => !files.some((file) => folder === file || folder === dirname(file)));
    expect(unused).toEqual([]);
  });
});

/** Commands that read what andon wrote, and settings that are mostly not written: no schema is made when a file loads. */
const LOOKS = ['status', 'list', 'queue'];

describe.each(LOOKS)('andon %s, which only looks,', (command) => {
  const { files, packages } = loadedBy(['main.ts', 'app/cli/run-cli.ts', `app/cli/commands/${command}.ts`]);
  const texts = files.map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));
  const found = (pattern: RegExp): readonly string[] =>
    texts.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([row]) => `${file}: ${row}`));

  it('makes no schema before something is to be held against it', () => {
    expect(found(/^(?:export )?const \w+ = lazy\(\(\) =>/gm).length).toBeGreaterThan(50); // schemas were looked at
    expect(found(/^(?:export )?const \w+ = (?:z$|z\.|told\(|worker\().*/gm)).toEqual([]);
  });

  it('loads no compression', () => {
    expect(packages).toContain('node:fs');
    expect(packages).not.toContain('node:zlib');
  });
});

describe('the command line itself, which stands before every command', () => {
  const { packages } = loadedBy(['main.ts', 'app/cli/run-cli.ts']);

  it('loads no package: none for formats, and the parser of options only for options', () => {
    expect(packages.filter((name) => !name.startsWith('node:'))).toEqual([]);
  });
});

/** Every file that is loaded with these, and every package; what is imported later, with `import(…)`, is not. */
function loadedBy(entries: readonly string[]): { files: readonly string[]; packages: readonly string[] } {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files)
    for (const { from, typeOnly, later } of importsOf(readFileSync(join(SRC, file), 'utf8'))) {
      if (typeOnly || later) continue;
      if (from.startsWith('.')) files.add(posix.join(posix.dirname(file), from));
      else packages.add(from);
    }
  return { files: [...files], packages: [...packages] };
}
