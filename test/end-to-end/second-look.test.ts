import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goOn } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { judges, writes } from '../support/scenario.ts';
import { resume } from '../support/versions.ts';

const testing = (name: string, wanted: string): string =>
  `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { greet } from '../src/greet.js';\ntest('${name}', () => assert.equal(greet('Ann'), '${wanted}'));\n`;
const HELLO = 'export const greet = (name) => `Hello, ${name}`;\n';
const BYE = 'export const greet = (name) => `Bye, ${name}`;\n';
const world = {
  files: {
    'package.json': '{"name":"greet","type":"module"}\n',
    'src/greet.js': HELLO,
    'test/greet.test.js': testing('greets by name', 'Hello, Ann'),
  },
  projectConfig: { gates: [{ name: 'test', run: 'node --test --test-reporter=tap' }] },
};
const task = {
  'constraints.allowed_paths': ['**'],
  'breaker.max_delete_ratio': 1,
  'specification.requirements': ['The greeting says Bye, followed by the name.'],
};
const edited = writes({ 'src/greet.js': BYE, 'test/greet.test.js': testing('greets by name', 'Bye, Ann') });
const evidence = [{ file: 'src/greet.js', line: 1, quote: BYE.trim() }];
/** A project whose change edits the test that it breaks, and whose judge passes it. */
const aWorldOfEdits = (report: object = {}) =>
  aFactory({ ...world, scenario: { implementer: [edited], judge: [judges('PASS', { evidence, ...report })] } });
const tie = {
  test: 'T1',
  requirement: 'The greeting says Bye, followed by the name.',
  file: 'src/greet.js',
  line: 1,
  quote: BYE.trim(),
};

describe('the second look', () => {
  test('a change that breaks the test which it edits goes back, then halts; a human allows exactly these tests', async () => {
    const factory = await aWorldOfEdits();
    const { dog, status } = await factory.run(
      aContract({ ...task, 'specification.requirements': ['The code is tidy.'] }),
    );
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('weakened_gate');
    expect(factory.calls('implementer')[1]?.prompt).toContain('greets by name');
    expect(factory.calls('implementer')[1]?.prompt).toContain("'Hello, Ann'");
    expect(factory.paper('ERIK_HALT.md')).toContain('greets by name');
    expect(factory.merges()).toEqual([]);
    await resume(factory, 2);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.git('log', '--format=%B', 'main')).toContain('allowed by the human in charge');
  });

  test(
    'the judge lets a broken test pass that it ties to a requirement; the digest tells of the second look',
    { tags: 'thorough' },
    async () => {
      const factory = await aWorldOfEdits({ broken_tests: [tie] });
      expect((await factory.run(aContract(task))).status).toBe('merged');
      expect(factory.git('log', '--format=%B', 'main')).toContain('allowed by the judge, who ties it to a requirement');
      expect((await factory.andon('digest')).stdout).toMatch(/1 of 1 gates green,\s+second\s+look\s+taken/);
    },
  );

  test('a tie to words that stand in no requirement does not count', { tags: 'thorough' }, async () => {
    const made = { ...tie, requirement: 'Every greeting may be changed at will.' };
    const factory = await aWorldOfEdits({ broken_tests: [made] });
    expect((await factory.run(aContract(task))).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('weakened_gate');
  });

  test.each(['greets by name', 'test/greet.test.js'])(
    'a contract allows %s to change',
    { tags: 'thorough' },
    async (entry) => {
      const factory = await aWorldOfEdits();
      const allowed = aContract({ ...task, 'constraints.allow_test_changes': [entry] });
      expect((await factory.run(allowed)).status).toBe('merged');
    },
  );

  test('`second_look: off` in the configuration of the user is said in the merge', { tags: 'thorough' }, async () => {
    const factory = await aWorldOfEdits();
    appendFileSync(join(factory.folder, 'config/andon/config.yaml'), 'second_look: off\n');
    const { dog, status } = await factory.run(aContract(task));
    expect(status, dog.output()).toBe('merged');
    expect(factory.git('log', '--format=%B', 'main')).toContain('Andon-Second-Look: off');
  });

  test('a fixture that the change edits is read as the base has it', { tags: 'thorough' }, async () => {
    const reads = `import assert from 'node:assert';\nimport { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\nimport { greet } from '../src/greet.js';\ntest('greets as recorded', () => assert.equal(greet('Ann'), JSON.parse(readFileSync('fixtures/greeting.json', 'utf8'))));\n`;
    const factory = await aFactory({
      ...world,
      files: { ...world.files, 'test/greet.test.js': reads, 'fixtures/greeting.json': '"Hello, Ann"\n' },
      scenario: {
        implementer: [writes({ 'src/greet.js': BYE, 'fixtures/greeting.json': '"Bye, Ann"\n' })],
        judge: [judges('PASS', { evidence })],
      },
    });
    await factory.run(aContract(task));
    expect(factory.breaker()).toBe('weakened_gate');
    expect(factory.paper('ERIK_HALT.md')).toContain('greets as recorded');
  });

  test('a test whose product moved follows it, and passes', { tags: 'thorough' }, async () => {
    const moved = testing('greets by name', 'Hello, Ann').replace('../src/greet.js', '../src/lib/greet.js');
    const factory = await aFactory({
      ...world,
      scenario: {
        implementer: [writes({ 'src/lib/greet.js': HELLO, 'src/greet.js': null, 'test/greet.test.js': moved })],
        judge: [
          judges('PASS', { evidence: [{ file: 'test/greet.test.js', line: 3, quote: moved.split('\n')[2] ?? '' }] }),
        ],
      },
    });
    const { dog, status } = await factory.run(aContract({ ...task, 'constraints.allow_deletes': true }));
    expect(status, dog.output()).toBe('merged');
  });

  test(
    'a contract that opens the definition of a gate has the gate asked as it was',
    { tags: 'thorough' },
    async () => {
      const scripts = (test: string): string =>
        `${JSON.stringify({ name: 'greet', type: 'module', scripts: { test } })}\n`;
      const factory = await aFactory({
        files: { ...world.files, 'package.json': scripts('node --test') },
        projectConfig: { gates: [{ name: 'test', run: 'node --run test' }] },
        scenario: {
          implementer: [
            writes({ 'src/greet.js': BYE, 'package.json': scripts('node --test --test-name-pattern=nothing') }),
          ],
          judge: [judges('PASS', { evidence })],
        },
      });
      await factory.run(aContract({ ...task, 'constraints.allowed_paths': ['**', 'package.json'] }));
      expect(factory.breaker()).toBe('weakened_gate');
      expect(factory.merges()).toEqual([]);
    },
  );

  test('more broken tests than the judge can be shown go back before it is asked', { tags: 'thorough' }, async () => {
    const many = `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { greet } from '../src/greet.js';\nfor (let i = 0; i < 101; i += 1) test('greets ' + i, () => assert.equal(greet(i), 'Hello, ' + i));\n`;
    const factory = await aFactory({
      ...world,
      files: { ...world.files, 'test/greet.test.js': many },
      scenario: { implementer: [writes({ 'src/greet.js': BYE, 'test/greet.test.js': testing('greets', 'Bye, Ann') })] },
    });
    await factory.run(aContract(task));
    expect(factory.breaker()).toBe('weakened_gate');
    expect(factory.calls('judge')).toEqual([]);
  });

  test(
    'a slow gate is asked again right before the merge, and then what it says counts as well',
    { tags: 'thorough' },
    async () => {
      const factory = await aWorldOfEdits();
      appendFileSync(join(factory.folder, 'config/andon/config.yaml'), 'second_look_minutes: 0\n');
      const { dog } = await factory.run(aContract(task));
      expect(factory.breaker()).toBe('weakened_gate');
      const told = dog.output().split('\n');
      const twice = told.findIndex((line) =>
        line.includes('gate test in the second look, with the tests of the base: red'),
      );
      expect(twice).toBeGreaterThan(told.findIndex((line) => line.includes('judge: PASS')));
      expect(factory.merges()).toEqual([]);
    },
  );

  test.each(['second_look_minutes: 30', 'second_look: off'])(
    'a slow gate that was put off is asked, though the settings say otherwise by then: %s',
    { tags: 'thorough' },
    async (later) => {
      const does = [{ touch: 'at' }, { 'wait-for': 'go' }];
      const factory = await aFactory({
        ...world,
        apart: true,
        scenario: { implementer: [edited], judge: [judges('PASS', { evidence }, { does })] },
      });
      const file = join(factory.folder, 'config/andon/config.yaml');
      const config = readFileSync(file, 'utf8');
      writeFileSync(file, `${config}second_look_minutes: 0\n`);
      const dog = await factory.begin(aContract(task), 'at');
      writeFileSync(file, `${config}${later}\n`);
      goOn(factory);
      await factory.end(dog);
      expect(dog.output()).toContain('in the second look, with the tests of the base: red');
      expect(factory.calls('implementer')[1]?.prompt).toContain('greets by name');
    },
  );

  test(
    'no code of a change runs in `setup`; the reviewer is told of new tests that pass without the change',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({
        files: { ...world.files, 'tools/prepare.js': "console.log('as the base has it');\n" },
        projectConfig: { ...world.projectConfig, setup: ['mkdir -p made && node tools/prepare.js'], share: ['made'] },
        scenario: {
          implementer: [
            writes({
              'src/greet.js': `// Says hello.\n${HELLO}`,
              'package.json': '{"name":"greet","type":"module","version":"1.0.1"}\n',
              'tools/prepare.js': "import { writeFileSync } from 'node:fs';\nwriteFileSync('made/owned', '');\n",
              'test/more.test.js': testing('greets anybody', 'Hello, Ann'),
            }),
          ],
          judge: [judges('PASS', { evidence: [{ file: 'src/greet.js', line: 1, quote: '// Says hello.' }] })],
        },
      });
      const { dog, status } = await factory.run(
        aContract({ ...task, 'constraints.allowed_paths': ['**', 'package.json'] }),
      );
      expect(status).toBe('merged');
      expect(dog.output().split('setup: preparing the base tree')).toHaveLength(2);
      expect(factory.calls('reviewer')[0]?.prompt).toContain('is green with the new tests and without the change');
    },
  );

  test(
    'a count that fell goes back where the gate that could decide is red on the base',
    { tags: 'thorough' },
    async () => {
      const red = testing('greets by name', 'Good day, Ann');
      const factory = await aFactory({
        ...world,
        files: { ...world.files, 'test/greet.test.js': red },
        scenario: {
          implementer: [writes({ 'test/greet.test.js': "import { test } from 'node:test';\n" })],
        },
      });
      const { dog } = await factory.run(aContract(task));
      expect(factory.breaker()).toBe('base_red');
      await resume(factory, 1);
      expect(await factory.end(dog)).toBe('erik_consultation');
      expect(factory.breaker()).toBe('weakened_gate');
      expect(factory.merges()).toEqual([]);
    },
  );

  test(
    'the digest says nothing of it where a change leaves tests alone, so that no gate ran again',
    { tags: 'thorough' },
    async () => {
      const hi = 'export const greet = (name) => `Hello, ${name}`; // shown on top\n';
      const factory = await aFactory({
        ...world,
        scenario: {
          implementer: [writes({ 'src/greet.js': hi })],
          judge: [judges('PASS', { evidence: [{ file: 'src/greet.js', line: 1, quote: hi.trim() }] })],
        },
      });
      expect((await factory.run(aContract(task))).status).toBe('merged');
      expect((await factory.andon('digest')).stdout).toMatch(/1 of 1 gates\s+green\s+\(/);
    },
  );
});
