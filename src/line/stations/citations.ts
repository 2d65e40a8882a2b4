import { citedPath } from './desk.ts';
import type { WeighQuote } from './evidence.ts';
import { isSubstantive } from './substantive.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { Citation } from '../../record/panel.ts';

/** A place as a reviewer writes it. */
interface WrittenPlace {
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly quote?: string | null | undefined;
}

/**
 * Looks a citation up: the file must be one of the tree or the change, and the quoted words must stand in it. A line that
 * is off is put right where the words stand elsewhere in that file; words that stand on any page cite nothing.
 */
export function lookUp(written: WrittenPlace, weigh: WeighQuote): Outcome<Citation, string> {
  const [file, quote] = [written.file?.trim() ?? '', written.quote?.trim() ?? ''];
  if (file === '' || quote === '') return failure('it cites no file and quoted line');
  if (!quote.split('\n').some(isSubstantive)) return failure('what it quotes stands on any page');
  const line = typeof written.line === 'number' && written.line > 0 ? written.line : null;
  const there = weigh({ file, line, quote });
  const found = there.found ? there : weigh({ file, line: null, quote });
  if (!found.found) return failure(found.why);
  return success({ file: citedPath(file), line: found.line, quote: quote.slice(0, LONGEST_QUOTE) });
}

/** More of a quote is not kept. */
const LONGEST_QUOTE = 500;

/**
 * The same for what contradicts somebody else's finding. A comment is no witness: what code says of itself may have been
 * written to be quoted.
 */
export function lookUpAgainst(written: WrittenPlace, weigh: WeighQuote): Outcome<Citation, string> {
  const found = lookUp(written, weigh);
  if (!found.ok) return found;
  const { file, quote } = found.value;
  return quote.split('\n').every((line) => line.trim() === '' || isComment(line, file))
    ? failure('it quotes only a comment, which shows nothing')
    : found;
}

/** Whether a line is nothing but a comment, as most languages write one; of prose, what a page does not show. */
function isComment(line: string, file: string): boolean {
  const text = line.trim().replace(/^[+-]\s*/, '');
  if (/\.(?:md|markdown|txt|rst|adoc)$/i.test(file)) return text.startsWith('<!--');
  return /^(?:\/\/|\/\*|\*|#(?!include|define|if|else|endif)|--\s|<!--|;|%|"""|''')/.test(text);
}
