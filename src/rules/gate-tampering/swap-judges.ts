import type { FileWrite } from '../../record/change.ts';
import { followRenames, type Rename } from './follow-renames.ts';
import { type GateFiles, keysOf } from './gate-files.ts';
import { isJudging, judgingPart, type ChangedPath } from './judging-files.ts';

/** A file of one side as git has it. */
export interface RawFile {
  readonly mode: string;
  readonly bytes: Uint8Array;
}

/** A changed file with both sides; undefined where it is not there. */
export interface RawSides {
  readonly path: string;
  readonly before: RawFile | undefined;
  readonly after: RawFile | undefined;
}

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
export interface SwappedJudges {
  /** On top of the change: everything that judges as the base has it. Empty: the change leaves the judges alone. */
  readonly oldJudges: readonly FileWrite[];
  /** On top of the base: everything that judges as the change has it, where it has new or changed tests. */
  readonly newJudges: readonly FileWrite[];
  /** Whether the change touches the product at all. */
  readonly hasProduct: boolean;
  /** Judging files that are links on one side: they cannot be swapped. */
  readonly links: readonly string[];
}

/** Takes the judges of a change from the other side: pure, over the changed files alone. */
export function swapJudges({ files, renames, gateFiles, isAllowed }: SwapRequest): SwappedJudges {
  const isJudge = ({ path, before }: RawSides): boolean => isJudging({ path, isNew: before === undefined }, gateFiles);
  const product = new Map(files.filter((file) => !isJudge(file)).map((file) => [file.path, file]));
  const moved = renames.filter(({ from, to }) => product.has(from) && product.has(to));
  const oldJudges: FileWrite[] = [];
  const newJudges: FileWrite[] = [];
  const links: string[] = [];
  for (const file of files) {
    const { path, before, after } = file;
    if (!maySwap({ path, isNew: before === undefined }, gateFiles)) continue;
    if ([before, after].some((side) => side !== undefined && !side.mode.startsWith('100'))) {
      links.push(path);
      continue;
    }
    newJudges.push(writeOf(path, after));
    if (isAllowed(path)) continue;
    if (before === undefined) oldJudges.push({ path, content: null });
    else {
      const old = oldJudgeOf(file, before, moved);
      if (old !== undefined) oldJudges.push(old);
    }
  }
  return { oldJudges, newJudges, hasProduct: product.size > 0, links };
}

const PACKAGE = /(?:^|\/)package\.json$/;

/** Whether a file may be taken from the other side: only of these the contents are needed. */
export const maySwap = (file: ChangedPath, gateFiles: SwapRequest['gateFiles']): boolean =>
  PACKAGE.test(file.path) || isJudging(file, gateFiles);

const writeOf = (path: string, side: RawFile | undefined): FileWrite =>
  side === undefined ? { path, content: null } : written(path, side, side.bytes);

const written = (path: string, { mode }: RawFile, content: Uint8Array): FileWrite => ({
  path,
  mode: mode === '100755' ? '100755' : '100644',
  content,
});

/** The base's file as it judges the changed product; undefined where the change's one judges in the same way. */
function oldJudgeOf({ path, after }: RawSides, before: RawFile, moved: readonly Rename[]): FileWrite | undefined {
  if (after !== undefined && !before.bytes.includes(0) && !after.bytes.includes(0)) {
    const [was, is] = [textOf(before), textOf(after)];
    if (PACKAGE.test(path)) {
      const merged = mergePackage(was, is);
      return merged === is ? undefined : written(path, before, bytesOf(merged));
    }
    const part = judgingPart(path, was);
    if (part !== undefined && part === judgingPart(path, is)) return undefined;
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
  const judging = (keys: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(keys).filter(([key]) => !PRODUCT_KEYS.has(key)));
  if (JSON.stringify(judging(was)) === JSON.stringify(judging(is))) return after;
  if (Object.keys(is).length === 0) return before; // it cannot be read any more
  const product = Object.fromEntries(Object.entries(is).filter(([key]) => PRODUCT_KEYS.has(key)));
  return `${JSON.stringify({ ...product, ...judging(was) }, null, 2)}\n`;
}

const textOf = ({ bytes }: RawFile): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
