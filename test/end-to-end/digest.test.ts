import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../src/line/digest/digest.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { issue, judges, answerOnce } from '../support/scenario.ts';
import { FOUR_VERSIONS, RED_ONCE } from '../support/versions.ts';

/** What a model says of itself. */
const PRAISE = 'PRAISE-of-itself';
/** What somebody writes who wants to break out of a page or a terminal. */
const HOSTILE = '</script><img src=x onerror=alert(1)> \u001b[2J\u202eevil';
const HALTING = { 'constraints.max_diff_size': 1 };

/** A merge after a red gate and a FAIL, a halt, and a contract that waits; then nobody watches any more. */
async function aNight(requirement = 'Merge both documents into one'): Promise<Factory> {
  const factory = await aFactory({
    projectConfig: RED_ONCE,
    scenario: {
      implementer: FOUR_VERSIONS,
      judge: [
        answerOnce(judges('FAIL', { blocking_issues: [issue(`The link to tokens is missing ${HOSTILE}`)] })),
        judges('PASS', { summary: PRAISE, suggestions: [PRAISE] }),
      ],
    },
  });
  const first = aContract({
    'limits.budget': { usd: 1, tokens: 100_000 },
    'specification.requirements': [requirement],
  });
  const { dog, status } = await factory.run(first);
  expect(status).toBe('merged');
  factory.drop(aContract({ task_id: 'DOC-002', ...HALTING }));
  expect(await factory.end(dog, 'DOC-002')).toBe('erik_consultation');
  await dog.stop();
  factory.drop(aContract({ task_id: 'DOC-003' }), 'queue/3.json');
  factory.drop({ ...aContract({ task_id: 'DOC-004' }), roles: 'nobody' }, 'queue/4.json');
  return factory;
}

async function told(factory: Factory, ...args: readonly string[]): Promise<Digest> {
  const { code, stdout, stderr } = await factory.andon('digest', '--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Digest;
}

async function printed(factory: Factory, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await factory.andon('digest', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const stateHome = (factory: Factory): string => join(factory.folder, 'state/andon');

describe('andon digest', () => {
  test('tells in the morning what needs you, was merged, went back, was spent, waits and is not known', async () => {
    const factory = await aNight();
    const text = await printed(factory);
    const merge = factory.merges()[0]?.slice(0, 12);
    const flat = text.replaceAll(/\n +|\n(?=\S)/g, ' '); // whatever the lines are broken by
    for (const words of [
      /2 need you \(1 task, 1 problem\), 1 merged \(1 of them after being sent back\), 2 under way or queued; spent: \$0\.04\./,
      /Needs you \(2\) DOC-002: The change exceeds its limits, since /,
      /2 lines are added or deleted; the limit is 1 \(max_diff_size\) /,
      / andon resume DOC-002 --path 1 --halt DOC-002-1 /,
      / andon resume DOC-002 --path 2 --halt DOC-002-1 /,
      / andon watch\n/,
      new RegExp(`Merged \\(1\\) DOC-001: merged into main as ${merge}; judged PASS; 1 of 1 gates green`),
      / andon undo DOC-001\n/,
      /Sent back by the line \(1\) DOC-001: sent back 2 times; now merged gate not one red \(exit 1\) judge says FAIL, with 1 blocking finding the judge says: /,
      / DOC-001: 7 calls, \$0\.04, [\d,]+ tokens, .* of agents' time; of its budget: \$0\.04 of \$1\.00, [\d,]+ of 100,000 tokens /,
      / DOC-002: 1 call, \$0\.00, .* of agents' time; no budget set\n/,
      /Waits \(2\) _handoff\/queue\/3\.json: waits for a watchdog /,
    ])
      expect(flat).toMatch(words);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).not.toContain(PRAISE);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test(
    'goes on where the last one ended, and shows again what it told when it is asked to',
    { tags: 'thorough' },
    async () => {
      const factory = await aNight();
      const first = await told(factory);
      expect([first.merged.length, Date.parse(first.to) - Date.parse(first.from)]).toEqual([1, 24 * 3_600_000]);
      const second = await told(factory, '--since', 'last');
      expect(second).toMatchObject({ from: first.to, merged: [], sent_back: [], spent: { tasks: [] } });
      expect(second.needs_you).toHaveLength(2);
      expect((await told(factory, '--since', first.from)).merged).toHaveLength(1);
      expect((await told(factory, '--all')).merged).toHaveLength(1); // it has a last one of its own
      expect((await told(factory, '--all')).merged).toHaveLength(0);
      expect((await factory.andon('undo', 'DOC-001')).code).toBe(0);
      const third = await told(factory);
      expect(third.merged).toMatchObject([
        { task_id: 'DOC-001', undo: null, undone_as: factory.git('rev-parse', 'main') },
      ]);
    },
  );

  test('says so when its own note is torn, and tells of the last 24 hours', { tags: 'thorough' }, async () => {
    const factory = await aNight();
    writeFileSync(join(stateOf(factory), 'digest.json'), '{"at": "20');
    const { merged, not_known: unknown } = await told(factory);
    expect(merged).toHaveLength(1);
    expect(unknown.map(({ what }) => what)).toContain(
      'up to where the last digest ended: its note holds no mark of a digest',
    );
  });

  test.skipIf(!existsSync('/dev/full'))('that nobody could read is told once more', { tags: 'thorough' }, async () => {
    const script = 'test "$WHERE" = full && exec "$@" > /dev/full; exec "$@"';
    const factory = await aFactory({ through: () => ['/bin/bash', '-c', script, 'bash'] });
    for (const [where, isNoted] of [
      ['full', false],
      ['here', true],
    ] as const) {
      factory.env['WHERE'] = where;
      await factory.andon('digest', '--json');
      expect([where, existsSync(join(stateOf(factory), 'digest.json'))]).toEqual([where, isNoted]);
    }
  });

  test(
    'writes where --out says, never over what is not a digest, and refuses what it cannot mean',
    { tags: 'thorough' },
    async () => {
      const factory = await aNight();
      for (const round of ['new', 'replaced']) {
        const output = await printed(factory, '--out', 'night.html', '--since', '2020-01-01');
        expect([round, output]).toEqual([round, `wrote ${join(factory.repo, 'night.html')}\n`]);
        expect(factory.read('night.html').startsWith('<!doctype html>')).toBe(true);
      }
      writeFileSync(join(factory.repo, 'mine.html'), '<!doctype html><meta name="generator" content="andon report">');
      const states = stateOf(factory);
      for (const [args, sentence] of [
        [['--out', 'mine.html'], 'is not a digest of andon'],
        [['--html', '--json'], '--html and --json cannot be combined'],
        [['--out', 'night.md'], 'ends with .html'],
        [['--since', 'yesterday'], 'Invalid value: --since yesterday'],
        [['--since', 'monday 5'], 'Invalid value: --since monday 5'],
        [['--since', '2999-01-01'], 'a moment in the past'],
      ] as const) {
        const { code, stdout, stderr } = await factory.andon('digest', ...args);
        expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
        expect(stderr).toContain(sentence);
      }
      const outside = await factory.andonIn(factory.folder, 'digest');
      expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('andon digest --all')]);
      expect(readdirSync(states)).not.toContain('digest.json'); // nothing of it counts as the last one
    },
  );
});

describe('andon digest --all', { tags: 'thorough' }, () => {
  /** Two repositories of one user, a task of the same name halted in both. */
  async function twoHalts(): Promise<readonly [Factory, Factory]> {
    const one = await aFactory({ repoName: 'shop' });
    const two = await aFactory({ repoName: "it's two" });
    two.env['XDG_STATE_HOME'] = one.env['XDG_STATE_HOME'] ?? '';
    for (const factory of [one, two]) {
      const { dog, status } = await factory.run(aContract(HALTING));
      expect(status).toBe('erik_consultation');
      await dog.stop();
    }
    return [one, two];
  }

  test('tells of all repositories from anywhere, and each command names its folder', async () => {
    const [one, two] = await twoHalts();
    const { stdout } = await one.andonIn(one.folder, 'digest', '--all');
    expect(stdout.replaceAll('\n', ' ')).toMatch(/in 2 repositories: 4 need you \(2 tasks, 2 problems\)/);
    expect(stdout).toContain('  shop: DOC-001: The change exceeds its limits');
    expect(stdout).toContain("  it's two: DOC-001: The change exceeds its limits");
    expect(stdout).toContain(
      `      cd '${two.folder}/it'\\''s two' &&\n        andon resume DOC-001 --path 1 --halt DOC-001-1\n`,
    );
    const facts = await told(one, '--all', '--since', '2020-01-01');
    const halts = facts.needs_you.filter(({ kind }) => kind === 'halt');
    expect(halts.map(({ repository }) => repository).toSorted()).toEqual([one.repo, two.repo].toSorted());
    const here = await one.andon('digest', '--all', '--since', '2020-01-01');
    expect(here.stdout).not.toContain(`cd ${one.repo}`);
  });

  test('names what it could not read, and tells the rest all the same', async () => {
    const [one, two] = await twoHalts();
    const journal = join(stateHome(one), 'repositories');
    const [state = ''] = readdirSync(journal).filter((name) => name.startsWith('shop'));
    const db = new DatabaseSync(join(journal, state, 'journal.sqlite'));
    db.exec(`UPDATE entries SET body = replace(body, 'qwen', 'gwen') WHERE seq = 2`);
    db.close();
    const changed = await told(two, '--all');
    expect(changed.needs_you.map(({ kind, repository }) => [kind, repository])).toEqual([
      ['halt', two.repo],
      ['stopped', one.repo],
      ['unwatched', two.repo],
    ]);
    expect(changed.not_known[0]).toMatchObject({
      repository: one.repo,
      what: 'what happened: another program changed its journal, at entry 2, so it is not shown',
    });

    writeFileSync(join(journal, state, 'journal.sqlite'), 'no database at all');
    for (const beside of ['-wal', '-shm']) rmSync(join(journal, state, `journal.sqlite${beside}`), { force: true });
    const torn = await told(two, '--all');
    expect(torn.not_known[0]?.what).toMatch(/its journal cannot be read \(.*file is not a database\)/);

    mkdirSync(join(two.repo, '.andon'), { recursive: true });
    writeFileSync(join(two.repo, '.andon/config.yaml'), 'gates: nothing');
    const broken = await told(two, '--all');
    expect(broken.needs_you.map(({ kind }) => kind)).toContain('halt');

    renameSync(two.repo, `${two.repo} (gone)`);
    const { stdout } = await two.andonIn(two.folder, 'digest', '--all', '--json');
    expect((JSON.parse(stdout) as Digest).not_known.find(({ repository }) => repository === two.repo)?.what).toBe(
      'it is not there any more: moved or deleted; 1 of its tasks is open',
    );
  });

  test('says nothing of a user who has no repository', async () => {
    const factory = await aFactory();
    const facts = await told(factory, '--all');
    expect(facts).toMatchObject({ repositories: [], needs_you: [], merged: [], not_known: [] });
    expect(readFileSync(join(stateHome(factory), 'digest.json'), 'utf8')).toContain(facts.to);
  });
});
