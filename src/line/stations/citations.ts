import { toProjectPath } from './desk.ts';
import type { WeighQuote } from './evidence.ts';
import { isSubstantive } from './substantive.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Citation } from '../../record/panel.ts';

interface WrittenPlace {
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly quote?: string | null | undefined;
}

/**
 * Verifies a citation: the file must be in the tree or the change, and contain the quote. A wrong line is corrected
 * where the quote is elsewhere in that file; a quote that fits any file cites nothing.
 */
export function lookUp(written: WrittenPlace, weigh: WeighQuote): Outcome<Citation, string> {
  const [file, quote] = [written.file?.trim() ?? '', written.quote?.trim() ?? ''];
  if (file === '' || quote === '') return failure('it cites no file and quoted line');
  if (!quote.split('\n').some(isSubstantive)) return failure('its quote fits any file');
  const line = typeof written.line === 'number' && written.line > 0 ? written.line : null;
  const there = weigh({ file, line, quote });
  const found = there.found ? there : weigh({ file, line: null, quote });
  if (!found.found) return failure(found.why);
  return success({ file: toProjectPath(file), line: found.line, quote: quote.slice(0, LONGEST_QUOTE) });
}

/** Longer quotes are cut. */
const LONGEST_QUOTE = 500;

/**
 * The same for a citation that contradicts a finding. A comment does not count: code can contain comments written to be
 * quoted.
 */
export function lookUpAgainst(written: WrittenPlace, weigh: WeighQuote): Outcome<Citation, string> {
  const found = lookUp(written, weigh);
  if (!found.ok) return found;
  const { file, quote } = found.value;
  return quote.split('\n').every((line) => line.trim() === '' || isComment(line, file))
    ? failure('it quotes only a comment, which shows nothing')
    : found;
}

/** Whether a line is only a comment, in most languages; in prose, an invisible one. */
function isComment(line: string, file: string): boolean {
  const text = line.trim().replace(/^[+-]\s*/, '');
  if (/\.(?:md|markdown|txt|rst|adoc)$/i.test(file)) return text.startsWith('<!--');
  return /^(?:\/\/|\/\*|\*|#(?!include|define|if|else|endif)|--\s|<!--|;|%|"""|''')/.test(text);
}
