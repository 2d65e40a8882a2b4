import { formatLocalTime, withLocalTimes } from '../../base/local-time.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import { measureWidth, wrapText } from '../../base/text-width.ts';
import type { Digest } from './digest.ts';
import {
  outlineDigest,
  type OutlineItem,
  type OutlineOptions,
  type Section,
  type OutlineCommand,
} from './outline-digest.ts';

export interface Row {
  readonly tone: 'head' | 'good' | 'bad' | 'plain';
  readonly text: string;
}

/** The digest as lines of at most this width; longer commands continue after a `\`. */
export function renderText(
  digest: Digest,
  manner: Omit<OutlineOptions, 'when' | 'whenDated'>,
  width = 80,
): readonly Row[] {
  const now = new Date(digest.to);
  const { lead, sections } = outlineDigest(digest, {
    ...manner,
    when: (at) => formatLocalTime(at, now),
    whenDated: (at) => formatLocalTime(at, now, { day: true }),
  });
  const fold = (text: string, first: number, rest = first): readonly string[] =>
    hanging(withLocalTimes(toSingleLine(text), now), width, first, rest);
  return [...fold(lead, 0).map(plain), ...sections.flatMap((section) => sectionRows(section, fold, width))];
}

type Fold = (text: string, first: number, rest?: number) => readonly string[];

function sectionRows({ title, items }: Section, fold: Fold, width: number): readonly Row[] {
  if (items.length === 0) return [plain(''), { tone: 'head', text: `${title}: nothing.` }];
  const rows = items.flatMap((item, at) => [
    ...(at > 0 && item.ways.length > 1 ? [plain('')] : []),
    ...itemRows(item, fold, width),
  ]);
  return [plain(''), { tone: 'head', text: title }, ...rows];
}

function itemRows({ name, text, tone, lines, ways }: OutlineItem, fold: Fold, width: number): readonly Row[] {
  const head = name === '' ? text : `${name}: ${text}`;
  return [
    ...fold(head, 2, 4).map((text): Row => ({ tone, text })),
    ...lines.flatMap((line) => fold(line, 4, 6)).map(plain),
    ...ways.flatMap((way) => renderCommandRows(way, ways.length > 1, fold, width)),
  ];
}

/** A single option needs only its command, unless its title leads into it. */
function renderCommandRows(
  { title, commands }: OutlineCommand,
  isOneOfSeveral: boolean,
  fold: Fold,
  width: number,
): readonly Row[] {
  const shown = isOneOfSeveral || title.endsWith(':') || title.includes(' Type it in ') ? fold(title, 4, 6) : [];
  return [...shown, ...typed(commands, width)].map(plain);
}

/** Commands in lines that can be pasted: a continued line ends in `&&` or in a backslash. */
function typed(commands: readonly string[], width: number): readonly string[] {
  return commands.flatMap((command, at) => {
    const indent = at === 0 ? 6 : 8;
    const joined = at < commands.length - 1 ? `${command} &&` : command;
    if (measureWidth(joined) + indent <= width) return [`${' '.repeat(indent)}${joined}`];
    return splitCommand(joined, width - 2).map((part) => `  ${part}`);
  });
}

/** A command too long for one line, broken between its words; quoted words stay whole. */
function splitCommand(command: string, width: number): readonly string[] {
  const parts: string[] = [];
  for (const word of command.split(/['"]/.test(command) ? / (?=--)/ : ' ')) {
    const last = parts.at(-1);
    if (last !== undefined && measureWidth(`${last} ${word}`) <= width - 2) parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts.map((part, at) => (at < parts.length - 1 ? `${part} \\` : part));
}

function hanging(text: string, width: number, first: number, rest: number): readonly string[] {
  const [head = '', ...more] = wrapText(text.replaceAll('##[', '## ['), width - Math.max(first, rest));
  return [`${' '.repeat(first)}${head}`, ...more.map((line) => `${' '.repeat(rest)}${line}`)].map(escapeOrderMark);
}

/** Prevents that a broken line reads as a command to a machine that keeps the log. */
const escapeOrderMark = (line: string): string => line.replace(/^(?: (?= *::))?( *)::/, '$1: :');

const plain = (text: string): Row => ({ tone: 'plain', text });
