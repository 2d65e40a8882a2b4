import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHandoff } from '../../../../src/project/handoff/create-handoff.ts';
import { removeHalfWritten } from '../../../../src/project/handoff/remove-half-written.ts';
import { aFolder } from '../../sandbox/processes/a-runner.ts';

function aHandoff() {
  const root = aFolder();
  const handoff = createHandoff(root);
  handoff.prepare();
  return { handoff, at: (name: string): string => join(root, '_handoff', name) };
}

describe('the _handoff folder', () => {
  it('is made with a queue and is no part of any commit', () => {
    const { handoff, at } = aHandoff();
    expect(readdirSync(handoff.folder).toSorted()).toEqual(['.gitignore', 'queue']);
    expect(readFileSync(at('.gitignore'), 'utf8')).toContain('*');
    writeFileSync(at('.gitignore'), 'mine\n');
    handoff.prepare();
    expect(readFileSync(at('.gitignore'), 'utf8')).toBe('mine\n');
  });

  it('knows a paper as it left it itself from one that somebody changed, removed or put there', () => {
    const { handoff, at } = aHandoff();
    const paper = at('TASK_CONTRACT.json');
    expect(handoff.isOwnPaper(paper)).toBe(false);
    handoff.write('TASK_CONTRACT.json', '{}');
    expect(handoff.isOwnPaper(paper)).toBe(true);
    writeFileSync(paper, '{"a":1}');
    expect(handoff.isOwnPaper(paper)).toBe(false);
    handoff.write('TASK_CONTRACT.json', '{}');
    rmSync(paper);
    expect(handoff.isOwnPaper(paper)).toBe(false);
    handoff.write('TASK_CONTRACT.json', '{}');
    handoff.rename('TASK_CONTRACT.json', 'TASK_CONTRACT.json.lock');
    expect([paper, `${paper}.lock`].map((one) => handoff.isOwnPaper(one))).toEqual([true, true]);
    writeFileSync(paper, '{}');
    expect(handoff.isOwnPaper(paper)).toBe(false);
    handoff.write('DECISION.json', '{}');
    expect(handoff.isOwnPaper(at('DECISION.json'))).toBe(false);
  });

  it('writes whole files and leaves nothing else behind', () => {
    const { handoff, at } = aHandoff();
    handoff.write('A.md', 'one\n');
    handoff.write('A.md', 'zwei ü\n');
    handoff.append('log', 'x');
    handoff.append('log', 'y');
    expect(readFileSync(at('A.md'), 'utf8')).toBe('zwei ü\n');
    expect(readFileSync(at('log'), 'utf8')).toBe('x\ny\n');
    handoff.rename('A.md', 'archive/DOC-001/A.md');
    handoff.remove('log');
    handoff.remove('never-there');
    expect(handoff.read('archive/DOC-001/A.md')).toEqual({ ok: true, value: 'zwei ü\n' });
    expect(readdirSync(handoff.folder).toSorted()).toEqual(['.gitignore', 'archive', 'queue']);
  });

  it('lets a log begin anew that grew above 5 MB, and keeps the one before it', () => {
    const { handoff, at } = aHandoff();
    const old = `${'x'.repeat(5 * 1024 * 1024)}\n`;
    writeFileSync(at('log'), old.slice(1));
    handoff.append('log', 'still there');
    expect(readFileSync(at('log'), 'utf8')).toBe(`${old.slice(1)}still there\n`);
    handoff.append('log', 'new');
    expect(readFileSync(at('log'), 'utf8')).toBe('new\n');
    expect(readFileSync(at('log.1'), 'utf8')).toHaveLength(old.length - 1 + 'still there\n'.length);
  });

  it('begins a new line after one that a crash has torn off, so that nothing is glued to it', () => {
    const { handoff, at } = aHandoff();
    writeFileSync(at('log'), '{"a":1}\n{"b":');
    handoff.append('log', '{"c":3}');
    expect(readFileSync(at('log'), 'utf8')).toBe('{"a":1}\n{"b":\n{"c":3}\n');
  });

  it('lets a file be taken away only if it is the one that is meant; what somebody put in its place stays', () => {
    const { handoff, at } = aHandoff();
    handoff.write('A.md', 'mine\n');
    expect(handoff.take('A.md', (text) => text === 'yours\n')).toBe(false);
    expect(handoff.read('A.md')).toEqual({ ok: true, value: 'mine\n' });
    const taken = handoff.take('A.md', () => {
      writeFileSync(at('A.md'), 'newer\n');
      return false;
    });
    expect([taken, readFileSync(at('A.md'), 'utf8')]).toEqual([false, 'newer\n']);
    expect(handoff.take('A.md', () => true)).toBe(true);
    expect(handoff.take('A.md', () => true)).toBe(false);
    expect(readdirSync(handoff.folder).toSorted()).toEqual(['.gitignore', 'queue']);
  });

  it('gives back what a killed andon had moved aside, unless a newer one lies there', () => {
    const { handoff, at } = aHandoff();
    const dead = spawnSync('true').pid;
    for (const name of ['A.md', 'B.md']) writeFileSync(at(`.${name}.${dead}.taken`), 'old\n');
    writeFileSync(at('B.md'), 'newer\n');
    writeFileSync(at(`.C.md.${process.ppid}.taken`), 'of one that lives\n');
    const root = join(handoff.folder, '..');
    for (const name of ['JUDGE_REPORT.json', 'mine.json']) writeFileSync(join(root, `.${name}.${dead}.taken`), '{}');
    removeHalfWritten(handoff.folder, aFolder(), aFolder());
    expect(readdirSync(root).toSorted()).toEqual([`.mine.json.${dead}.taken`, 'JUDGE_REPORT.json', '_handoff']);
    expect(readFileSync(at('A.md'), 'utf8') + readFileSync(at('B.md'), 'utf8')).toBe('old\nnewer\n');
    expect(existsSync(at('C.md'))).toBe(false);
  });

  it('is swept of what a killed andon had begun to write, and of nothing else', () => {
    const { handoff, at } = aHandoff();
    const state = aFolder();
    const dead = spawnSync('true').pid;
    const left = [`.TASK_CONTRACT.json.${dead}.tmp`, `queue/.A.json.${dead}.tmp`];
    const kept = [`.TASK_CONTRACT.json.${process.ppid}.tmp`, '.mine.tmp', `${dead}.tmp`, 'queue/B.json'];
    for (const name of [...left, ...kept]) writeFileSync(at(name), '');
    for (const folder of ['', 'calls/DOC-001', 'base-runs', 'requests']) {
      mkdirSync(join(state, folder), { recursive: true });
      writeFileSync(join(state, folder, `.a.json.${dead}.tmp`), '');
    }
    for (const name of ['vault.git.a1B2c3', 'vault.git/objects/2e', `index.${dead}.a1B2c3`])
      mkdirSync(join(state, name), { recursive: true });
    writeFileSync(join(state, 'vault.git/objects/2e/tmp_obj_1'), '');
    removeHalfWritten(handoff.folder, state, aFolder());
    expect(left.filter((name) => existsSync(at(name)))).toEqual([]);
    expect(kept.filter((name) => !existsSync(at(name)))).toEqual([]);
    expect(readdirSync(state, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'base-runs',
      'calls',
      'calls/DOC-001',
      'requests',
      'vault.git',
      'vault.git/objects',
      'vault.git/objects/2e',
    ]);
  });

  it('is swept along with the record of the holder that a killed andon had begun to write', () => {
    const [{ handoff }, git] = [aHandoff(), aFolder()];
    mkdirSync(join(git, 'andon'));
    for (const name of [`.holder.json.${spawnSync('true').pid}.tmp`, `.holder.json.${process.ppid}.tmp`, 'holder.json'])
      writeFileSync(join(git, 'andon', name), '');
    removeHalfWritten(handoff.folder, aFolder(), git);
    expect(readdirSync(join(git, 'andon')).toSorted()).toEqual([`.holder.json.${process.ppid}.tmp`, 'holder.json']);
  });

  it('takes only what andon itself had half made out of your objects: what git draws six letters for may be of a git at work', () => {
    const [{ handoff }, git] = [aHandoff(), aFolder()];
    mkdirSync(join(git, 'objects/39'), { recursive: true });
    for (const name of [`tmp_obj_${randomUUID()}`, 'tmp_obj_miLFN3', '094319f9'])
      writeFileSync(join(git, 'objects/39', name), '');
    removeHalfWritten(handoff.folder, aFolder(), git);
    expect(readdirSync(join(git, 'objects/39')).toSorted()).toEqual(['094319f9', 'tmp_obj_miLFN3']);
  });

  it('bears that somebody deletes it all the time: it writes, or says that there is nothing to move', async () => {
    const { handoff } = aHandoff();
    const deleting = spawn('sh', ['-c', `while :; do rm -rf '${handoff.folder}'; done`], { stdio: 'ignore' });
    try {
      let moved = 0;
      for (let time = 0; time < 400 && moved < 20; time += 1) {
        handoff.write('A.md', 'one\n');
        if (handoff.rename('A.md', 'archive/DOC-001/A.md')) moved += 1;
        await sleep(time % 3);
      }
      expect(moved).toBeGreaterThan(0);
    } finally {
      deleting.kill('SIGKILL');
    }
  });

  it('says when there is nothing to rename, and makes no folder for it', () => {
    const { handoff, at } = aHandoff();
    expect(handoff.rename('never-there', 'archive/DOC-001/A.md')).toBe(false);
    expect(existsSync(at('archive'))).toBe(false);
  });

  it('does not write through a link that somebody put there', () => {
    const { handoff, at } = aHandoff();
    const outside = join(aFolder(), 'outside');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, at('A.md'));
    handoff.write('A.md', 'ours');
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(readFileSync(at('A.md'), 'utf8')).toBe('ours');
  });

  it('reads plain files of UTF-8 only, and never waits', () => {
    const { handoff, at } = aHandoff();
    writeFileSync(at('bytes'), Uint8Array.of(0xff, 0xfe));
    writeFileSync(at('large'), 'x'.repeat(5 * 1024 * 1024));
    symlinkSync('/etc/passwd', at('link'));
    mkdirSync(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    expect(handoff.read('none')).toEqual({ ok: true, value: undefined });
    for (const [name, why] of [
      ['bytes', 'UTF-8'],
      ['large', 'too large'],
      ['link', 'symbolic link'],
      ['folder', 'plain file'],
      ['pipe', 'plain file'],
    ] as const)
      expect(handoff.read(name)).toMatchObject({ ok: false, why: expect.stringContaining(why) });
  });

  it('lists what waits in the queue, oldest first', () => {
    const { handoff, at } = aHandoff();
    for (const [name, age] of [
      ['b.json', 10],
      ['a.json', 5],
      ['c.json', 20],
      ['.d.json', 1],
      ['e.txt', 1],
    ] as const) {
      writeFileSync(at(`queue/${name}`), '{}');
      utimesSync(at(`queue/${name}`), 1000 - age, 1000 - age);
    }
    expect(handoff.queued()).toEqual(['c.json', 'b.json', 'a.json']);
    expect(existsSync(at('queue/e.txt'))).toBe(true);
  });

  it('has an empty queue when there is none', () => {
    expect(createHandoff(aFolder()).queued()).toEqual([]);
  });
});

describe('a folder that is deleted in the middle of a take', () => {
  it.each([true, false])('takes the file along, and nothing else comes of it (meant: %s)', (isMeant) => {
    const { handoff, at } = aHandoff();
    const deleted = (): boolean => {
      rmSync(handoff.folder, { recursive: true });
      return isMeant;
    };
    writeFileSync(at('A.json'), '{}');
    expect(handoff.take('A.json', deleted)).toBe(isMeant);
    handoff.prepare();
    writeFileSync(at('A.json'), '{}');
    expect(handoff.renameToFree('A.json', 'withdrawn/A.json', deleted)).toBe(false);
    handoff.prepare();
    expect(readdirSync(handoff.folder).toSorted()).toEqual(['.gitignore', 'queue', ...(isMeant ? ['withdrawn'] : [])]);
  });
});
