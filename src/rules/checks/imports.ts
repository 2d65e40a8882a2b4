import type { Span } from '../matchers/pattern.ts';

/** The modules that a text imports, in JavaScript, TypeScript, Python or Go by the ending of its path, and where. */
export function importsIn(path: string, text: string): readonly (Span & { readonly module: string })[] {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const patterns = ending === 'py' ? PYTHON : ending === 'go' ? GO : SCRIPT;
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .filter((match) => !isComment(text, match.index))
    .flatMap((match) =>
      modulesOf(match[1] ?? '', ending).map((module) => ({
        start: match.index,
        end: match.index + match[0].length,
        module,
      })),
    )
    .toSorted((one, other) => one.start - other.start);
}

const SCRIPT: readonly RegExp[] = [
  /\b(?:import|export)\b[^'"`;()]{0,2000}?\bfrom\s{0,4}["']([^"'\n]{1,300})["']/g,
  /\bimport\s{0,4}["']([^"'\n]{1,300})["']/g,
  /\b(?:import|require(?:\.resolve)?)\s{0,4}\(\s{0,4}["'`]([^"'`\n]{1,300})["'`]/g,
  // Of an import over several lines, its last line may be all that a change adds.
  /^\s{0,8}\}\s{0,4}from\s{0,4}["']([^"'\n]{1,300})["']/gm,
];
const PYTHON: readonly RegExp[] = [
  /^[ \t]{0,40}import[ \t]{1,8}([\w., \t]{1,500})/gm,
  /^[ \t]{0,40}from[ \t]{1,8}([\w.]{1,300})[ \t]{1,8}import\b/gm,
];
const GO: readonly RegExp[] = [
  /^[ \t]{0,8}(?:import[ \t]{1,4})?(?:[\w.]{1,60}[ \t]{1,4})?"([\w.~/-]{1,300})"[ \t]{0,8}(?:\/\/.*)?$/gm,
];

const modulesOf = (written: string, ending: string): readonly string[] =>
  ending === 'py'
    ? written
        .split(',')
        .map((part) => part.trim().split(/\s+as\s+/)[0] ?? '')
        .filter((name) => name !== '')
    : [written];

function isComment(text: string, at: number): boolean {
  const from = text.lastIndexOf('\n', at) + 1;
  return /^\s*(?:\/\/|#|\*)/.test(text.slice(from, Math.max(at, from) + 2));
}
