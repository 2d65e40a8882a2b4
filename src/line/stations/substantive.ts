/** A text with fewer letters and digits may match by coincidence. */
const FEWEST_SIGNS = 3;

/**
 * Whether a line is distinctive. A closing bracket, a blank, `else`, a lone import or a comment mark proves no reading:
 * nearly every file contains such a line.
 */
export function isSubstantive(line: string): boolean {
  const text = line.trim();
  if ((text.match(/[\p{L}\p{N}]/gu) ?? []).length < FEWEST_SIGNS && !/[\p{Script=Han}\p{Script=Hangul}]{2}/u.test(text))
    return false;
  return !isScaffolding(text) && !BOILERPLATE.some((shape) => shape.test(text));
}

/** Only block keywords: `} else {`, `end;`, `return;`, `finally:`. */
function isScaffolding(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.every((word) => SCAFFOLDING.has(word));
}

const SCAFFOLDING: ReadonlySet<string> = new Set(
  `else elif elsif elseif if then end endif fi do done begin try catch except finally ensure rescue loop while for esac
   case default switch break continue return pass yield null nil none undefined true false void public private
   protected static endfor endwhile endfunction endswitch next`
    .trim()
    .split(/\s+/),
);

/** Lines of every other file: lone imports, closing tags, shebangs, modes and marks. */
const BOILERPLATE: readonly RegExp[] = [
  /^import\s+(?:type\s+|static\s+)?(?:[\w*{}"'<(.@/$-]|,)+(?:[\s,{}*]+(?:as|from)?\s*[\w{}*"'./@<>:-]*)*;?\s*$/,
  /^from\s+\S+\s+import\b/,
  /^\}?\s*from\s+['"][^'"]*['"];?$/,
  /^#\s*include\b/,
  /^(?:using|namespace|package|open|module)\s+[\w.:\\]+;?\s*\{?$/,
  /^(?:pub\s+)?use\s+[\w:\\{}*, ]+;$/,
  /^extern\s+crate\s+\w+;$/,
  /^(?:(?:const|let|var)\s+[\w{}\s,:]+=\s*)?require(?:_relative|_once)?[\s(]+['"][^'"]*['"]\)?;?$/,
  /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})(?:\s+as\s+\w+)?\s+from\b/,
  /^@import\b|^@\w+$/,
  /^<\/?[\w:.-]+\s*\/?>$/,
  /^#!\//,
  /^<\?(?:php|xml)\b[^>]*(?:\?>)?$/,
  /^['"]use strict['"];?$/,
  /^<!doctype\b/i,
];
