import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/project/config/read-settings.ts';
import { parseContract } from '../../../src/project/contract/task-contract-schema.ts';
import { BREAKERS } from '../../../src/line/record/trip.ts';
import { FILES, STATUSES } from '../../../src/base/names.ts';
import { HANDOFF_README } from '../../../src/app/setup/init-project.ts';
import { expandAlias } from '../../../src/app/cli/aliases.ts';
import { commands } from '../../../src/app/cli/commands/index.ts';
import { parse } from 'yaml';
import { CHECKS, lintChecks } from '../../../src/rules/checks/index.ts';
import type { RuleCheck } from '../../../src/rules/model/rule.ts';
import { aRule } from '../../support/rules.ts';

const ROOT = join(import.meta.dirname, '../../..');
const page = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** The first cell of every table row that holds one name in code. */
const rows = (text: string): readonly string[] =>
  [...text.matchAll(/^\| `([^`]+)`.*\|$/gm)].map(([, name = '']) => name);

const inFolder = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...['docs', 'src', 'test', 'scripts', 'contracts', 'stand-ins'].flatMap(inFolder),
  '_handoff/README.md',
];

describe('the pages', () => {
  it('name every breaker, in order of blame', () => {
    expect(rows(page('docs/halts.md').split('## Breakers')[1]?.split('\n## ')[0] ?? '')).toEqual([...BREAKERS]);
  });

  it('name every check of a rule in the order of their list, each with an example that is right', () => {
    const table = page('docs/rules.md').split('## Checks\n')[1]?.split('\n### ')[0] ?? '';
    expect(rows(table)).toEqual(CHECKS.map(({ type }) => type));
    const examples = [...table.matchAll(/`(\{ type: .*)` \|$/gm)].map(([, text = '']) => parse(text) as RuleCheck);
    expect(examples.map(({ type }) => type)).toEqual(rows(table));
    expect(lintChecks(aRule({ checks: examples }))).toEqual([]);
  });

  it('name every status', () => {
    const states = page('docs/halts.md').split('## States')[1]?.split('\n## ')[0] ?? '';
    for (const status of STATUSES) expect(states).toContain(`\`${status}\``);
  });

  it('are the same in this project as in every project that andon sets up, and name every file', () => {
    expect(page('_handoff/README.md')).toBe(HANDOFF_README);
    for (const name of Object.values(FILES)) expect(HANDOFF_README).toContain(name);
  });

  it('show a configuration and a contract that are right', () => {
    const [project = '', user = ''] = blocks('docs/configuration.md', 'yaml');
    const read = readSettings({ name: 'project', text: project }, { name: 'user', text: user }, '/home/you/old-thing');
    expect(read).toMatchObject({ ok: true, value: { notices: [], gates: [{ name: 'test' }], canaryEvery: 20 } });
    expect(parseContract(blocks('docs/contract.md', 'json')[0] ?? '')).toMatchObject({ ok: true });
  });

  it('are looked at as a whole', () => {
    expect(PAGES.length).toBeGreaterThan(20);
    expect(PAGES.flatMap((path) => commandsIn(page(path))).length).toBeGreaterThan(60);
    expect(PAGES.flatMap((path) => namedFiles(page(path))).length).toBeGreaterThan(60);
  });

  it('of a folder of code lie beside code', () => {
    const about = PAGES.filter((path) => path.startsWith('src/')).map((path) => dirname(path));
    const hasCode = (folder: string): boolean =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).some((name) => /\.tsx?$/.test(name));
    expect(about.filter((folder) => !hasCode(folder))).toEqual([]);
  });

  it.each(PAGES)('link only to what is there: %s', (path) => {
    const targets = [...page(path).matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
    const local = targets.filter((target) => !/^https?:/.test(target));
    expect(local.filter((target) => !existsSync(join(ROOT, dirname(path), target)))).toEqual([]);
  });

  it.each(PAGES)('name only files of this project that are there: %s', (path) => {
    expect(namedFiles(page(path)).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it.each(PAGES)('name only commands and options that are there: %s', (path) => {
    expect(commandsIn(page(path)).flatMap(faultsOf)).toEqual([]);
  });
});

describe('the test of the pages', () => {
  it.each([
    ['andon juge', ['juge']],
    ['andon check --files a.ts', ['--files']],
    ['andon status, andon show X --prompts', ['--prompts']],
    ['npm run test:no', ['npm test:no']],
    ['andon resume FIX-1 --path 1', []],
    ['npm --prefix clone start -- status', []],
    ['npm test -- test/x.test.ts', []],
  ])('knows %s', (text, faults) => {
    expect(commandsIn(`\`${text}\``).flatMap(faultsOf)).toEqual(faults);
  });
});

/** The blocks of code of a page that are written in a language. */
const blocks = (path: string, language: string): readonly string[] =>
  [...page(path).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);

/** What a reader may type: code in a line, and lines of shell blocks without their comments. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```/gm)].flatMap(([, code = '']) => code.split('\n'));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline]
    .flatMap((code) => code.replace(/\s#.*$/, '').split(/ && |, |; /))
    .filter((code) => /^(?:andon|npm) \S/.test(code));
}

const { scripts } = JSON.parse(page('package.json')) as { scripts: Readonly<Record<string, string>> };
const NPMS_OWN = ['ci', 'install', 'link', 'pack', 'i'];

/** What a command names that is not there: a command, a script, an option. */
function faultsOf(code: string): readonly string[] {
  const [program, ...words] = code.split(/\s+/);
  if (program === 'npm') {
    const name =
      words.find((word, at) => !word.startsWith('-') && word !== 'run' && words[at - 1] !== '--prefix') ?? '';
    return name in scripts || NPMS_OWN.includes(name) || /[<.…]/.test(name) ? [] : [`npm ${name}`];
  }
  const [name = ''] = expandAlias(words);
  if (/^(?:--version|--help|[<….].*)$/.test(name)) return [];
  const command = commands.find(({ usage }) => usage.split(' ')[0] === name);
  if (command === undefined) return [name];
  const known = ['--help', '--json', ...(command.options ?? []).map(([flags]) => flags.split(' ')[0])];
  return words.filter((word) => word.startsWith('--') && !known.includes(word.split('=')[0] ?? ''));
}

/** Paths of this project, as code: below a folder of ours, without a place to fill in. */
const namedFiles = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|test|scripts|docs|contracts|stand-ins|bin)\/[\w./-]+)`/g)].map(([, file = '']) => file);
