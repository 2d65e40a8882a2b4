import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OLLAMA } from '../../../src/base/agent-ids.ts';
import { breakers } from '../../../src/line/breakers/index.ts';
import { BREAKERS } from '../../../src/line/record/trip.ts';
import { CHECKS } from '../../../src/rules/checks/index.ts';
import { REPORTERS } from '../../../src/rules/reporters/index.ts';
import { ALIASES } from '../../../src/app/cli/aliases.ts';
import { commandGroups, commands } from '../../../src/app/cli/commands/index.ts';
import { CONTRACT_OPTIONS, HAND_IN_OPTIONS } from '../../../src/app/cli/contract-options.ts';

const ROOT = join(import.meta.dirname, '../../..');
const namesIn = (folder: string, ending: string, without: readonly string[] = []): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => !without.includes(name))
    .toSorted();
const kebab = (id: string): string => id.replaceAll('_', '-');

/** What one list has and the other has not, in words; with `ordered` the order counts too. */
function differences(
  [nameA, a]: readonly [string, readonly string[]],
  [nameB, b]: readonly [string, readonly string[]],
  { ordered = false } = {},
): string[] {
  const said = [
    ...a.filter((item) => !b.includes(item)).map((item) => `${item} is in ${nameA}, not in ${nameB}`),
    ...b.filter((item) => !a.includes(item)).map((item) => `${item} is in ${nameB}, not in ${nameA}`),
    ...a.filter((item, at) => a.indexOf(item) !== at).map((item) => `${item} is twice in ${nameA}`),
    ...b.filter((item, at) => b.indexOf(item) !== at).map((item) => `${item} is twice in ${nameB}`),
  ];
  const at = ordered && said.length === 0 ? a.findIndex((item, index) => item !== b[index]) : -1;
  return at === -1 ? said : [`${nameA} and ${nameB} part at place ${at + 1}: ${a[at]} and ${b[at]}`];
}

/** A test file counts only when it imports what it is named after. */
const tests = (id: string): boolean => {
  const file = join(ROOT, 'test/unit/line/breakers', `${kebab(id)}.test.ts`);
  return existsSync(file) && readFileSync(file, 'utf8').includes(`/breakers/${kebab(id)}.ts'`);
};

describe('the breakers', () => {
  const inIndex = breakers.map(({ id }) => id);

  it('are in the index in the order of blame that a trip names', () => {
    expect(inIndex.length).toBeGreaterThan(10);
    expect(differences(['breakers/index.ts', inIndex], ['BREAKERS', BREAKERS], { ordered: true })).toEqual([]);
  });

  it('have one file each, named as they are', () => {
    const files = namesIn('src/line/breakers', '.ts', ['index', 'breaker']);
    expect(files.length).toBeGreaterThan(10);
    expect(differences(['breakers/index.ts', inIndex.map(kebab)], ['src/line/breakers', files])).toEqual([]);
  });

  it('have one test each, which tests that breaker', () => {
    const files = namesIn('test/unit/line/breakers', '.test.ts', ['index']);
    expect(differences(['breakers/index.ts', inIndex.map(kebab)], ['test/unit/line/breakers', files])).toEqual([]);
    expect(inIndex.filter((id) => !tests(id))).toEqual([]);
  });

  it('each ask a question that ends in a question mark', () => {
    expect(breakers.filter(({ question }) => !/^[A-Z].{20,}\?$/.test(question)).map(({ id }) => id)).toEqual([]);
  });
});

describe('the commands', () => {
  const inIndex = commands.map(({ usage }) => usage.split(' ')[0] ?? '');

  it('load every file of their folder, and no other', () => {
    const files = namesIn('src/app/cli/commands', '.ts', ['index']);
    expect(files.length).toBeGreaterThan(10);
    const groups = namesIn('src/app/cli/command-groups', '.ts', []);
    const loaded = groups.flatMap((name) => {
      const text = readFileSync(join(ROOT, 'src/app/cli/command-groups', `${name}.ts`), 'utf8');
      return [...text.matchAll(/import\('\.\.\/commands\/(.+)\.ts'\)/g)].map(([, file = '']) => file);
    });
    expect(differences(['command-groups', [...new Set(loaded)]], ['src/app/cli/commands', files])).toEqual([]);
  });

  it('each load something to run', async () => {
    for (const command of commands) expect(Object.keys(await command.load()), command.usage).toContain('run');
  });

  it('are about thirty in groups, each with a description of its own', () => {
    expect(commands.length).toBeLessThanOrEqual(35);
    expect(commandGroups.map(({ title }) => title)).toEqual([
      'Start',
      'Look',
      'Decide',
      'Rules',
      'Agents',
      'Look after',
    ]);
    expect(new Set(commands.map(({ description }) => description)).size).toBe(commands.length);
  });

  it('have help texts that begin with a capital, have at most 60 characters and no semicolon', () => {
    const ofContracts = new Set([...CONTRACT_OPTIONS, ...HAND_IN_OPTIONS].map(([, text]) => text));
    const texts = commands.flatMap(({ description, options = [] }) => [
      description,
      ...options.map(([, text]) => text),
    ]);
    const own = texts.filter((text) => !ofContracts.has(text));
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((text) => !/^(?:[A-Z]|[a-z]+: [a-z]|With --)[^;]{1,59}$/.test(text) || text.length > 60)).toEqual(
      [],
    );
  });

  it('have other spellings that are no commands themselves and lead to one', () => {
    for (const [name, words] of Object.entries(ALIASES)) {
      expect(inIndex).not.toContain(name);
      expect(inIndex).toContain(words[0]);
    }
  });
});

describe('the agents', () => {
  it('have a stand-in that plays them', () => {
    const names = [OLLAMA, ...namesIn('shipped/drivers', '.yaml').filter((name) => name !== 'claude-code')];
    expect(names.filter((name) => !existsSync(join(ROOT, 'stand-ins', name)))).toEqual([]);
  });
});

describe('what rules are made of', () => {
  it.each([
    // hidden-characters is a scanner of the local review, which no rule names; the others are what checks share.
    [
      'src/rules/checks',
      CHECKS.map(({ type }) => type),
      ['check', 'exact-match', 'hidden-characters', 'index', 'search-targets', 'settings', 'source-targets'],
    ],
    ['src/rules/reporters', Object.keys(REPORTERS), ['index', 'levels', 'wording']],
  ])('has one file each in %s, named as it is in the list', (folder, list, others) => {
    expect(list.length).toBeGreaterThan(4);
    expect(differences(['the list', list.map(kebab)], [folder, namesIn(folder, '.ts', others)])).toEqual([]);
  });
});

describe('the comparison itself', () => {
  it.each([
    ['a file that is not in the list', ['a', 'b'], ['a', 'b', 'c'], ['c is in files, not in list']],
    ['an entry without a file', ['a', 'b'], ['a'], ['b is in list, not in files']],
    ['an entry that is there twice', ['a', 'a'], ['a'], ['a is twice in list']],
    ['another order', ['a', 'b', 'c'], ['a', 'c', 'b'], ['list and files part at place 2: b and c']],
  ])('finds %s', (_, list, files, said) => {
    expect(differences(['list', list], ['files', files], { ordered: true })).toEqual(said);
  });

  it('does not take a test for one that tests something else', () => {
    expect(tests('no_such_breaker')).toBe(false);
    expect(tests('index')).toBe(false);
  });
});
