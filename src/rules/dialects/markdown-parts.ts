/** The parts of a Markdown file that holds a rule; what is not there is undefined. */
export interface MarkdownParts {
  /** The YAML between the two lines `---` at the start: from the second line on. */
  readonly front: string | undefined;
  /** Whether front matter begins and nothing ends it. */
  readonly isFrontOpen: boolean;
  /** The YAML of fenced blocks marked `rulebound` or `andon`. */
  readonly blocks: readonly { readonly text: string; readonly line: number }[];
  readonly heading: string | undefined;
  /** The prose: without front matter and without code. */
  readonly body: string;
  /** List items of the first level, with their lines. */
  readonly bullets: readonly { readonly text: string; readonly line: number; readonly under: string }[];
}

export function splitMarkdown(written: string): MarkdownParts {
  const text = written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  const end =
    lines[0]?.trimEnd() === '---' ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) : -1;
  const front = end === -1 ? undefined : lines.slice(1, end).join('\n');
  // A first line of `---` above prose is only a rule across the page.
  const isFrontOpen = end === -1 && lines[0]?.trimEnd() === '---' && /^[\w-]+\s*:/.test(lines[1] ?? '');
  return { front, isFrontOpen, ...readBody(lines, end + 1) };
}

function readBody(
  lines: readonly string[],
  from: number,
): Pick<MarkdownParts, 'blocks' | 'heading' | 'body' | 'bullets'> {
  const blocks: { text: string; line: number }[] = [];
  const bullets: { text: string; line: number; under: string }[] = [];
  const prose: string[] = [];
  let heading: string | undefined;
  let under = '';
  /** The last line of the last list item. */
  let itemEnd = -1;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = /^\s{0,3}(`{3,}|~{3,})\s*([\w-]*)/.exec(line);
    if (fence !== null) {
      const close = closingFence(lines, at + 1, fence[1] ?? '```');
      const inside = lines.slice(at + 1, close);
      if (fence[2] === 'rulebound' || fence[2] === 'andon') blocks.push({ text: inside.join('\n'), line: at + 2 });
      at = close;
      continue;
    }
    prose.push(line);
    const title = /^#{1,6}\s+(\S.*)$/.exec(line.slice(0, 500))?.[1]?.replace(/[\s#]+$/, '');
    if (title !== undefined && title !== '') {
      heading ??= title;
      under = title;
    }
    const item = /^ {0,3}(?:[-*+]|\d{1,3}[.)])\s+(.+)$/.exec(line)?.[1];
    const last = bullets.at(-1);
    if (item !== undefined) bullets.push({ text: item.trim(), line: at + 1, under });
    else if (last !== undefined && itemEnd === at - 1 && /^\s{2,}[^\s*+-]/.test(line))
      bullets[bullets.length - 1] = { ...last, text: `${last.text} ${line.trim()}` };
    else continue;
    itemEnd = at;
  }
  return { blocks, heading, body: prose.join('\n').trim(), bullets };
}

function closingFence(lines: readonly string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trim();
    if (line.startsWith(fence) && /^[`~]+$/.test(line)) return at;
  }
  return lines.length;
}
