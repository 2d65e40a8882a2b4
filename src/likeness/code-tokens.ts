import { tokenizeShell } from './shell-tokens.ts';
import type { SourceToken } from './token.ts';

/** The comments of a kind of text, and whether its indentation nests. */
export interface TextFamily {
  readonly comments: 'slash' | 'hash' | 'dash' | 'markup' | 'none';
  readonly nests: 'braces' | 'indent' | 'shell';
  /** The first one differs from the others: the default target of `make`. */
  readonly first?: true;
}

const FAMILIES: readonly (readonly [RegExp, TextFamily])[] = [
  [/\.(?:sh|bash|zsh|ksh|bats)$/i, { comments: 'hash', nests: 'shell' }],
  [/\.(?:py|pyi|ya?ml|coffee|nim|rb|rake|ex|exs|jl|toml)$|(?:^|\/)(?:Dockerfile|Rakefile|Gemfile)$/i, { comments: 'hash', nests: 'indent' }], // prettier-ignore
  [/\.mk$|(?:^|\/)(?:GNU)?[Mm]akefile$/, { comments: 'hash', nests: 'indent', first: true }],
  [/\.(?:pl|pm|r|tf|nix|ps1|graphql)$/i, { comments: 'hash', nests: 'braces' }],
  [/\.(?:sql|hs|lua|elm|adb|ads|vhdl?)$/i, { comments: 'dash', nests: 'indent' }],
  [/\.(?:html?|xml|svg|vue|svelte|md|markdown)$/i, { comments: 'markup', nests: 'indent' }],
  [/\.(?:[cm]?[jt]sx?|java|kts?|c|h|cc|cpp|cxx|hpp|hh|cs|go|rs|swift|scala|php|dart|groovy|gradle|proto|zig|m|mm|css|scss|less|json5?|sol)$/i, { comments: 'slash', nests: 'braces' }], // prettier-ignore
];

/** The family of a file, by name; an unknown one has no comments and nests by indentation. */
export const findLanguageFamily = (path: string): TextFamily =>
  FAMILIES.find(([names]) => names.test(path))?.[1] ?? { comments: 'none', nests: 'indent' };

const COMMENTS: Readonly<Record<TextFamily['comments'], string>> = {
  slash: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/u.source,
  hash: /#[^\n]*/u.source,
  dash: /--[^\n]*/u.source,
  markup: /<!--[\s\S]*?(?:-->|$)/u.source,
  none: /(?!)/u.source,
};
const LITERAL =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\d(?:[\w.]*\w)?/u
    .source;
/** The tokens of a text, in linear time; spaces are dropped, each line break keeps the next indent. */
export function tokenizeSource(text: string, family: TextFamily): readonly SourceToken[] {
  if (family.nests === 'shell') return tokenizeShell(text);
  const pattern = new RegExp(
    `(${COMMENTS[family.comments]})|(${LITERAL})|([\\p{L}\\p{N}_$]+)|(\\n[^\\S\\n]*)|([^\\s])`,
    'gu',
  );
  const found: SourceToken[] = [];
  for (const [, comment, literal, word, line, sign] of text.replaceAll(/\r\n?/g, '\n').matchAll(pattern)) {
    if (comment !== undefined) found.push({ kind: 'comment', text: comment });
    else if (literal !== undefined) found.push(...literalTokens(literal, found.at(-1), family));
    else if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (line !== undefined) found.push({ kind: 'break', text: String(line.length - 1) });
    else if (sign !== undefined) found.push({ kind: 'sign', text: sign });
  }
  return found;
}

/** Embedded code of a template or an f-string is code; deeper templates stay one token. */
function literalTokens(literal: string, before: SourceToken | undefined, family: TextFamily): readonly SourceToken[] {
  const isTemplate = literal.startsWith('`');
  const isFormat = before?.kind === 'word' && /^[rb]?f[rb]?$/i.test(before.text);
  if (!isTemplate && !isFormat) return [{ kind: 'literal', text: oneQuote(literal) }];
  const hole = isTemplate ? /\$\{([^{}`]*)\}/g : /\{([^{}]*)\}/g;
  const parts: SourceToken[] = [];
  let at = 0;
  for (const match of literal.matchAll(hole)) {
    parts.push({ kind: 'literal', text: oneQuote(literal.slice(at, match.index)) });
    parts.push(...tokenizeSource(match[1] ?? '', family));
    at = match.index + match[0].length;
  }
  return [...parts, { kind: 'literal', text: oneQuote(literal.slice(at)) }];
}

const oneQuote = (text: string): string => text.replace(/^(?:"""|'''|["'`])|(?:"""|'''|["'`])$/g, "'");
