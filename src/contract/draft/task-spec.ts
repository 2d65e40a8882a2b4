import { toOneLine } from '../../base/fault.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { PartialDraft } from '../contract-fields.ts';
import { findField } from './field-text.ts';
import { readMarkdown } from './spec-markdown.ts';

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
  const words = title
    ?.normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toUpperCase();
  return words === undefined || words === '' ? undefined : words.slice(0, 64).replace(/-+$/, '');
}

/** The requirements that cannot be checked, a sentence each. */
export function vagueRequirements({ requirements = [] }: PartialDraft): readonly string[] {
  return requirements
    .filter((one) => VAGUE.test(one) || one.trim().split(/\s+/).length < 2)
    .map((one) => `the requirement "${toOneLine(one, 60)}" is vague: it cannot be checked`);
}

const VAGUE =
  /^(?:please )?(?:make (?:it|this|everything) (?:better|nicer|faster|good)|improve(?: it)?|fix (?:it|this|everything|bugs)|clean ?up|refactor|optimi[sz]e|etc)\W*$/i;
