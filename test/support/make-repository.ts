import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

interface Entry {
  readonly path: string;
  readonly id: Buffer;
}

/** What the samples ignore. */
export const IGNORED = '.env\n*.log\n';

/**
 * Makes a repository in a folder whose first commit on `main` holds these files, which lie there already. It is written
 * without git, which would start six processes, 70 ms of CPU time: most tests begin with a repository.
 */
export function makeRepository(root: string, files: Readonly<Record<string, string>>, message: string): void {
  if (isPlain(files)) writeRepository(root, Object.keys(files), message);
  else execFileSync('sh', ['-ec', FIRST_COMMIT, 'sh', message], { cwd: root, env: ENV, stdio: 'pipe' });
}

const FIRST_COMMIT = 'git init --quiet --initial-branch=main; git add --all; git commit --quiet --message "$1"';
const PERSON = { name: 'Erik', email: 'erik@example.org' };
const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: PERSON.name,
  GIT_AUTHOR_EMAIL: PERSON.email,
  GIT_COMMITTER_NAME: PERSON.name,
  GIT_COMMITTER_EMAIL: PERSON.email,
};

/** Whether git would take in the files as they are, all of them. */
function isPlain(files: Readonly<Record<string, string>>): boolean {
  const paths = Object.keys(files);
  return (
    paths.length < 200 &&
    paths.every((path) => !/(?:^|\/)\.gitattributes$|\/\.gitignore$|(?:^|\/)\.env$|\.log$/.test(path)) &&
    (files['.gitignore'] ?? IGNORED) === IGNORED
  );
}

function writeRepository(root: string, paths: readonly string[], message: string): void {
  const git = join(root, '.git');
  cpSync(emptyGit(), git, { recursive: true });
  const keep = (kind: string, body: Buffer): Buffer => {
    const bytes = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]);
    const id = sha1(bytes);
    const name = id.toString('hex');
    const file = join(git, 'objects', name.slice(0, 2), name.slice(2));
    if (!existsSync(file)) write(file, deflateSync(bytes, { level: 1 }), 0o444);
    return id;
  };
  const entries = paths.map((path) => ({ path, id: keep('blob', readFileSync(join(root, path))) }));
  const treeOf = (files: readonly Entry[]): Buffer => {
    const names = new Set(files.map(({ path }) => path.split('/')[0] ?? ''));
    const rows = [...names].map((name) => {
      const file = files.find(({ path }) => path === name);
      const inside = files.filter(({ path }) => path.startsWith(`${name}/`));
      const below = inside.map(({ path, id }) => ({ path: path.slice(name.length + 1), id }));
      return file === undefined
        ? { key: `${name}/`, head: `40000 ${name}\0`, id: treeOf(below) }
        : { key: name, head: `100644 ${name}\0`, id: file.id };
    });
    rows.sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)));
    return keep('tree', Buffer.concat(rows.flatMap(({ head, id }) => [Buffer.from(head), id])));
  };
  const signature = `${PERSON.name} <${PERSON.email}> ${Math.floor(Date.now() / 1000)} +0000`;
  const tree = treeOf(entries).toString('hex');
  const text = `tree ${tree}\nauthor ${signature}\ncommitter ${signature}\n\n${message}\n`;
  const commit = keep('commit', Buffer.from(text)).toString('hex');
  write(join(git, 'refs/heads/main'), `${commit}\n`);
  for (const log of ['HEAD', 'refs/heads/main'])
    write(join(git, 'logs', log), `${'0'.repeat(40)} ${commit} ${signature}\tcommit (initial): ${message}\n`);
  write(join(git, 'COMMIT_EDITMSG'), `${message}\n`);
  write(join(git, 'index'), indexOf(root, entries));
}

/** What `git init` makes, once for each worker. */
const kept = globalThis as { emptyGit?: string };
function emptyGit(): string {
  if (kept.emptyGit === undefined || !existsSync(kept.emptyGit)) {
    const folder = mkdtempSync(join(tmpdir(), 'empty-git-'));
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder], { env: ENV });
    kept.emptyGit = join(folder, '.git');
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
  return kept.emptyGit;
}

/** The index of a clean checkout, as version 2 of its format has it. */
function indexOf(root: string, entries: readonly Entry[]): Buffer {
  const sorted = entries.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
  const rows = sorted.map(({ path, id }) => {
    const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = lstatSync(join(root, path), { bigint: true });
    const times = [ctimeNs, mtimeNs].flatMap((time) => [time / 1_000_000_000n, time % 1_000_000_000n]);
    const name = Buffer.from(path);
    const flags = Buffer.from([Math.min(name.length, 0xfff) >> 8, name.length & 0xff]);
    const row = Buffer.concat([uint32(...times, dev, ino, 0o100644, uid, gid, size), id, flags, name]);
    return Buffer.concat([row, Buffer.alloc(8 - (row.length % 8))]);
  });
  const body = Buffer.concat([Buffer.from('DIRC'), uint32(2, rows.length), ...rows]);
  return Buffer.concat([body, sha1(body)]);
}

function uint32(...numbers: readonly (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(Number(BigInt(number) & 0xffff_ffffn), 4 * at);
  return bytes;
}

const sha1 = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest();

function write(file: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}
