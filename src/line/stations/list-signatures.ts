/** The lines of a file that declare what other files can use, methods and headings too; alike for every language. */
export function listSignatures(path: string, text: string, most = 24): readonly string[] {
  const heading = HEADINGS.find(({ endings }) => endings.test(path))?.heading;
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const found: string[] = [];
  for (let at = 0; at < lines.length && found.length < most; at += 1) {
    const line = (lines[at] ?? '').slice(0, LOOKED_AT).replace(/\r$/, '');
    if (heading !== undefined) {
      if (heading.test(line)) found.push(tidied(line));
    } else if (line.trim() !== '' && !REMARK.test(line) && !FLOW.test(line)) {
      const whole = closed(line, lines, at);
      if (DECLARES.some((pattern) => pattern.test(whole))) found.push(tidied(whole));
    }
  }
  return found;
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
/** Lines that only look like a declaration; a method may have the name of some of these words. */
const FLOW =
  /^[^(]*,$|^\s*(?:\}?\s*else\b|(?:if|elif|for|foreach|while|switch|catch|return|throw|try|await|yield|case|using|sizeof|typeof|super|this)\b|(?:with|raise|do|new|del|import|from|lock|assert|print|puts|echo)\b(?!\()|function\s*\()/;

const HEADINGS = [
  { endings: /\.(?:md|mdx|markdown)$/i, heading: /^#{1,4} \S/ },
  { endings: /\.(?:rst|adoc)$/i, heading: /^={1,4} \S/ },
];

const DECLARES: readonly RegExp[] = [
  /^export\b/,
  /^(?:module\.)?exports\b.*=/,
  /^#\s*define \w+\(/,
  /^\s*create (?:or replace )?(?:table|view|index|function|procedure|type|trigger|schema) /i,
  /^macro_rules!/,
  // A keyword behind modifiers.
  /^\s{0,8}(?:[a-z]+(?:\([^)]*\)| "[^"]*")? ){0,6}(?:@?interface|class|enum|record|struct|object|union|trait|protocol|extension|namespace|module|defmodule|mod|impl|type|typedef|template|def|defp|fun|func|fn|function\*?|init|macro|message|service|rpc|input|query|mutation)[ <(]\s*[\w$<(&*]/,
  // A constant.
  /^\s*(?:pub(?:\([^)]*\))? )?(?:const|static) [A-Z_]+:|^[A-Z][A-Z0-9_]+\s*(?::[^=]+)?=(?!=)/,
  // A method: a name and its parameters, indented, with a body, or with a type behind them.
  /^[ \t]{1,8}(?:(?:public|private|protected|static|readonly|override|abstract|async|get|set) |\*\s?)*#?[\w$]+\??\s*(?:<[^<>()]*>)?\(.*\)(?:(?:: [^{};]+)?\s*\{|: [^{};]+;$)/,
  /^\t[A-Z]\w*\([^)]*\)[^{=]*$/,
  // A function behind its type.
  /^\s{0,8}(?=[A-Za-z_])(?:[\w:<>[\],?.]+[\s*&]+){1,6}~?[\w:]+\([^;=]*\)\s*(?:const|noexcept|override|= 0|throws [\w, .]+)?\s*[{;]?\s*$/,
  /^[A-Za-z_][\w:<>,*& ]*[\s*&]~?[\w:]+\([^;]*,\s*$/,
  /^(?:function )?[\w-]+\s*\(\)/,
];
