import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from '../../support/properties.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDir, type SafeDir } from '../../../src/base/system/safe-fs.ts';
import { Problem } from '../../../src/base/problem.ts';

/** What may stand at one component of a path. */
const KINDS = ['nothing', 'folder', 'file', 'link to a folder', 'link to a file', 'dangling link', 'FIFO'] as const;
type Kind = (typeof KINDS)[number];

const DEPTH = 3;
const SECRET = 'mine, not yours';

/** A folder of andon's, and beside it what is none of its business: a folder and a file with the same names in it. */
function aPlace(): { readonly own: string; readonly outside: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'door-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [own, outside] = [join(folder, 'own'), join(folder, 'outside')];
  mkdirSync(own);
  mkdirSync(join(outside, 'b/c'), { recursive: true });
  for (const name of ['secret', 'b/c/secret']) writeFileSync(join(outside, name), SECRET);
  for (const name of ['a', 'c']) writeFileSync(join(outside, name), SECRET);
  return { own, outside };
}

function put(path: string, kind: Kind, outside: string): void {
  if (kind === 'folder') mkdirSync(path);
  if (kind === 'file') writeFileSync(path, 'ours\n');
  if (kind === 'link to a folder') symlinkSync(outside, path);
  if (kind === 'link to a file') symlinkSync(join(outside, 'secret'), path);
  if (kind === 'dangling link') symlinkSync(join(outside, 'new'), path);
  if (kind === 'FIFO') linkSync(fifo, path);
}

/** One for all: to start `mkfifo` takes longer than everything else that is done with a path. */
const fifo = join(mkdtempSync(join(tmpdir(), 'fifo-')), 'fifo');
execFileSync('mkfifo', [fifo]);
afterAll(() => rmSync(dirname(fifo), { recursive: true }));

/** Lays `kinds` out along the path a/b/c, as far as there is a real folder to put the next one in. */
function layOut(own: string, kinds: readonly Kind[], outside: string): void {
  let at = own;
  for (const [depth, kind] of kinds.entries()) {
    at = join(at, NAMES[depth] ?? '');
    put(at, kind, outside);
    if (kind !== 'folder') return;
  }
}

const NAMES = ['a', 'b', 'c'];

/** Everything that lies in a folder: names, kinds and contents. */
function everythingIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const stat = lstatSync(join(folder, name));
      if (stat.isSymbolicLink()) return `${name} -> ${readlinkSync(join(folder, name))}`;
      return stat.isFile()
        ? `${name} ${createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')}`
        : name;
    });
}

/** Everything a door can do with a name; what comes back as text is what was read. */
const DEEDS: Readonly<Record<string, (door: SafeDir, name: string) => unknown>> = {
  read: (door, name) => door.read(name, 1000),
  text: (door, name) => door.text(name, 1000),
  piece: (door, name) => door.piece(name, 0, 1000),
  lines: (door, name) => door.lines(name, 1000),
  entries: (door, name) => door.entries(name).map((entry) => entry.name),
  stat: (door, name) => door.stat(name)?.isSymbolicLink(),
  put: (door, name) => door.put(name, 'new'),
  write: (door, name) => door.write(name, 'new'),
  append: (door, name) => door.append(name, 'new'),
  'move to': (door, name) => door.write('here', 'new') && door.move('here', name),
  'move from': (door, name) => door.move(name, 'there'),
  remove: (door, name) => door.remove(name),
  makeFolder: (door, name) => door.makeFolder(name),
  barred: (door, name) => door.barred([name], [name]),
};

/** What a system call answers where something else stands at the name itself; anything else would be a mistake of ours. */
const ANSWERS = /^E(?:ISDIR|NOTDIR|PERM|EXIST|NOTEMPTY)\b/;

describe("The door to a folder of andon's", () => {
  test.each(Object.keys(DEEDS))('(%s) leads nowhere else and waits for nobody, whatever stands at a path', (deed) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...KINDS), { minLength: DEPTH, maxLength: DEPTH }),
        fc.integer({ min: 1, max: DEPTH }),
        (kinds, length) => {
          const { own, outside } = aPlace();
          layOut(own, kinds, outside);
          const before = everythingIn(outside);
          let said: unknown;
          try {
            said = DEEDS[deed]?.(openDir(own), NAMES.slice(0, length).join('/'));
          } catch (error) {
            if (!(error instanceof Problem)) expect((error as Error).message).toMatch(ANSWERS);
          }
          expect(everythingIn(outside)).toEqual(before);
          expect(JSON.stringify(said ?? null)).not.toContain(SECRET);
          if (deed === 'entries') expect(said).not.toContain('secret');
        },
      ),
      { numRuns: 60 },
    );
  });

  test('may lie behind a link itself: what is above it is yours', () => {
    const { own, outside } = aPlace();
    symlinkSync(own, join(outside, 'mine'));
    const door = openDir(join(outside, 'mine'));
    door.write('paper', 'text\n');
    expect(door.text('paper', 100)).toEqual({ ok: true, value: 'text\n' });
    expect(readFileSync(join(own, 'paper'), 'utf8')).toBe('text\n');
  });

  test('says what stands in the way, and what to do', () => {
    const { own, outside } = aPlace();
    symlinkSync(outside, join(own, 'archive'));
    execFileSync('mkfifo', [join(own, 'log')]);
    const door = openDir(own);
    expect(() => door.write('archive/paper', 'text')).toThrow(`${own}/archive is a symbolic link, not a folder`);
    expect(() => door.append('log', 'line')).toThrow(`${own}/log is a FIFO, not a plain file`);
    expect(door.text('archive/secret', 100)).toMatchObject({
      ok: false,
      why: expect.stringContaining('symbolic link'),
    });
    expect(door.barred(['log'], ['archive'])).toBe(`${own}/archive is a symbolic link, not a folder`);
  });

  test('reads no more than it is told to, and of what grows only the end', () => {
    const { own } = aPlace();
    const door = openDir(own);
    writeFileSync(join(own, 'log'), 'first\nsecond\nthird\n');
    expect(door.read('log', 10)).toEqual({ ok: false, why: 'is too large (19 bytes)' });
    expect(door.lines('log', 10)).toEqual({ ok: true, value: ['third'] });
    expect(door.lines('log', 19)).toEqual({ ok: true, value: ['second', 'third'] });
    expect(door.lines('log', 100)).toEqual({ ok: true, value: ['first', 'second', 'third'] });
    const piece = (from: number, most: number): unknown => {
      const found = door.piece('log', from, most);
      return found.ok && found.value && [new TextDecoder().decode(found.value.bytes), found.value.total];
    };
    expect([piece(6, 6), piece(13, 100), piece(19, 5), piece(1000, 5)]).toEqual([
      ['second', 19],
      ['third\n', 19],
      ['', 19],
      ['', 19],
    ]);
  });

  test.each(['../outside/secret', '/etc/passwd', 'a//b', './a', 'a/..'])('takes no name that leads out: %s', (name) => {
    expect(() => openDir(aPlace().own).read(name, 1000)).toThrow('is not a file name');
  });
});
