/** Where a product file was, and where the change has it now. */
export interface Rename {
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
  if (renames.length === 0) return text;
  const folder = path.split('/').slice(0, -1);
  const moved = new Map<string, string>();
  for (const { from, to } of renames)
    for (const strip of [keep, withoutExtension, withoutIndex])
      if (!moved.has(strip(from))) moved.set(strip(from), strip(to));
  const quoted = text.replace(/(["'`])(\.{1,2}\/[\w@./-]{1,300})\1/g, (whole, quote: string, written: string) => {
    const target = resolve(folder, written);
    const to = target === undefined ? undefined : (moved.get(target) ?? asScript(target, moved));
    return to === undefined ? whole : `${quote}${relative(folder, to)}${quote}`;
  });
  const rooted = quoted.replace(/(["'`])([\w@][\w@./-]{1,300})\1/g, (whole, quote: string, written: string) => {
    const to = written.includes('/') ? moved.get(written) : undefined;
    return to === undefined ? whole : `${quote}${to}${quote}`;
  });
  return path.endsWith('.py') ? followModules(rooted, renames) : rooted;
}

/** `./a.js` names `a.ts` in TypeScript. */
function asScript(target: string, moved: ReadonlyMap<string, string>): string | undefined {
  const [, stem, end] = /^(.+)(\.[cm]?jsx?)$/.exec(target) ?? [];
  const to = stem === undefined ? undefined : moved.get(stem);
  return to === undefined ? undefined : `${to}${end ?? ''}`;
}

/** Dotted names of Python's modules, from each folder that may be on its path. */
function followModules(text: string, renames: readonly Rename[]): string {
  let next = text;
  for (const { from, to } of renames) {
    if (!from.endsWith('.py') || !to.endsWith('.py')) continue;
    const [old, now] = [moduleName(from), moduleName(to)];
    if (!MODULE.test(old) || !MODULE.test(now)) continue;
    next = next.replace(new RegExp(`(?<![\\w.])${old.replaceAll('.', '\\.')}(?![\\w])`, 'g'), now);
    const [parent, name] = split(old);
    const [newParent, newName] = split(now);
    if (parent !== '' && name === newName)
      next = next.replace(
        new RegExp(`(?<![\\w.])from[ \\t]+${parent.replaceAll('.', '\\.')}[ \\t]+import[ \\t]+${name}(?![\\w,])`, 'g'),
        newParent === '' ? `import ${newName}` : `from ${newParent} import ${newName}`,
      );
  }
  return next;
}

/** A name that an import statement can have; any other one is loaded in another way. */
const MODULE = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

const moduleName = (path: string): string =>
  path
    .replace(/^(?:src|lib)\//, '')
    .replace(/(?:\/__init__)?\.py$/, '')
    .replaceAll('/', '.');

function split(module: string): readonly [string, string] {
  const at = module.lastIndexOf('.');
  return [module.slice(0, Math.max(0, at)), module.slice(at + 1)];
}

const keep = (path: string): string => path;
const withoutExtension = (path: string): string => path.replace(/\.\w+$/, '');
const withoutIndex = (path: string): string => path.replace(/\/(?:index|mod|__init__)\.\w+$/, '');

/** A path from a folder; undefined where it leads out of the project. */
function resolve(folder: readonly string[], written: string): string | undefined {
  const parts = [...folder];
  for (const part of written.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function relative(folder: readonly string[], path: string): string {
  const parts = path.split('/');
  let common = 0;
  while (common < folder.length && folder[common] === parts[common]) common += 1;
  const up = folder.length - common;
  return `${up === 0 ? './' : '../'.repeat(up)}${parts.slice(common).join('/')}`;
}
