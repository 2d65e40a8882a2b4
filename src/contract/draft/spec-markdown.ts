import { toOneLine } from '../../base/fault.ts';
import { fieldKeyOf, isSpecKey } from './spec-keys.ts';
import type { SpecKeys } from './spec-keys.ts';
import { readListItems, outsideCode, wholeItemsIn } from './markdown-lists.ts';
import { isTemplateText, findSpecPaths } from './spec-paths.ts';

/** Reads the headings and lists of a Markdown spec into keys; an empty section stays empty. */
export function readMarkdown(body: string): {
  readonly keys: SpecKeys;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
} {
  const keys: Record<string, unknown> = {};
  const faults: string[] = [];
  const notices: string[] = [];
  const unknown: string[] = [];
  const put = (key: string, value: unknown): void => {
    if (key in keys) faults.push(`${key}: said twice`);
    else keys[key] = value;
  };
  for (const { level, heading, rows: written } of withSubheadings(sectionsOf(body))) {
    const section = fieldOf(heading);
    if (level === 1 && section === undefined && keys['title'] === undefined) {
      const title = titleIn(heading);
      if (title !== '') keys['title'] = title;
    }
    if (section === undefined) {
      const fields = fieldsIn(written);
      for (const { key, value } of fields) {
        if (isSpecKey(key)) put(...field(key, value, faults));
        else if (/^(?:constraints|limits)$/.test(named(heading)))
          faults.push(`${toOneLine(key, 60)}: is not a known constraint`);
        else notices.push(`"${toOneLine(key, 60)}" is not read`);
      }
      const isTitle = level === 1 && keys['title'] === titleIn(heading);
      if (level > 0 && !isTitle && fields.length === 0 && written.some((row) => row.trim() !== ''))
        unknown.push(`"${toOneLine(heading, 60)}"`);
      continue;
    }
    const holds = SECTIONS[section];
    const { fields, rows } = holds === 'text' ? { fields: [], rows: written } : withoutFields(written);
    for (const { key, value } of fields) put(...field(key, value, faults));
    const { items, isPartial } =
      holds === 'sentences' ? wholeItemsIn(rows) : { items: readListItems(rows), isPartial: false };
    if (isPartial && items.length > 0)
      notices.push(`in the section "${toOneLine(heading, 60)}" only the list is read, and not the text beside it`);
    if (items.length === 0 && section === 'target_file') items.push(...onlyLine(rows));
    if (holds === 'text' ? rows.join('').trim() === '' : items.length === 0)
      notices.push(
        `the section "${toOneLine(heading, 60)}" is empty${rows.join('').trim() === '' ? '' : ': its text is no list, so it is not read'}`,
      );
    else if (holds === 'text') put(section, rows.join('\n').trim());
    else if (holds === 'sentences') put(section, items);
    else {
      const found = holds === 'paths' ? items.flatMap((item) => namedPaths(item, heading, faults)) : items;
      if (section === 'target_file' && found.length > 1)
        faults.push(`${toOneLine(heading, 60)}: more than one target file`);
      else if (found.length > 0) put(section, section === 'target_file' ? found[0] : found);
    }
  }
  if (unknown.length > 0)
    notices.push(
      `${unknown.length === 1 ? 'the section' : 'the sections'} ${unknown.slice(0, 8).join(', ')} ${unknown.length === 1 ? 'is' : 'are'} not read; known headings are ${Object.keys(SECTIONS).map(shownAs).join(', ')}`,
    );
  return { keys, faults, notices };
}

/** Text below a deeper heading belongs to the nearest known section above it. */
function withSubheadings(sections: readonly Section[]): readonly Section[] {
  const merged: Section[] = [];
  for (const section of sections) {
    const above = merged.at(-1);
    const isPart = above !== undefined && isKnown(above) && section.level > above.level && !isKnown(section);
    if (isPart) merged[merged.length - 1] = { ...above, rows: [...above.rows, '', ...section.rows] };
    else merged.push(section);
  }
  return merged;
}

const isKnown = ({ level, heading }: Section): boolean => level > 0 && fieldOf(heading) !== undefined;

/** `allowed_paths` as a heading. */
const shownAs = (key: string): string => `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll('_', ' ')}`;

const titleIn = (heading: string): string =>
  stripBold(heading).replace(/^(?:proposal|spec|specification|task)\s*:\s*/i, '');

/** A heading with its lines; level 0 is the text before the first one. */
interface Section {
  readonly level: number;
  readonly heading: string;
  readonly rows: readonly string[];
}

/** The fields that a heading may name, and the content below it. */
const SECTIONS = {
  requirements: 'sentences',
  acceptance_criteria: 'sentences',
  allowed_paths: 'paths',
  forbidden_paths: 'paths',
  source_files: 'paths',
  target_file: 'paths',
  gates: 'lines',
  after: 'lines',
  notes: 'text',
} as const;
type SectionKey = keyof typeof SECTIONS;

/** The field that a heading names, by any of its names; undefined of another heading. */
const fieldOf = (heading: string): SectionKey | undefined =>
  (Object.keys(SECTIONS) as SectionKey[]).find((key) => key === fieldKeyOf(named(heading)));

/** Whether any heading or field of the text is known in specs, even an empty one. */
export const isStructured = (body: string): boolean =>
  sectionsOf(body).some(
    ({ level, heading, rows }) => isKnown({ level, heading, rows }) || fieldsIn(rows).some(({ key }) => isSpecKey(key)),
  );

/** `## 3. **Source Files**` is `source files`. */
const named = (heading: string): string =>
  stripBold(heading)
    .replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')
    .replace(/[:.]+$/, '')
    .toLowerCase();

/** A heading without bold marks; `__init__.py` and globs such as `src/**` are kept. */
export const stripBold = (text: string): string =>
  text
    .replace(/(^|[\s(])\*\*(?=[^\s*/])([^*]+)\*\*(?=$|[\s).,:;!?])/g, '$1$2')
    .replace(/^__([^_].*[^_])__$/, '$1')
    .trim();

/** The sections of a Markdown text in order; headings in code are ignored, comments removed. */
export function sectionsOf(body: string): readonly Section[] {
  const sections: { level: number; heading: string; rows: string[] }[] = [{ level: 0, heading: '', rows: [] }];
  let fence: string | undefined;
  for (const row of body.replace(/<!--[\s\S]*?(?:-->|$)/g, '').split('\n')) {
    const [, opened] = /^\s{0,3}(`{3,}|~{3,})/.exec(row) ?? [];
    if (opened !== undefined) {
      if (fence === undefined) fence = opened;
      else if (opened.startsWith(fence)) fence = undefined;
    }
    const [, marks, heading] = (fence === undefined && /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(row)) || [];
    if (marks === undefined) sections.at(-1)?.rows.push(row);
    else sections.push({ level: marks.length, heading: heading ?? '', rows: [] });
  }
  return sections;
}

/** A section for one path may hold it as a line of text. */
function onlyLine(rows: readonly string[]): readonly string[] {
  const written = rows.map((row) => row.trim()).filter((row) => !isTemplateText(row));
  return written.length === 1 ? written : [];
}

interface Field {
  readonly key: string;
  readonly value: string;
}

/** The lines of a section without the bold fields at the beginning of lines. */
function withoutFields(written: readonly string[]): {
  readonly fields: readonly Field[];
  readonly rows: readonly string[];
} {
  const fields: Field[] = [];
  const rows: string[] = [];
  let isCode = false;
  for (const row of written) {
    if (/^\s*(?:`{3,}|~{3,})/.test(row)) isCode = !isCode;
    const [one] = !isCode && row.startsWith('**') ? fieldsIn([row]) : [];
    if (one !== undefined && one.value !== '' && isSpecKey(one.key)) fields.push(one);
    else rows.push(row);
  }
  return { fields, rows };
}

/** `**Allowed paths:** …`, with or without a list mark or the stars. */
function fieldsIn(rows: readonly string[]): readonly Field[] {
  return outsideCode(rows).flatMap((row) => {
    const [, bold, boldValue] = /^\s*(?:[-*+]\s+)?\*\*([^*:]{1,60}):?\*\*:?\s*(.*)$/.exec(row) ?? [];
    if (bold !== undefined) return [{ key: bold.trim(), value: (boldValue ?? '').trim() }];
    const [, key, value] = /^\s*(?:[-*+]\s+)?([A-Za-z][\w -]{0,40}):\s+(.*)$/.exec(row) ?? [];
    return key === undefined || !isSpecKey(key) ? [] : [{ key, value: (value ?? '').trim() }];
  });
}

function field(key: string, value: string, faults: string[]): [string, unknown] {
  const name = key.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  if (name === 'after') return [name, isTemplateText(value) ? [] : value.split(',').map((one) => unquoted(one.trim()))];
  if (isTemplateText(value)) return [name, null];
  if (/paths?$|^(?:allow|forbid|source)/.test(name) && !/delet/.test(name))
    return [name, namedPaths(value, key, faults)];
  return [name, unquoted(value)];
}

const unquoted = (text: string): string => text.replace(/^`(.*)`$/, '$1');

function namedPaths(text: string, where: string, faults: string[]): readonly string[] {
  const { paths, faults: found } = findSpecPaths(text);
  faults.push(...found.map((fault) => `${toOneLine(where, 60)}: ${fault}`));
  return paths;
}
