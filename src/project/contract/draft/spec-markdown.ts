import { toOneLine } from '../../../base/fault.ts';
import { toLatinLetters } from '../../../base/to-latin-letters.ts';
import type { FieldKey, PartialDraft } from '../contract-fields.ts';
import { findField, parseFieldValue } from './field-text.ts';
import {
  isTemplateText,
  readListItems,
  sectionsOf,
  stripBold,
  type SpecRow,
  type SpecSection,
} from './markdown-sections.ts';
import { failure, success, type Outcome } from '../../../base/outcome.ts';

/** The fields that a heading may name: the last one has text below it, the others lists. */
const SECTIONS = [
  ...(['requirements', 'acceptance_criteria', 'allowed_paths', 'forbidden_paths', 'source_files'] as const),
  ...(['target_file', 'gates', 'after', 'notes'] as const),
];
/** Their items are kept word for word. */
const SENTENCES: readonly FieldKey[] = ['requirements', 'acceptance_criteria'];

/** Reads the headings, lists and fields of a Markdown spec; an empty section sets nothing. */
export function readMarkdown(body: string): {
  readonly draft: PartialDraft;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
} {
  const draft: Record<string, unknown> = {};
  const faults: string[] = [];
  const notices: string[] = [];
  const unread: string[] = [];
  const put = (name: string, texts: readonly string[]): void => {
    const field = findField(name);
    if (field === undefined) return;
    const read = parseFieldValue(field, texts);
    if (field.key in draft) faults.push(`${field.key}: given twice`);
    else if (read.ok) draft[field.key] = read.value;
    else faults.push(`${field.key}: ${read.why}`);
  };
  for (const { level, heading, rows } of mergeSubheadings(sectionsOf(body))) {
    const shown = `"${toOneLine(heading, 60)}"`;
    const section = sectionKeyOf(heading);
    const isTitle = level === 1 && section === undefined && draft['title'] === undefined && titleIn(heading) !== '';
    if (isTitle) draft['title'] = titleIn(heading);
    const fields = section === 'notes' ? [] : rows.flatMap((row) => readField(row, section !== undefined) ?? []);
    for (const { name, value } of fields) {
      if (findField(name)?.key === 'after')
        put(name, isTemplateText(value) ? [] : value.split(',').map((one) => one.replace(/^[`\s]+|[`\s]+$/g, '')));
      else if (findField(name) !== undefined && !isTemplateText(value)) put(name, [value]);
      else if (findField(name) !== undefined) continue;
      else if (/^(?:constraints|limits)$/.test(plainHeading(heading)))
        faults.push(`${toOneLine(name, 60)}: is not a known constraint`);
      else notices.push(`"${toOneLine(name, 60)}" is not read`);
    }
    const others = rows.filter((row) => !fields.some((one) => one.row === row));
    const text = others
      .map((row) => row.text)
      .join('\n')
      .trim();
    if (section === undefined) {
      if (level > 0 && !isTitle && fields.length === 0 && text !== '') unread.push(shown);
      continue;
    }
    const { items, isPartial } = readListItems(others);
    if (section === 'notes' && text !== '') put(section, [text]);
    else if (section === 'target_file' && items.length === 0 && !text.includes('\n') && !isTemplateText(text))
      put(section, [text]);
    else if (items.length === 0)
      notices.push(`the section ${shown} is empty${text === '' ? '' : ': its text is no list, so it is not read'}`);
    else {
      if (isPartial) notices.push(`in the section ${shown} only the list is read, and not the text beside it`);
      put(section, SENTENCES.includes(section) ? items : items.map((item) => item.replace(/\s*\n\s*/g, ' ')));
    }
  }
  if (unread.length > 0) {
    const known = SECTIONS.map((key) => capitalise(key.replaceAll('_', ' ')));
    const [sections, are] = unread.length === 1 ? ['the section', 'is'] : ['the sections', 'are'];
    notices.push(
      `${sections} ${unread.slice(0, 8).join(', ')} ${are} not read; known headings are ${known.join(', ')}`,
    );
  }
  return { draft, faults, notices };
}

/** Text below a deeper heading belongs to the nearest known section above it. */
function mergeSubheadings(sections: readonly SpecSection[]): readonly SpecSection[] {
  const merged: SpecSection[] = [];
  for (const section of sections) {
    const above = merged.at(-1);
    const isPart = above !== undefined && isKnown(above) && section.level > above.level && !isKnown(section);
    if (isPart) merged[merged.length - 1] = { ...above, rows: [...above.rows, BLANK, ...section.rows] };
    else merged.push(section);
  }
  return merged;
}

const BLANK: SpecRow = { text: '', isCode: false };

const isKnown = ({ level, heading }: SpecSection): boolean => level > 0 && sectionKeyOf(heading) !== undefined;

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const titleIn = (heading: string): string =>
  stripBold(heading).replace(/^(?:proposal|spec|specification|task)\s*:\s*/i, '');

/** The field that a heading names, by any of its names; undefined of another heading. */
function sectionKeyOf(heading: string): FieldKey | undefined {
  const key = findField(plainHeading(heading))?.key;
  return SECTIONS.find((one) => one === key);
}

/** Whether any heading or field of the text is known in specs, even an empty one. */
export const isStructured = (body: string): boolean =>
  sectionsOf(body).some(
    (section) =>
      isKnown(section) || section.rows.some((row) => findField(readField(row, false)?.name ?? '') !== undefined),
  );

/** `## 3. **Source Files**` is `source files`. */
const plainHeading = (heading: string): string =>
  stripBold(heading)
    .replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')
    .replace(/[:.]+$/, '')
    .toLowerCase();

const BOLD_FIELD = /^ {0,3}(?:[-*+]\s+)?\*\*([^*:]{1,60}):?\*\*:?\s*(.*)$/;
const PLAIN_FIELD = /^ {0,3}(?:[-*+]\s+)?([A-Za-z][\w -]{0,40}):\s+(.*)$/;

/**
 * Reads a field: `**Allowed paths:** …`, in a list or without bold marks. In a known section (`isInSection`) only a known
 * field that begins its line counts: the section has text of its own.
 */
function readField(row: SpecRow, isInSection: boolean) {
  if (row.isCode || (isInSection && !row.text.startsWith('**'))) return undefined;
  const bold = BOLD_FIELD.exec(row.text);
  const [, name = '', value = ''] = bold ?? PLAIN_FIELD.exec(row.text) ?? [];
  const isKnownField = findField(name) !== undefined;
  if (isInSection ? !isKnownField || value.trim() === '' : bold === null && !isKnownField) return undefined;
  return { row, name: name.trim(), value: value.trim() };
}

/** A spec that was read, and a notice on each part of it that is ignored. */
export interface SpecReading {
  readonly draft: PartialDraft;
  readonly notices: readonly string[];
}

/** Reads a spec without a model: Markdown with known headings and fields. Unknown parts are named; nothing is guessed. */
export function readSpec(written: string): Outcome<SpecReading, readonly string[]> {
  const text = written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  if (isData(text))
    return failure([
      /["']?schema_version["']?\s*:/.test(text)
        ? 'this is a contract already, not a spec; check it with `andon contract lint` and drop it yourself'
        : 'YAML, JSON and front matter are not read; write Markdown with headings such as `## Requirements` (or `## Task 1: title` for each of several) and fields such as `**Complexity:** minor`',
    ]);
  const { draft, faults, notices } = readMarkdown(text);
  return faults.length > 0 ? failure(faults) : success({ draft, notices: [...notices, ...vagueRequirements(draft)] });
}

/** Whether a text is JSON, begins with front matter, or is YAML with a known key. */
function isData(text: string): boolean {
  const [, key = ''] = /^(?:#[^\n]*\n|\s*\n)*([A-Za-z_]\w*):(?:\s|$)/.exec(text) ?? [];
  const isKey = findField(key) !== undefined || key === 'tasks';
  return /^(?:\s*\{|---[ \t]*\n)/.test(text) || (isKey && !/^##/m.test(text));
}

/**
 * A task id from a title: the same title makes the same id, so one spec makes one task; undefined without a title.
 */
export function idOfTitle(title: string | undefined): string | undefined {
  const words = toLatinLetters(title ?? '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toUpperCase();
  return words === '' ? undefined : words.slice(0, 64).replace(/-+$/, '');
}

/** The requirements that cannot be checked, a sentence each. */
export function vagueRequirements({ requirements = [] }: PartialDraft): readonly string[] {
  return requirements
    .filter((one) => VAGUE.test(one) || one.trim().split(/\s+/).length < 2)
    .map((one) => `the requirement "${toOneLine(one, 60)}" is vague: it cannot be checked`);
}

const VAGUE =
  /^(?:please )?(?:make (?:it|this|everything) (?:better|nicer|faster|good)|improve(?: it)?|fix (?:it|this|everything|bugs)|clean ?up|refactor|optimi[sz]e|etc)\W*$/i;
