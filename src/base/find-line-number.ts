/**
 * The 1-based line of a position in a text. The line starts of the last text are cached, so each position costs a
 * binary search.
 */
export function findLineNumber(text: string, at: number): number {
  if (last.text !== text) last = { text, starts: lineStarts(text) };
  const { starts } = last;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(low, 1);
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

let last: { readonly text: string; readonly starts: readonly number[] } = { text: '', starts: [0] };
