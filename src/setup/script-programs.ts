import { programOf } from '../wiring/on-path.ts';

/** The programs that a script of a package calls, through other scripts too; as far as its words tell. */
export function programsOf(
  script: string,
  scripts: ReadonlyMap<string, string>,
  seen: readonly string[] = [],
): readonly string[] {
  if (seen.includes(script)) return [];
  const parts = (scripts.get(script) ?? '').split(/&&|\|\||[;|&\n]/).map((part) => part.trim());
  const programs = parts.flatMap((part) => {
    const other = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:-s\s+|--silent\s+)?([\w:.-]+)/.exec(part)?.[1];
    if (other !== undefined && scripts.has(other)) return programsOf(other, scripts, [...seen, script]);
    const word = programOf(part.replace(/^(?:(?:npx|bunx|cross-env)\s+(?:--?[\w-]+\s+)*)+/, ''));
    return word === undefined || SHELL.has(word) ? [] : [word];
  });
  return [...new Set(programs)];
}

/** Words that the shell knows by itself. */
const SHELL: ReadonlySet<string> = new Set(
  'cd echo exit export false for if test true set unset while wait eval exec printf source sh'.split(' '),
);
