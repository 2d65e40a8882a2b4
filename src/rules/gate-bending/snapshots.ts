import type { ChangedText } from './definitions.ts';

/** The files whose stored results were changed or taken away; new entries, and entries that moved, are no loss. */
export function rewritten(
  files: readonly ChangedText[],
): readonly { readonly path: string; readonly entries: number }[] {
  const there = new Set(
    files.flatMap(({ path, after }) => entriesOf(path, after)).map(({ name, text }) => `${name}\0${text}`),
  );
  const bodies = new Set(
    files
      .filter(({ before }) => before === undefined)
      .flatMap(({ path, after }) => entriesOf(path, after))
      .map(({ text }) => text),
  );
  return files.flatMap(({ path, before }) => {
    const gone = entriesOf(path, before).filter(
      ({ name, text }) => !there.has(`${name}\0${text}`) && !bodies.has(text),
    );
    return gone.length === 0 ? [] : [{ path, entries: gone.length }];
  });
}

/** `exports[`name`] = …` of jest and vitest, `# name: …` of syrupy; any other file is one entry. */
function entriesOf(
  path: string,
  text: string | undefined,
): readonly { readonly name: string; readonly text: string }[] {
  if (text === undefined) return [];
  const plain = text.replaceAll('\r\n', '\n');
  const split = path.endsWith('.ambr') ? plain.split(/^# name: /m).slice(1) : plain.split(/^exports\[/m).slice(1);
  if (split.length === 0) return [{ name: '', text: plain.trim() }];
  return split.map((entry) => {
    const end = entry.search(/\n|\] =/);
    return {
      name: entry.slice(0, end === -1 ? entry.length : end),
      text: entry
        .slice(Math.max(0, end))
        .replace(/^\] =\s*/, '')
        .trim(),
    };
  });
}
