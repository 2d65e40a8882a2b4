import { join, relative } from 'node:path';
import { Disk, type Effect, type Name } from './disk.ts';

/** What processes did to one folder, in order, and what lay there before. */
export interface Recording {
  readonly first: Disk;
  readonly effects: readonly Recorded[];
}

/** An effect, when it was done, and whether it was done by hand: what you save is taken to be durable. */
export interface Recorded {
  readonly effect: Effect;
  readonly time: number;
  readonly byHand: boolean;
  /** The call as a human reads it. */
  readonly say: string;
}

/** A file that you saved while processes worked. */
export interface Saved {
  readonly time: number;
  readonly path: string;
  readonly text: string;
}

/** The calls that strace is asked for. */
export const CALLS =
  'openat open creat write pwrite64 writev pwritev pwritev2 lseek fsync fdatasync rename renameat renameat2 unlink unlinkat link linkat symlink symlinkat mkdir mkdirat rmdir ftruncate truncate copy_file_range sendfile chdir fchdir clone clone3 fork vfork'.split(
    ' ',
  );

interface Call {
  readonly time: number;
  readonly pid: number;
  readonly name: string;
  readonly args: string;
  readonly result: string;
}

/** Reads what strace wrote (`-f -y -xx -ttt`) as effects on the folder `root`, which held `first` before. */
export function readRecording(first: Disk, root: string, logs: readonly string[], saved: readonly Saved[]): Recording {
  const reader = new Reader(first, root);
  const calls = logs.flatMap(callsOf).map((call) => ({ time: call.time, call, save: undefined }));
  const saves = saved.map((save) => ({ time: save.time, call: undefined, save }));
  for (const { call, save } of [...calls, ...saves].toSorted((a, b) => a.time - b.time))
    if (call === undefined) reader.save(save);
    else reader.read(call);
  return { first, effects: reader.effects };
}

/** Lines of strace as calls; one that was interrupted by another process's is put together again. */
function callsOf(log: string): readonly Call[] {
  const begun = new Map<string, string>();
  return log.split('\n').flatMap((line) => {
    const [, pid = '', time = '', rest = ''] = /^(\d+) +(\d+\.\d+) (.*)$/s.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(pid, rest.slice(0, -'<unfinished ...>'.length).trimEnd());
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest);
    const whole = resumed === null ? rest : (begun.get(pid) ?? '') + (resumed[1] ?? '');
    const [, name = '', args = '', result = ''] = /^(\w+)\((.*)\) += (.*)$/s.exec(whole) ?? [];
    return name === '' || result.startsWith('-1') || result.startsWith('?')
      ? []
      : [{ time: Number(time), pid: Number(pid), name, args, result }];
  });
}

/** Turns calls into effects; it keeps a disk on which nothing is ever lost, to know what a path means at a time. */
class Reader {
  readonly effects: Recorded[] = [];
  private readonly disk: Disk;
  private readonly root: string;
  private readonly folders = new Map<number, string>();
  private readonly positions = new Map<string, number>();
  private readonly appending = new Set<string>();

  constructor(first: Disk, root: string) {
    this.disk = new Disk(first);
    this.root = root;
  }

  save({ time, path, text }: Saved): void {
    const note = (effect: Effect): void => this.note(effect, time, `you save ${path}`, true);
    const file = this.disk.find(path) ?? this.make(path, 'file', 0o644, '', note);
    if (file === undefined) throw new Error(`nothing is known of the folder of ${path}`);
    const bytes = Buffer.from(text);
    note({ kind: 'size', file, size: 0 });
    note({ kind: 'data', file, at: 0, bytes });
  }

  read({ time, pid, name, args, result }: Call): void {
    const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => decode(hex));
    const [first = '', second = ''] = strings.map((bytes) => bytes.toString());
    const places = [...args.matchAll(/(-?\w+)<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?/g)].map(
      ([, fd = '', hex = '', gone]) => ({
        fd,
        path: gone === undefined ? decode(hex).toString() : '',
      }),
    );
    const [at, other] = places;
    if (at?.fd === 'AT_FDCWD') this.folders.set(pid, at.path);
    const here = this.folders.get(pid) ?? '';
    const say = (...paths: readonly string[]): string =>
      `${name} ${paths.map((path) => this.inside(path) ?? path).join(' ')}`;
    const path = (text: string, from = here): string => (text.startsWith('/') ? text : join(from, text));
    const note = (effect: Effect, ...paths: readonly string[]): void => this.note(effect, time, say(...paths));
    const numbers = args.split(', ').map(Number);

    if (/^(?:clone|clone3|fork|vfork)$/.test(name)) this.folders.set(Number(result), here);
    else if (name === 'chdir') this.folders.set(pid, path(first));
    else if (name === 'fchdir') this.folders.set(pid, at?.path ?? here);
    else if (/^(?:open|openat|creat)$/.test(name)) this.open(args, name, result, note);
    else if (/^f(?:data)?sync$/.test(name)) {
      const thing = this.known(at?.path ?? '');
      if (thing !== undefined) note({ kind: 'sync', thing }, at?.path ?? '');
    } else if (/^(?:p?writev?2?|pwrite64)$/.test(name)) {
      const file = this.known(at?.path ?? '');
      const count = Number.parseInt(result, 10);
      if (file === undefined || at === undefined) return;
      const offset = name.startsWith('p') ? numbers.findLast((n) => !Number.isNaN(n)) : undefined;
      this.write(file, at.fd, Buffer.concat(strings).subarray(0, count), offset, (effect) => note(effect, at.path));
    } else if (name === 'lseek') {
      const file = this.known(at?.path ?? '');
      if (file !== undefined) this.positions.set(`${file} ${at?.fd ?? ''}`, Number.parseInt(result, 10));
    } else if (/^f?truncate$/.test(name)) {
      const target = at?.path ?? path(first);
      const file = this.known(target);
      if (file !== undefined) note({ kind: 'size', file, size: numbers.at(-1) ?? 0 }, target);
    } else if (/^(?:copy_file_range|sendfile)$/.test(name)) {
      const [to] = name === 'sendfile' ? [at] : [other];
      if (this.known(to?.path ?? '') !== undefined) throw new Error(`${name} is not understood by this recorder`);
    } else if (name.startsWith('rename')) this.rename(path(first, at?.path), path(second, (other ?? at)?.path), note);
    else if (/^(?:unlink|unlinkat|rmdir)$/.test(name)) this.remove(path(first, at?.path), note);
    else if (name.startsWith('link')) this.link(path(first, at?.path), path(second, (other ?? at)?.path), note);
    else if (name.startsWith('symlink')) {
      const place = this.inside(path(second, at?.path));
      if (place !== undefined) this.make(place, 'link', 0o777, first, (effect) => note(effect, place));
    } else if (name.startsWith('mkdir')) {
      const place = this.inside(path(first, at?.path));
      const mode = Number.parseInt(args.split(', ').at(-1) ?? '', 8);
      if (place !== undefined) this.make(place, 'folder', mode & ~0o022, '', (effect) => note(effect, place));
    }
  }

  private open(args: string, name: string, result: string, note: (effect: Effect, path: string) => void): void {
    const [, fd = '', hex = ''] = /^(\d+)<((?:\\x[0-9a-f]{2})*)>/.exec(result) ?? [];
    const path = decode(hex).toString();
    const place = this.inside(path);
    if (place === undefined) return;
    const isMade = this.disk.find(place) === undefined;
    if (isMade && !args.includes('O_CREAT') && name !== 'creat') return;
    const mode = Number.parseInt(args.split(', ').at(-1) ?? '', 8);
    const file = isMade
      ? this.make(place, 'file', mode & ~0o022, '', (effect) => note(effect, path))
      : this.disk.find(place);
    if (file === undefined) return;
    const key = `${file} ${fd}`;
    this.positions.set(key, 0);
    if (args.includes('O_APPEND')) this.appending.add(key);
    else this.appending.delete(key);
    if (!isMade && /O_TRUNC/.test(args) && this.disk.content(file).length > 0)
      note({ kind: 'size', file, size: 0 }, path);
  }

  private write(
    file: number,
    fd: string,
    bytes: Buffer,
    offset: number | undefined,
    note: (effect: Effect) => void,
  ): void {
    const key = `${file} ${fd}`;
    const end = this.disk.content(file).length;
    const at = offset ?? (this.appending.has(key) ? end : (this.positions.get(key) ?? end));
    note({ kind: 'data', file, at, bytes });
    if (offset === undefined) this.positions.set(key, at + bytes.length);
  }

  private rename(from: string, to: string, note: (effect: Effect, ...paths: string[]) => void): void {
    const [old, place] = [this.inside(from), this.inside(to)];
    const is = old === undefined ? undefined : this.disk.find(old);
    const source = old === undefined ? undefined : this.disk.place(old);
    const target = place === undefined ? undefined : this.disk.place(place);
    if (is === undefined || source === undefined || target === undefined) return;
    note(
      {
        kind: 'names',
        names: [
          { ...source, is: undefined },
          { ...target, is },
        ],
      },
      from,
      to,
    );
  }

  private link(from: string, to: string, note: (effect: Effect, ...paths: string[]) => void): void {
    const is = this.known(from);
    const place = this.inside(to);
    const target = place === undefined ? undefined : this.disk.place(place);
    if (is !== undefined && target !== undefined) note({ kind: 'names', names: [{ ...target, is }] }, from, to);
  }

  private remove(path: string, note: (effect: Effect, path: string) => void): void {
    const place = this.inside(path);
    const target = place === undefined || this.known(path) === undefined ? undefined : this.disk.place(place);
    if (target !== undefined) note({ kind: 'names', names: [{ ...target, is: undefined }] }, path);
  }

  private make(
    place: string,
    kind: 'file' | 'folder' | 'link',
    mode: number,
    target: string,
    note: (effect: Effect) => void,
  ): number | undefined {
    const where = this.disk.place(place);
    if (where === undefined) return undefined;
    const is = this.disk.add({ kind, mode, target });
    const names: readonly Name[] = [{ ...where, is }];
    note({ kind: 'names', names });
    return is;
  }

  private note(effect: Effect, time: number, say: string, byHand = false): void {
    this.disk.apply(effect);
    this.effects.push({ effect, time, say, byHand });
  }

  /** The part of a path below the folder that is recorded. */
  private inside(path: string): string | undefined {
    return path.startsWith(`${this.root}/`) ? relative(this.root, path) : undefined;
  }

  private known(path: string): number | undefined {
    const place = this.inside(path);
    return place === undefined ? undefined : this.disk.find(place);
  }
}

const decode = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
