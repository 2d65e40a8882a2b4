interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
  /** Written as `import(…)`: loaded on demand. */
  readonly later: boolean;
}

/** The imports of a file: static, re-exporting, for their effect, and dynamic. */
export function importsOf(text: string): Import[] {
  const code = withoutComments(text);
  const found: Import[] = [];
  for (const match of code.matchAll(/(?:^|[\n;])\s*(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]/g))
    found.push({ from: match[2] ?? '', typeOnly: match[1] !== undefined, later: false });
  for (const match of code.matchAll(/(?:^|[\n;])\s*import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g))
    found.push({ from: match[1] ?? match[2] ?? '', typeOnly: false, later: match[1] === undefined });
  return found;
}

/** Comments may name anything; strings stay, because imports are strings. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g,
    (_, kept: string | undefined) => kept ?? '',
  );
}
