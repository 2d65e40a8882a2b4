import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';

const PACK = 'schema: andon.rules/v1\nextends: [secrets]\n';

/** Keys that look like real ones, and are none; never whole in a file. */
const key = (tail: string): string => ['AKIA', 'QYLPMN5H', tail].join('');

async function onBranch(): Promise<Factory> {
  const projectConfig = { enforcement: { mode: 'strict' } };
  const factory = await aFactory({
    projectConfig,
    files: { '.andon/rules/project.yaml': PACK, 'shared.txt': 'one\ntwo\nthree\n' },
  });
  factory.git('checkout', '--quiet', '-b', 'feature');
  return factory;
}

/** Commits what is written, and what is taken away, and gives the commit's short name. */
function commit(factory: Factory, files: Readonly<Record<string, string>>, gone: readonly string[] = []): string {
  for (const [path, text] of Object.entries(files)) factory.write(path, text);
  if (gone.length > 0) factory.git('rm', '--quiet', ...gone);
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=A change');
  return factory.git('rev-parse', '--short=12', 'HEAD').trim();
}

interface Report {
  readonly exit: number;
  readonly findings: readonly { readonly file: string; readonly line?: number; readonly reason: string }[];
  readonly warnings: readonly string[];
}

async function report(factory: Factory): Promise<Report> {
  const ended = await factory.andon('ci', '--json');
  if (ended.stdout === '') throw new Error(ended.stderr);
  return JSON.parse(ended.stdout) as Report;
}

describe('andon ci looks at every commit of the branch', () => {
  test('a key that was committed and deleted is found, with the commit that brought it and the one that hides it', async () => {
    const factory = await onBranch();
    const brought = commit(factory, { 'deploy.sh': `export AWS_ACCESS_KEY_ID=${key('HHFPZAM2')}\n` });
    commit(factory, { 'b.txt': 'nothing\n' });
    const hid = commit(factory, {}, ['deploy.sh', 'b.txt']);
    const { code, stdout } = await factory.andon('ci');
    expect(code).toBe(1);
    expect(stdout).toContain(`commit ${brought} brought`);
    expect(stdout).toContain(`commit ${hid} only hides it`);
    expect(stdout).toContain('it is burnt; revoke it and make a new one (rotate it)');
    expect(stdout).not.toContain(key('HHFPZAM2'));
  });

  test(
    'a key in a message, in a note, in the text of a tag or in the name of a file is found, and is not shown',
    { tags: 'thorough' },
    async () => {
      const factory = await onBranch();
      factory.write('a.txt', 'one\n');
      factory.git('add', '--all');
      factory.git('commit', '--quiet', `--message=Deploy\n\nwith ${key('MESSAGE2')}`);
      factory.git('notes', '--ref=review', 'add', '--message', `tried ${key('NTSNTS33')}`);
      factory.git('tag', '--annotate', 'v1', '--message', `signed with ${key('TAGTAG44')}`);
      const noted = factory.git('rev-parse', '--short=12', 'HEAD').trim();
      commit(factory, { [`keys/${key('FLNAME55')}.txt`]: 'nothing\n' });
      commit(factory, { 'b.txt': 'clean\n' });
      const { exit, findings } = await report(factory);
      expect(exit).toBe(1);
      const reasons = findings.map(({ reason }) => reason).join('\n');
      for (const where of [
        `the message of commit ${noted}`,
        `the note on commit ${noted}`,
        `the tag of commit ${noted}`,
      ])
        expect(reasons).toContain(`${where} holds an AWS access key id`);
      expect(reasons).toContain('the name of a file holds an AWS access key id');
      expect(JSON.stringify(findings)).not.toContain(key(''));
    },
  );

  test(
    'under other names, in the lines of a merge, in files that are no text; what the branch still shows counts once',
    { tags: 'thorough' },
    async () => {
      const factory = await onBranch();
      const still = `a = 1\nexport AWS_ACCESS_KEY_ID=${key('STLLHER4')}\n`;
      const [first, second] = [
        commit(factory, { 'still.sh': still, 'old.sh': `one\ntwo\nthree\nfour\nid=${key('RENMED22')}\n` }),
        commit(factory, { 'still.sh': `${still}b = 2\n` }),
      ];
      factory.git('mv', 'old.sh', 'new.sh');
      commit(factory, { 'wide.txt': '' });
      const changed = commit(factory, { 'new.sh': 'one\ntwo\nthree\nfour\nid=none\n' });
      // A key in UTF-16, which git takes for binary.
      writeFileSync(join(factory.repo, 'wide.txt'), Buffer.from(`\ufeffid = ${key('WIDETXT5')}\r\n`, 'utf16le'));
      const wide = commit(factory, {});
      commit(factory, {}, ['wide.txt']);
      // A merge that takes one side's line, the other's, and one that neither had.
      factory.git('checkout', '--quiet', '-b', 'side', 'main');
      commit(factory, { 'shared.txt': 'one\nside\nthree\n' });
      factory.git('checkout', '--quiet', 'feature');
      commit(factory, { 'shared.txt': 'one\nmine\nthree\n' });
      expect(() => factory.git('merge', '--quiet', 'side')).toThrow();
      const merge = commit(factory, { 'shared.txt': `one\nid=${key('MERGED33')}\nthree\n` });
      commit(factory, { 'shared.txt': 'one\nclean\nthree\n' });
      const { exit, findings } = await report(factory);
      expect(exit).toBe(1);
      const shown = findings.map(
        ({ file, line, reason }) => `${file}:${line ?? ''} ${/^commit \S+/.exec(reason)?.[0] ?? ''}`,
      );
      expect(shown.toSorted()).toEqual([
        `old.sh: commit ${first}`,
        `shared.txt: commit ${merge}`,
        'still.sh:2 ',
        `wide.txt: commit ${wide}`,
      ]);
      expect(findings.find(({ file }) => file === 'old.sh')?.reason).toContain(`commit ${changed} only hides it`);
      expect(JSON.stringify(findings)).not.toContain(second);
    },
  );

  test('needs no more calls of git for a long branch than for a short one', { tags: 'thorough' }, async () => {
    const factory = await onBranch();
    const log = join(factory.folder, 'calls');
    const bin = join(factory.folder, 'counting');
    mkdirSync(bin);
    const real = execFileSync('sh', ['-c', 'command -v git'], { env: factory.env }).toString().trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >> ${log}\nexec ${real} "$@"\n`, { mode: 0o755 });
    factory.env['PATH'] = `${bin}:${factory.env['PATH'] ?? ''}`;
    const calls = async (commits: number): Promise<number> => {
      const rows = Array.from({ length: commits }, (_, at) => {
        const text = `line ${at}\nid=${at === commits - 2 ? key('LNGBRNC6') : 'none'}\n`;
        const from = at === 0 ? 'from refs/heads/main\n' : '';
        return `commit refs/heads/b${commits}\ncommitter A <a@b> ${1_700_000_000 + at} +0000\ndata 1\nx\n${from}M 644 inline a.txt\ndata ${text.length}\n${text}\n`;
      });
      execFileSync('git', ['fast-import', '--quiet'], { cwd: factory.repo, env: factory.env, input: rows.join('') });
      factory.git('checkout', '--quiet', `b${commits}`);
      rmSync(log, { force: true });
      expect((await report(factory)).findings).toHaveLength(1);
      return readFileSync(log, 'utf8').split('\n').length;
    };
    await calls(3);
    const few = await calls(4);
    expect(await calls(200)).toBe(few);
  });
});
