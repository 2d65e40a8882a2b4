import { sha256 } from '../../base/sha256.ts';
import { haystackOf, type Haystack } from '../../base/haystack.ts';
import { findAssignedSecrets } from './assignments.ts';
import { findCommandSecrets } from './commands.ts';
import { findContextSecrets } from './contexts.ts';
import { secretSpans, type FoundSecret } from './found-secret.ts';
import { findForeignSecrets } from './foreign-names.ts';
import { entropy } from './values.ts';
import { listReadings } from './readings.ts';
import { PUBLIC_SAMPLES, SHAPES, type Shape } from './shapes.ts';

/** Finds secrets by published token formats, by their context, and by the names of their variables. */
export function findSecrets(path: string, text: string): readonly FoundSecret[] {
  const found = [
    ...secretsAsWritten(path, text),
    ...listReadings(text).flatMap(({ text: read, isEncoded, originOf }) =>
      secretsAsWritten(isEncoded ? '' : path, read).map(({ start, what }) => {
        const origin = originOf(start);
        return { start: origin.start, end: origin.end, what: isEncoded ? `${what}, encoded` : what };
      }),
    ),
  ].toSorted((one, other) => one.start - other.start || other.end - one.end);
  let end = -1;
  return found.filter((secret) => {
    if (secret.start < end) return false;
    end = secret.end;
    return true;
  });
}

function secretsAsWritten(path: string, text: string): readonly FoundSecret[] {
  const haystack = haystackOf(text);
  return [
    ...SHAPES.flatMap((shape) => withShape(shape, haystack)),
    ...findContextSecrets(path, haystack),
    ...findCommandSecrets(text),
    ...findAssignedSecrets(path, text),
    ...findForeignSecrets(path, text),
  ];
}

function withShape(
  { name, words, pattern, entropy: least, isNamed }: Shape,
  { text, mayHold }: Haystack,
): readonly FoundSecret[] {
  if (!words.some(mayHold)) return [];
  return [...secretSpans(pattern, text)].flatMap(({ start, value, match }) => {
    if (least > 0 && (entropy(value) < least || /example$/i.test(value) || isPublicSample(value))) return [];
    if (isNamed && !isNamedToken(match, value)) return [];
    return [{ start, end: start + value.length, what: name }];
  });
}

const isPublicSample = (token: string): boolean =>
  token.startsWith('AIza') && PUBLIC_SAMPLES.has(sha256(token).slice(0, 16));

/** The name is a word of its own (`sumo`, not `sumObj`; `linkedIn`, not `linkedInstance`), and the value is chance: it has digits, and hexadecimal ones in one case. */
function isNamedToken(match: RegExpExecArray, value: string): boolean {
  const word = match.groups?.['word'] ?? '';
  const next = match[0].charAt(word.length);
  if (/[a-z][A-Z][a-z]?$/.test(word) && /[a-z]/.test(next)) return false;
  if (value.length >= 16 && !/\d/.test(value)) return false;
  if (/\.(?:[cm]?[jt]sx?|py|go|json|ya?ml|md)["'`]/.test(match[0])) return false;
  return !(/^[0-9a-f]+$/i.test(value) && /[a-f]/.test(value) && /[A-F]/.test(value));
}
