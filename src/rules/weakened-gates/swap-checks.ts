import type { BothSides, FileWrite } from '../../base/changed-file.ts';
import { type GateFiles, keysOf } from './gate-files.ts';
import { isCheckFile, checkPart, type ChangedPath } from './check-files.ts';

export interface RawFile {
  readonly mode: string;
  readonly bytes: Uint8Array;
}

export type RawSides = BothSides<RawFile>;

/** What is swapped between base and change. */
export interface SwapRequest {
  readonly files: readonly RawSides[];
  /** Files that git says were moved. */
  readonly renames: readonly Rename[];
  readonly gateFiles: GateFiles | undefined;
  /** Files whose change the contract allows; they are taken from the change. */
  readonly isAllowed: (path: string) => boolean;
}

/** Two mixed trees, each as writes on top of one that is there. */
export interface SwappedChecks {
  /** On top of the change: every check file as the base has it. Empty: the change leaves them alone. */
  readonly baseChecks: readonly FileWrite[];
  /** On top of the base: every check file as the change has it, where it has new or changed tests. */
  readonly changeChecks: readonly FileWrite[];
  /** Whether the change touches the product at all. */
  readonly hasProduct: boolean;
  /** Check files that are links on one side: they cannot be swapped. */
  readonly links: readonly string[];
}

/** Takes the check files of a change from the other side: pure, over the changed files alone. */
export function swapChecks({ files, renames, gateFiles, isAllowed }: SwapRequest): SwappedChecks {
  const isCheck = ({ path, before }: RawSides): boolean =>
    isCheckFile({ path, isNew: before === undefined }, gateFiles);
  const product = new Map(files.filter((file) => !isCheck(file)).map((file) => [file.path, file]));
  const moved = renames.filter(({ from, to }) => product.has(from) && product.has(to));
  const baseChecks: FileWrite[] = [];
  const changeChecks: FileWrite[] = [];
  const links: string[] = [];
  for (const file of files) {
    const { path, before, after } = file;
    if (!maySwap({ path, isNew: before === undefined }, gateFiles)) continue;
    if ([before, after].some((side) => side !== undefined && !side.mode.startsWith('100'))) {
      links.push(path);
      continue;
    }
    changeChecks.push(writeOf(path, after));
    if (isAllowed(path)) continue;
    if (before === undefined) baseChecks.push({ path, content: null });
    else {
      const old = baseCheckOf(file, before, moved);
      if (old !== undefined) baseChecks.push(old);
    }
  }
  return { baseChecks, changeChecks, hasProduct: product.size > 0, links };
}

const PACKAGE = /(?:^|\/)package\.json$/;

/** Whether a file may be taken from the other side: only of these the contents are needed. */
export const maySwap = (file: ChangedPath, gateFiles: SwapRequest['gateFiles']): boolean =>
  PACKAGE.test(file.path) || isCheckFile(file, gateFiles);

const writeOf = (path: string, side: RawFile | undefined): FileWrite =>
  side === undefined ? { path, content: null } : written(path, side, side.bytes);

const written = (path: string, { mode }: RawFile, content: Uint8Array): FileWrite => ({
  path,
  mode: mode === '100755' ? '100755' : '100644',
  content,
});

/** The base's file as it checks the changed product; undefined where the change's one checks in the same way. */
function baseCheckOf({ path, after }: RawSides, before: RawFile, moved: readonly Rename[]): FileWrite | undefined {
  if (after !== undefined && !before.bytes.includes(0) && !after.bytes.includes(0)) {
    const [was, is] = [textOf(before), textOf(after)];
    if (PACKAGE.test(path)) {
      const merged = mergePackage(was, is);
      return merged === is ? undefined : written(path, before, bytesOf(merged));
    }
    const part = checkPart(path, was);
    if (part !== undefined && part === checkPart(path, is)) return undefined;
  }
  if (before.bytes.includes(0)) return writeOf(path, before);
  const text = textOf(before);
  const followed = followRenames(path, text, moved);
  return written(path, before, followed === text ? before.bytes : bytesOf(followed));
}

/** What of a package.json is the product's: who it is, how it is found, and what it depends on. */
const PRODUCT_KEYS: ReadonlySet<string> = new Set(
  `name version description keywords homepage bugs license author contributors funding repository private type main
  module browser exports imports bin man types typings typesVersions files sideEffects engines os cpu publishConfig
  dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundledDependencies
  bundleDependencies`.split(/\s+/),
);

/** The change's package.json with scripts and configuration of the base; the change's text where they are the same. */
function mergePackage(before: string, after: string): string {
  const [was, is] = [keysOf(before), keysOf(after)];
  const checks = (keys: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(keys).filter(([key]) => !PRODUCT_KEYS.has(key)));
  if (JSON.stringify(checks(was)) === JSON.stringify(checks(is))) return after;
  if (Object.keys(is).length === 0) return before; // it cannot be read any more
  const product = Object.fromEntries(Object.entries(is).filter(([key]) => PRODUCT_KEYS.has(key)));
  return `${JSON.stringify({ ...product, ...checks(was) }, null, 2)}\n`;
}

const textOf = ({ bytes }: RawFile): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Where a product file was, and where the change has it now. */
interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * The text of a test with the paths of moved product files as they are now: what it imports from a file that moved it
 * imports from the new place. Only paths change, so the test asks what it asked before.
 *
 * @param path where the test is; relative paths in it begin there
 */
export function followRenames(path: string, text: string, renames: readonly Rename[]): string {
  const folder = path.split('/').slice(0, -1);
  const moved = new Map<string, string>();
  for (const { from, to } of renames) {
    const [old, now] = [spellings(folder, from), spellings(folder, to)];
    for (const [at, spelling] of old.entries()) if (!moved.has(spelling)) moved.set(spelling, now[at] ?? spelling);
  }
  const followed = text.replace(/(["'`])([\w@.][\w@./-]{1,300})\1/g, (whole, quote: string, written: string) => {
    const to = written.includes('/') ? moved.get(written) : undefined;
    return to === undefined ? whole : `${quote}${to}${quote}`;
  });
  return path.endsWith('.py') ? followModules(followed, renames) : followed;
}

/** How a test in a folder may write the path of a file: from its own folder or the root, with or without its ending. */
function spellings(folder: readonly string[], path: string): readonly string[] {
  return [relative(folder, path), path].flatMap((written) => [
    written,
    written.replace(/\.([cm]?)tsx?$/, '.$1js'), // `./a.js` names `a.ts` in TypeScript
    written.replace(/\.\w+$/, ''),
    written.replace(/\/(?:index|mod|__init__)\.\w+$/, ''),
  ]);
}

function relative(folder: readonly string[], path: string): string {
  const parts = path.split('/');
  let common = 0;
  while (common < folder.length && folder[common] === parts[common]) common += 1;
  const up = folder.length - common;
  return `${up === 0 ? './' : '../'.repeat(up)}${parts.slice(common).join('/')}`;
}

/** Dotted names of Python's modules, from the root, `src` or `lib`. */
function followModules(text: string, renames: readonly Rename[]): string {
  let next = text;
  for (const { from, to } of renames) {
    const [old, now] = [moduleName(from), moduleName(to)];
    if (old === undefined || now === undefined) continue;
    const dotted = old.replaceAll('.', '\\.');
    next = next.replace(new RegExp(`(?<![\\w.])${dotted}(?![\\w])`, 'g'), now);
    const [, parent = '', name = ''] = /^(.+)\.(\w+)$/.exec(old) ?? [];
    const [, newParent = '', newName = now] = /^(.+)\.(\w+)$/.exec(now) ?? [];
    if (parent === '' || name !== newName) continue;
    next = next.replace(
      new RegExp(`(?<![\\w.])from[ \\t]+${parent.replaceAll('.', '\\.')}[ \\t]+import[ \\t]+${name}(?![\\w,])`, 'g'),
      newParent === '' ? `import ${newName}` : `from ${newParent} import ${newName}`,
    );
  }
  return next;
}

/** The name by which Python imports a file; undefined where it cannot. */
function moduleName(path: string): string | undefined {
  const name = path
    .replace(/^(?:src|lib)\//, '')
    .replace(/(?:\/__init__)?\.py$/, '')
    .replaceAll('/', '.');
  return path.endsWith('.py') && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(name) ? name : undefined;
}
