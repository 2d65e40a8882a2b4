/** The lines of a text by number, minus those of another text, counted with repetition. */
export function listNewLines(
  before: string,
  after: string,
): readonly { readonly line: number; readonly text: string }[] {
  const known = new Map<string, number>();
  for (const text of linesOf(before)) known.set(text, (known.get(text) ?? 0) + 1);
  return linesOf(after).flatMap((text, at) => {
    const left = known.get(text) ?? 0;
    if (left > 0) known.set(text, left - 1);
    return left > 0 ? [] : [{ line: at + 1, text }];
  });
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
