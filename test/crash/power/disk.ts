import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** A file, a folder or a link, by a number that it keeps under every name. */
export interface Thing {
  readonly kind: 'file' | 'folder' | 'link';
  readonly mode: number;
  readonly target: string;
}

/** One change of a folder's list of names; a rename changes two at once. */
export interface Name {
  readonly folder: number;
  readonly name: string;
  readonly is: number | undefined;
}

/** One thing that a process did to the disk, or (`sync`) waited for. */
export type Effect =
  | { readonly kind: 'names'; readonly names: readonly Name[] }
  | { readonly kind: 'data'; readonly file: number; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'size'; readonly file: number; readonly size: number }
  | { readonly kind: 'sync'; readonly thing: number };

/** What becomes of an effect that no sync has made durable when the power goes. */
export type Fate = 'whole' | 'lost' | 'half' | 'zeros';

export const ROOT = 0;

/** A disk in memory: what lies on it after some effects, of which some were lost or torn. */
export class Disk {
  readonly things: Map<number, Thing>;
  private readonly lists: Map<number, Map<string, number>>;
  private readonly contents: Map<number, Buffer>;
  /** Contents that no other disk shares; they have room to grow. */
  private readonly own = new Map<number, { bytes: Buffer; size: number }>();

  constructor(from?: Disk) {
    this.things = from === undefined ? new Map([[ROOT, { kind: 'folder', mode: 0o755, target: '' }]]) : from.things;
    this.lists = new Map(
      from === undefined ? [[ROOT, new Map()]] : [...from.lists].map(([id, list]) => [id, new Map(list)]),
    );
    this.contents = new Map(from?.contents);
    for (const id of from?.own.keys() ?? []) this.contents.set(id, Buffer.from(from?.content(id) ?? ''));
  }

  add(thing: Thing, bytes?: Buffer): number {
    const id = this.things.size;
    this.things.set(id, thing);
    if (bytes !== undefined) this.contents.set(id, bytes);
    return id;
  }

  apply(effect: Effect, fate: Fate = 'whole'): void {
    if (fate === 'lost' || effect.kind === 'sync') return;
    if (effect.kind === 'names')
      for (const { folder, name, is } of effect.names)
        if (is === undefined) this.list(folder).delete(name);
        else this.list(folder).set(name, is);
    if (effect.kind === 'size') this.resize(effect.file, effect.size);
    if (effect.kind === 'data') {
      const { file, at, bytes } = effect;
      const kept = fate === 'half' ? bytes.subarray(0, bytes.length / 2) : bytes;
      const { size } = this.ownOf(file);
      const room = this.resize(file, Math.max(size, at + kept.length));
      if (fate === 'zeros') room.fill(0, at, at + kept.length);
      else kept.copy(room, at);
    }
  }

  /** What a path leads to. */
  find(path: string): number | undefined {
    let at: number | undefined = ROOT;
    for (const part of partsOf(path)) {
      if (at === undefined) return undefined;
      at = this.list(at).get(part);
    }
    return at;
  }

  content(id: number): Buffer {
    const own = this.own.get(id);
    return own === undefined ? (this.contents.get(id) ?? Buffer.alloc(0)) : own.bytes.subarray(0, own.size);
  }

  read(path: string): Buffer | undefined {
    const id = this.find(path);
    return id === undefined || this.things.get(id)?.kind !== 'file' ? undefined : this.content(id);
  }

  names(path: string): readonly string[] {
    const id = this.find(path);
    return id === undefined ? [] : [...this.list(id).keys()];
  }

  /** The folder that holds a path, and its name there. */
  place(path: string): { readonly folder: number; readonly name: string } | undefined {
    const parts = partsOf(path);
    const name = parts.pop() ?? '';
    const folder = this.find(parts.join('/'));
    return folder === undefined ? undefined : { folder, name };
  }

  private ownOf(id: number): { bytes: Buffer; size: number } {
    const old = this.content(id);
    const own = this.own.get(id) ?? { bytes: Buffer.from(old), size: old.length };
    this.own.set(id, own);
    return own;
  }

  /** What was cut off, or never written, is zeros. */
  private resize(id: number, size: number): Buffer {
    const own = this.ownOf(id);
    if (size > own.bytes.length) own.bytes = Buffer.concat([own.bytes, Buffer.alloc(size * 2 - own.bytes.length)]);
    if (size < own.size) own.bytes.fill(0, size, own.size);
    own.size = size;
    return own.bytes;
  }

  private list(folder: number): Map<string, number> {
    const list = this.lists.get(folder) ?? new Map<string, number>();
    this.lists.set(folder, list);
    return list;
  }

  /** Makes a real folder hold exactly this. */
  pour(into: string, path = ''): void {
    for (const name of readdirSync(into)) rmSync(join(into, name), { recursive: true, force: true });
    const pour = (id: number, to: string): void => {
      for (const [name, is] of this.list(id)) {
        const thing = this.things.get(is);
        const place = join(to, name);
        if (thing?.kind === 'link') symlinkSync(thing.target, place);
        else if (thing?.kind === 'folder') {
          mkdirSync(place);
          pour(is, place);
          chmodSync(place, thing.mode);
        } else {
          writeFileSync(place, this.content(is));
          chmodSync(place, thing?.mode ?? 0o644);
        }
      }
    };
    pour(this.find(path) ?? ROOT, into);
  }
}

/** A real folder as a disk. */
export function diskOf(folder: string): Disk {
  const disk = new Disk();
  const visit = (from: string, id: number): void => {
    for (const name of readdirSync(from)) {
      const path = join(from, name);
      const stat = lstatSync(path);
      const mode = stat.mode & 0o777;
      const is = stat.isDirectory()
        ? disk.add({ kind: 'folder', mode, target: '' })
        : stat.isSymbolicLink()
          ? disk.add({ kind: 'link', mode, target: readlinkSync(path) })
          : disk.add({ kind: 'file', mode, target: '' }, readFileSync(path));
      disk.apply({ kind: 'names', names: [{ folder: id, name, is }] });
      if (stat.isDirectory()) visit(path, is);
    }
  };
  visit(folder, ROOT);
  return disk;
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
