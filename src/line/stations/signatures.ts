/** The lines of a file that declare what other files can use, methods and headings too; for most languages. */
export function listSignatures(path: string, text: string, most = 24): readonly string[] {
  const family = FAMILIES.find(({ endings }) => endings.test(path)) ?? ANY;
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const found: string[] = [];
  for (let at = 0; at < lines.length && found.length < most; at += 1) {
    const line = (lines[at] ?? '').slice(0, LOOKED_AT).replace(/\r$/, '');
    if (line.trim() === '' || (REMARK.test(line) && !family.remarksCount)) continue;
    if (family.never?.test(line) === true) continue;
    const text = family.remarksCount ? line : closed(line, lines, at);
    if (family.declares.some((pattern) => pattern.test(text))) found.push(tidied(text));
  }
  return found;
}

interface Family {
  readonly endings: RegExp;
  readonly declares: readonly RegExp[];
  /** Lines that only look like a declaration. */
  readonly never?: RegExp;
  /** Headings begin with the mark of comments elsewhere. */
  readonly remarksCount: boolean;
}

function closed(line: string, lines: readonly string[], at: number): string {
  let text = line.trimEnd();
  for (let next = at + 1; next <= at + JOINED && depth(text) > 0 && text.length < LOOKED_AT; next += 1)
    text += ` ${(lines[next] ?? '').slice(0, LOOKED_AT).trim()}`;
  return text;
}

function depth(text: string): number {
  let open = 0;
  for (const char of text) open += char === '(' ? 1 : char === ')' ? -1 : 0;
  return open;
}

function tidied(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
  const text = line
    .trim()
    .replaceAll('( ', '(')
    .replace(/,? \)/g, ')')
    .replace(/\s*(?:\{|=>|:|=)?\s*$/, '');
  return `${indent.slice(0, 8)}${text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text}`;
}

const LOOKED_AT = 400;
const SHOWN = 160;
const JOINED = 8;
const REMARK = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|if|include)\b)|--|;|%)/;
const FLOW =
  /^\s*(?:\}?\s*else\b|if\b|for\b|foreach\b|while\b|switch\b|catch\b|return\b|throw\b|do\b|try\b|new\b|await\b|yield\b|case\b|using\b|lock\b|assert\b|sizeof\b|typeof\b|super\b|this\b|function\s*\()/;

const FAMILIES: readonly Family[] = [
  { endings: /\.(?:md|mdx|markdown)$/i, declares: [/^#{1,4} \S/], remarksCount: true },
  { endings: /\.(?:rst|adoc)$/i, declares: [/^={1,4} \S/], remarksCount: true },
  {
    endings: /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/i,
    declares: [
      /^export\b/,
      /^\s{0,8}(?:default |declare |abstract |async )*(?:class|interface|enum|namespace|function\*?) [\w$]/,
      /^(?:declare )?type [\w$]/,
      /^(?:module\.)?exports\b.*=/,
      // A method: a name and its parameters, indented, with a body, or with a type and a semicolon in an interface.
      /^[ \t]{1,8}(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set) |\*\s?)*#?[\w$]+\??\s*(?:<[^<>()]*>)?\(.*\)(?:(?:: [^{};]+)?\s*\{|: [^{};]+;$)/,
    ],
    never: FLOW,
    remarksCount: false,
  },
  {
    endings: /\.pyi?$/i,
    declares: [/^\s{0,8}(?:async def|def|class) \w/, /^[A-Z][A-Z0-9_]+\s*(?::[^=]+)?=/],
    remarksCount: false,
  },
  { endings: /\.go$/, declares: [/^(?:func|type) /, /^\t[A-Z]\w*\([^)]*\)[^{=]*$/], remarksCount: false },
  {
    endings: /\.rs$/,
    declares: [
      /^\s{0,8}(?:pub(?:\([^)]*\))? )?(?:default |unsafe |async |const |extern "[^"]*" )*(?:fn|struct|enum|trait|impl|type|mod|union)\b[ <]/,
      /^\s*(?:pub(?:\([^)]*\))? )?(?:const|static) [A-Z_]+:/,
      /^macro_rules!/,
    ],
    remarksCount: false,
  },
  {
    endings: /\.(?:java|cs|kt|kts|scala|groovy|swift|dart)$/i,
    declares: [
      /^\s{0,8}(?:[a-z]+ ){0,6}(?:class|interface|enum|record|struct|object|trait|protocol|extension|namespace|@interface) \w/,
      /^\s{0,8}(?:[a-z]+ ){0,6}(?:fun|func|def|init) ?[\w<(]/,
      /^\s{1,8}(?:(?:public|protected|private|internal|static|final|abstract|synchronized|override|virtual|async|sealed|default|native) )+[\w<>[\], ?.]*\(/,
      /^\s{1,8}[\w<>[\],?.]+ \w+\([^;=]*\)\s*(?:throws [\w, .]+)?(?:\{|;)?\s*$/,
    ],
    never: FLOW,
    remarksCount: false,
  },
  {
    endings: /\.(?:c|h|cc|cpp|cxx|hpp|hh|m|mm)$/i,
    declares: [
      /^(?:typedef|struct|union|enum|class|namespace|template)\b/,
      /^#\s*define \w+\(/,
      /^[A-Za-z_][\w:<>,*& ]*[\s*&]~?[\w:]+\([^;]*(?:\)\s*(?:const|noexcept|override)?\s*[{;]?|,)\s*$/,
      /^\s{1,8}(?:virtual |static |explicit |inline )*[\w:<>,*& ]+[\s*&]~?\w+\([^;=]*\)\s*(?:const|noexcept|override|= 0)?\s*[;{]\s*$/,
    ],
    never: FLOW,
    remarksCount: false,
  },
  {
    endings: /\.(?:rb|ex|exs|cr)$/i,
    declares: [/^\s{0,8}(?:def|class|module|defmodule|defp?|macro) /],
    remarksCount: false,
  },
  {
    endings: /\.php$/i,
    declares: [/^\s{0,8}(?:[a-z]+ ){0,4}(?:function|class|interface|trait|enum) \w/],
    never: FLOW,
    remarksCount: false,
  },
  { endings: /\.(?:sh|bash|zsh)$/i, declares: [/^(?:function )?[\w-]+\s*\(\)/, /^function \w/], remarksCount: false },
  {
    endings: /\.(?:sql|proto|graphql|gql|lua)$/i,
    declares: [
      /^\s*create /i,
      /^\s*(?:message|service|rpc|type|input|enum|interface|query|mutation) /,
      /^(?:local )?function /,
    ],
    remarksCount: false,
  },
];

const ANY: Family = {
  endings: /$/,
  declares: [
    /^\s{0,8}(?:export |pub |public |private |protected |static |async |abstract |final )*(?:def|class|func|fn|fun|function|type|interface|struct|enum|trait|impl|module|namespace) ?[\w<(]/,
    /^export /,
  ],
  never: FLOW,
  remarksCount: false,
};
