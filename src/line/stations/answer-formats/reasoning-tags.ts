/** The line after a thought that opens at `at`; `at` if none opens, undefined if it never ends. */
export function findReasoningEnd(lines: string[], at: number, isFirst: boolean): number | undefined {
  const start = (lines[at] ?? '').trimStart();
  const tag = /^<(think|thinking|thought|reasoning)>/i.exec(start)?.[1];
  if (tag === undefined && !(isFirst && start.startsWith('Thinking...'))) return at;
  const closing = tag === undefined ? '...done thinking.' : `</${tag.toLowerCase()}>`;
  for (let line = at; line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    const end = text.toLowerCase().lastIndexOf(closing);
    if (end === -1) continue;
    lines[line] = text.slice(end + closing.length); // the rest of the line belongs to the answer
    return lines[line] === '' ? line + 1 : line;
  }
  return tag === undefined ? at : undefined;
}

/** Some templates open the thought themselves, so that the answer contains only its end. */
export function withoutOpenThought(lines: string[]): string[] {
  const end = lines.findIndex((line) => /<\/?think>/.test(line));
  return lines[end]?.trim() === '</think>' ? lines.slice(end + 1) : lines;
}
