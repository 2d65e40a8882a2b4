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
