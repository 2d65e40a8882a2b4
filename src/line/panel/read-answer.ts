import { failure, success, type Outcome } from '../../base/outcome.ts';
import { readFinding } from '../../record/finding.ts';
import type { CitedFinding, Dropped, Position } from '../../record/review.ts';
import {
  spokenFirstSchema,
  spokenPlaceSchema,
  spokenPositionSchema,
  spokenSecondSchema,
} from '../../record/panel-answer.ts';
import { type WeighQuote, lookUp, lookUpAgainst } from '../stations/evidence.ts';
import { findJsonObjects } from '../stations/json-objects.ts';
import type { NumberedFinding } from './settle.ts';

/** The first-round findings with verified citations. */
interface FirstAnswer {
  readonly verdict: 'PASS' | 'FAIL';
  readonly findings: readonly CitedFinding[];
  readonly dropped: readonly Dropped[];
}

/** The valid part of a second-round answer. */
interface SecondAnswer {
  readonly positions: readonly Position[];
  readonly dropped: readonly Dropped[];
}

/** More findings in one answer are noise; the rest is dropped and counted. */
const MOST_FINDINGS = 100;

/** Parses a first-round answer. Anything but exactly one opinion is unreadable; a finding without a citation is dropped. */
export function readFirstRound(
  { text, structured }: { readonly text: string; readonly structured?: unknown },
  weigh: WeighQuote,
): Outcome<FirstAnswer, string> {
  const spoken = only(structured, text, (value) => spokenFirstSchema().safeParse(value));
  if (!spoken.ok) return spoken;
  const verdict = spoken.value.verdict.trim().toUpperCase();
  if (verdict !== 'PASS' && verdict !== 'FAIL')
    return failure(`unknown verdict ${JSON.stringify(verdict.slice(0, 40))}; PASS and FAIL are known`);
  const findings: CitedFinding[] = [];
  const dropped: Dropped[] = [];
  for (const [at, one] of (spoken.value.findings ?? []).entries()) {
    const finding = readFinding(one, 'reviewer');
    const place = spokenPlaceSchema().safeParse(one);
    const what = finding?.description.slice(0, 300) ?? 'a finding that says nothing';
    if (finding === undefined) dropped.push({ what, why: 'it has no description, or an unknown severity' });
    else if (at >= MOST_FINDINGS) dropped.push({ what, why: `only ${MOST_FINDINGS} findings are taken` });
    else {
      const { file, line, quote, evidence } = place.success ? place.data : {};
      const cited = lookUp({ file, line, quote: quote ?? evidence }, weigh);
      if (!cited.ok) dropped.push({ what, why: cited.why });
      else {
        const { severity, category, description, security } = finding;
        const fix = place.success ? (place.data.fix ?? finding.fix) : finding.fix;
        findings.push({
          ...cited.value,
          severity,
          category,
          description: description.slice(0, LONGEST_TEXT),
          security,
          ...(fix ? { fix: fix.slice(0, LONGEST_TEXT) } : {}),
        });
      }
    }
  }
  return success({ verdict, findings, dropped });
}

const LONGEST_TEXT = 4000;

/** Parses a second-round answer. A reviewer may WITHDRAW only its own findings and AGREE only with others'. */
export function readSecondRound(
  { text, structured }: { readonly text: string; readonly structured?: unknown },
  weigh: WeighQuote,
  { own, others }: { readonly own: readonly NumberedFinding[]; readonly others: readonly NumberedFinding[] },
): Outcome<SecondAnswer, string> {
  const spoken = only(structured, text, (value) => spokenSecondSchema().safeParse(value));
  if (!spoken.ok) return spoken;
  const positions: Position[] = [];
  const dropped: Dropped[] = [];
  for (const one of spoken.value.answers) {
    const read = spokenPositionSchema().safeParse(one);
    if (!read.success) {
      dropped.push({ what: 'an answer without `finding` and `says`', why: 'it cannot be read' });
      continue;
    }
    const { finding, file, line, quote } = read.data;
    const says = read.data.says.trim().toUpperCase();
    const why = (read.data.why ?? '').slice(0, LONGEST_TEXT);
    const what = `${says.slice(0, 20)} ${finding.slice(0, 20)}`;
    const isOwn = own.some(({ id }) => id === finding);
    if (positions.some((known) => known.finding === finding)) dropped.push({ what, why: 'it was answered before' });
    else if (isOwn && says === 'WITHDRAW') positions.push({ finding, says, why });
    else if (!others.some(({ id }) => id === finding))
      dropped.push({ what, why: 'there is no such finding of others' });
    else if (says === 'AGREE') positions.push({ finding, says, why });
    else if (says === 'DISAGREE') {
      const cites = lookUpAgainst({ file, line, quote }, weigh);
      if (cites.ok) positions.push({ finding, says, why, cites: cites.value });
      else dropped.push({ what, why: cites.why });
    } else dropped.push({ what, why: 'only AGREE, DISAGREE and, of its own, WITHDRAW are known' });
  }
  return success({ positions, dropped });
}

/** Every file that an answer names, to be read; at most a hundred. */
export function listCitedFiles({
  text,
  structured,
}: {
  readonly text: string;
  readonly structured?: unknown;
}): readonly string[] {
  const files = new Set<string>();
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'file' && typeof inner === 'string') files.add(inner.trim());
      else look(inner, depth + 1);
    }
  };
  for (const value of structured === undefined ? findJsonObjects(text) : [structured]) look(value, 0);
  return [...files].slice(0, 100);
}

/** The only value of this shape in an answer; a structured answer takes precedence. */
function only<Shape>(
  structured: unknown,
  text: string,
  read: (value: unknown) => { readonly success: boolean; readonly data?: Shape },
): Outcome<Shape, string> {
  const values = structured === undefined ? findJsonObjects(text) : [structured];
  const [first, ...more] = values
    .map(read)
    .flatMap(({ success: isRead, data }) => (isRead && data !== undefined ? [data] : []));
  if (first === undefined)
    return failure(text.trim() === '' ? 'it printed nothing' : 'no JSON object that answers the question');
  return more.length > 0 ? failure('more than one answer in one') : success(first);
}
