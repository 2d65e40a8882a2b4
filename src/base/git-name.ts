/** Unquotes a name that git wrote with quotes, control characters or letters beyond ASCII. */
export function unquoteGitName(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  const plain: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };
  for (const [piece] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(piece)) bytes.push(Number.parseInt(piece.slice(1), 8));
    else if (piece.startsWith('\\')) bytes.push(plain[piece.slice(1)] ?? piece.charCodeAt(1));
    else bytes.push(...new TextEncoder().encode(piece));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
