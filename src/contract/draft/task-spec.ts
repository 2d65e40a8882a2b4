import { parseDocument } from 'yaml';
import { toOneLine } from '../../base/fault.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { PartialDraft } from '../contract-fields.ts';
import { draftFromKeys, fieldKeyOf } from './spec-keys.ts';
import type { SpecKeys } from './spec-keys.ts';
import { readMarkdown } from './spec-markdown.ts';

/** A spec that was read, and a notice on each part of it that is ignored. */
export interface SpecReading {
  readonly draft: PartialDraft;
  readonly notices: readonly string[];
}

/**
 * Reads a spec without a model: Markdown with known headings, with or without YAML front matter, or a whole YAML or
 * JSON file. Unknown parts are named; nothing is guessed.
 */
export function readSpec(written: string): Outcome<SpecReading, readonly string[]> {
  const text = written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const several = SEVERAL.exec(text)?.[1];
  if (several !== undefined)
    return failure([
      `${several}: this is a list of tasks, not a spec of one; write each as a spec of its own, or all as \`## Task 1: …\` in _handoff/PROPOSAL.md`,
    ]);
  const { front, body } = split(text);
  const keys = front === undefined ? success({}) : mapIn(front);
  if (!keys.ok) return keys;
  if ('schema_version' in keys.value)
    return failure([
      'this is a contract already, not a spec; check it with `andon contract lint` and drop it yourself',
    ]);
  const markdown = readMarkdown(body);
  const twice = Object.keys(markdown.keys).filter((key) => key in keys.value && key !== 'title' && key !== 'notes');
  const read = draftFromKeys({ ...markdown.keys, ...keys.value });
  const faults = [
    ...markdown.faults,
    ...twice.map((key) => `${toOneLine(key, 60)}: given twice, in front of the text and in it`),
    ...read.faults,
  ];
  if (faults.length > 0) return failure(faults);
  return success({
    draft: read.draft,
    notices: [...markdown.notices, ...read.notices, ...vagueRequirements(read.draft)],
  });
}

/** The beginning of task lists of other tools, in YAML or JSON. */
const SEVERAL = /^\s*(?:\{\s*)?["']?(tasks|stories|features|issues|items)["']?\s*:\s*(?:\[|\{|\n\s*-\s)/;

/**
 * A task id from a title: the same title makes the same id, so that one spec makes one task; undefined without a title.
 */
export function idOfTitle(title: string | undefined): string | undefined {
  const words = title
    ?.normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toUpperCase();
  return words === undefined || words === '' ? undefined : words.slice(0, 64).replace(/-+$/, '');
}

/** YAML front matter; or the whole file, when it is one map. */
function split(text: string): { readonly front: string | undefined; readonly body: string } {
  const [whole, front] = /^---[ \t]*\n([\s\S]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text) ?? [];
  if (whole !== undefined) return { front: front ?? '', body: text.slice(whole.length) };
  const [, first = ''] = /^(?:#[^\n]*\n|\s*\n)*([A-Za-z_]\w*):(?:\s|$)/.exec(text) ?? [];
  const isMap = /^\s*\{/.test(text) || (fieldKeyOf(first) !== undefined && !/^##/m.test(text));
  return isMap ? { front: text, body: '' } : { front: undefined, body: text };
}

function mapIn(front: string): Outcome<SpecKeys, readonly string[]> {
  const document = parseDocument(front, { strict: true, uniqueKeys: true, version: '1.2' });
  const [error] = [...document.errors, ...document.warnings];
  if (error) return failure([(error.message.split('\n')[0] ?? 'is not valid YAML').replace(/:$/, '')]);
  const value: unknown = document.toJS({ maxAliasCount: 20 }) ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return failure(['expected a map of keys']);
  return success(value as SpecKeys);
}

/** The requirements that cannot be checked, a sentence each. */
export function vagueRequirements({ requirements = [] }: PartialDraft): readonly string[] {
  return requirements
    .filter((one) => VAGUE.test(one) || one.trim().split(/\s+/).length < 2)
    .map((one) => `the requirement "${toOneLine(one, 60)}" is vague: it cannot be checked`);
}

const VAGUE =
  /^(?:please )?(?:make (?:it|this|everything) (?:better|nicer|faster|good)|improve(?: it)?|fix (?:it|this|everything|bugs)|clean ?up|refactor|optimi[sz]e|etc)\W*$/i;
