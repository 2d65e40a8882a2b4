import { withoutForbidden } from './forbidden-files.ts';

/**
 * The files, folders and globs that a text names, each once, in order. Files that a clause
 * forbids to change are left out.
 */
export const namedFiles = (text: string): readonly string[] =>
  filesIn(withoutForbidden(text.slice(0, LONGEST_TEXT), (word) => fileIn(word) !== undefined));

/** The files that a text speaks of, whatever it says of them. */
export const mentionedFiles = (text: string): readonly string[] => filesIn(text.slice(0, LONGEST_TEXT).split('\n'));

function filesIn(sentences: readonly string[]): readonly string[] {
  const named = new Set<string>();
  for (const sentence of sentences) {
    const rest = sentence.replace(/(["'`])([^"'`\n]{1,200})\1/g, (whole, _quote: string, inner: string) => {
      if (!/\s/.test(inner) || !/[/\\]|\.\w{1,8}$/.test(inner) || !isPath(inner.replaceAll(' ', '_')))
        return ` ${inner} `;
      named.add(inner);
      return ' ';
    });
    for (const [word] of rest.matchAll(WORD)) {
      const native = NATIVE.exec(word)?.[1];
      if (native !== undefined && HAS_NATIVE.test(native)) {
        named.add(native);
        continue;
      }
      for (const run of word.split(/[\p{Script=Hangul}\p{Script=Han}]+/u)) {
        const name = run === '' ? undefined : fileIn(run);
        if (name !== undefined) named.add(name);
      }
    }
  }
  return [...named];
}

/** A list in braces belongs to its path: `src/{a,b}.ts`. */
const WORD = /(?:[^\s,;"'`()<>|，、；：。「」{]|(?<=[\w/.*-])\{[^\s{}]{1,99}\}|\{)+/gu;

const LONGEST_TEXT = 200_000;
const LONGEST_NAME = 300;
/** Files without an extension, as they are usually spelt. */
export const PLAIN =
  /^(?:Makefile|Dockerfile|Rakefile|Gemfile|Procfile|Jenkinsfile|Justfile|CODEOWNERS|LICENSE|CHANGELOG|README)$/;

/** A path with Korean or Chinese letters after its first folder, or a Korean file name. Letters after the extension (`a.ts를`) belong to the sentence. */
const NATIVE =
  /^((?:\.{1,2}\/)?(?:[\w@+-][\w@.+-]*\/(?:(?!\.[a-z]{1,5}[\p{sc=Hangul}\p{sc=Han}])[\w@.+\-/\p{sc=Hangul}\p{sc=Han}])*?|[\w@+\-\p{sc=Hangul}]*?)\.[a-z0-9]{1,8})(?![\w.])/iu;
const HAS_NATIVE = /[\p{sc=Hangul}\p{sc=Han}]/u;

function fileIn(run: string): string | undefined {
  if (run.length > LONGEST_NAME) return undefined;
  const bold = /^(\*{1,2})(.+?)\1[.:!?]*$/.exec(run)?.[2] ?? run;
  const name = withoutBrackets(bold.replace(/[.:!?…]+$/u, ''));
  if (/^https?:/i.test(name) || /^\d+\/\d+$/.test(name)) return undefined;
  const isFile = isPath(name.replaceAll('\\', '/')) || /[*?[{].*\/|\/.*[*?[{]|^\*\.\w+$/.test(name) || PLAIN.test(name);
  return isFile ? name.replace(/(?::\d[\d:-]*|#L\d+(?:-L?\d+)?)$/, '') : undefined;
}

/** A word without brackets around it; those of `[id].ts` and `src/{a}` belong to the name. */
function withoutBrackets(word: string): string {
  const inner = /^[[{]([^[\]{}]+)[\]}][.:!?]*$/.exec(word)?.[1];
  if (inner !== undefined) return inner;
  const count = (signs: RegExp): number => word.match(signs)?.length ?? 0;
  if (count(/[\]}]/g) > count(/[[{]/g)) return word.replace(/[\]}]+$/, '');
  return count(/[[{]/g) > count(/[\]}]/g) ? word.replace(/^[[{]+/, '') : word;
}

/** Whether a word names a file, a folder or a page, with or without a line. */
export function isPath(word: string): boolean {
  const text = word.replace(/:\d+(?:[-:]\d+)*$/, '').replace(/#L\d+(?:-L?\d+)?$/, '');
  if (text.length > LONGEST_NAME || !/[./]/.test(text)) return false;
  if (/^https?:\/\/./.test(text)) return true;
  if (!text.includes('/')) return isFileName(text) || (/^\.[a-z][\w-]*(?:\.[a-z]+)*$/i.test(text) && text.length > 3);
  const names = text.replace(/^\.{1,2}\//, '').split('/');
  const isPlain = names.every(
    (name, at) => /^[\p{L}\p{M}\p{N}_@.*+[\]-]+$/u.test(name) || (name === '' && at === names.length - 1),
  );
  if (!isPlain || names.every((name) => /^\d*$/.test(name))) return false;
  const last = names.at(-1) ?? '';
  return /^\.{1,2}\//.test(text) || last === '' || names.length > 2 || last.includes('.') || FOLDERS.test(text);
}

const FOLDERS =
  /^(?:src|tests?|lib|docs?|packages|apps?|bin|scripts|cmd|pkg|internal|web|api|config|examples|assets|public|server|client|spec|tools|shipped)\//;

const isFileName = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N}_@+-][\p{L}\p{M}\p{N}_@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$/u.test(text) &&
  EXTENSIONS.test(text) &&
  !/^(?:node|next|nuxt|vue|express|three|d3|react|nest|ember|backbone|chart|socket)\.(?:js|io)$/i.test(text);

const EXTENSIONS =
  /\.(?:[cm]?[jt]sx?|json[lc5]?|ya?ml|toml|ini|cfg|conf|env|mdx?|txt|rst|adoc|html?|s?css|sass|less|vue|svelte|astro|py[ix]?|ipynb|rb|go|rs|java|kts?|scala|swift|c|h|cc|cpp|hpp|cs|cshtml|razor|xaml|sln|[cf]sproj|fs|php|pl|sh|bash|zsh|ps1|bat|sql|graphql|prisma|proto|xml|svg|png|jpe?g|gif|webp|ico|csv|tsv|lock|log|diff|patch|gradle|tf|hcl|exs?|heex|erl|hs|lua|r|jl|dart|zig|nim|clj|elm|mli?|tex|wasm|mk|cmake|properties|plist|snap|tfvars|nix|sol|erb|ejs|hbs|pug|twig|gemspec|pdf|docx|xlsx)$|^go\.(?:mod|sum)$/i;

/** Whether two names are those of one file, where one of them may be only its end. */
export const isSame = (one: string, other: string): boolean => {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const bare = short.replace(/^\.\//, '');
  return long === bare || long.endsWith(`/${bare}`);
};

interface CitedLine {
  readonly path: string;
  /** The last line that is cited, counted from 1. */
  readonly line: number;
}

export type LineCounts = ReadonlyMap<string, number>;

/** The lines of files that a text cites: `src/a.ts:12-40`, `src/a.ts#L12`. */
export const citedLines = (text: string): readonly CitedLine[] =>
  [...text.slice(0, LONGEST).matchAll(WORDS)]
    .flatMap(([word]) => {
      const [, path, at, upTo = at] = WITH_LINE.exec(word) ?? [];
      return path === undefined || !isPath(path) || path.includes('://') ? [] : [{ path, line: Number(upTo) }];
    })
    .slice(0, MOST);

const WORDS = /[^\s`*()[\]"'“”‘’,;，。、；：（）]+/g;
const WITH_LINE = /^(.+?)(?::|#L)(\d{1,7})(?:[-–]L?(\d{1,7}))?(?::\d+)?[.:]*$/;
const LONGEST = 200_000;
const MOST = 200;

/** Why citations are wrong: a line beyond the end of its file, or a file that is not there. */
export const wrongCitations = (text: string, lines: LineCounts | undefined): readonly string[] =>
  lines === undefined ? [] : [...new Set(citedLines(text).flatMap((cited) => wrongPlace(cited, lines) ?? []))];

function wrongPlace({ path, line }: CitedLine, lines: LineCounts): string | undefined {
  const counts = [...lines].filter(([one]) => isSame(one, path)).map(([, count]) => count);
  if (counts.length === 0) return `${path} is not in the tree of this change`;
  const most = Math.max(...counts);
  return line > most || line === 0 ? `it cites line ${line} of ${path}, which has ${most}` : undefined;
}
