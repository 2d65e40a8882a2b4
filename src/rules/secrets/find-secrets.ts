import { sha256 } from '../../base/sha256.ts';
import { haystackOf, type Haystack } from '../text/haystack.ts';
import { findAssignedSecrets } from './assignments.ts';
import { findCommandSecrets } from './commands.ts';
import { findContextSecrets } from './contexts.ts';
import { secretSpans, type FoundSecret } from './found-secret.ts';
import { findForeignSecrets } from './foreign-names.ts';
import { entropy, isPlaceholderValue } from './placeholders.ts';
import { listReadings } from './readings.ts';
import { findTableSecrets } from './tables.ts';
import { PUBLIC_SAMPLES, SHAPES, type Shape } from './shapes.ts';

/** The values of a Kubernetes `Secret` that is written down with them. */
function findKubernetesSecrets(text: string, lower: string): readonly FoundSecret[] {
  if (!lower.includes('secret') || !/^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?secret["']?\b/im.test(text)) return [];
  const found: FoundSecret[] = [];
  let offset = 0;
  for (const document of text.split(/^---.*$/m)) {
    const at = text.indexOf(document, offset);
    offset = at + document.length;
    if (/^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?secret["']?\b/im.test(document)) found.push(...valuesIn(document, at));
  }
  return found;
}

function valuesIn(document: string, offset: number): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let block: { readonly indent: number; readonly isPlain: boolean } | undefined;
  let at = offset;
  for (const line of document.split('\n')) {
    const indent = line.search(/\S/);
    if (indent !== -1) {
      const head = /^\s*["']?(data|stringData)["']?\s*:/.exec(line);
      if (head !== null) block = { indent, isPlain: head[1] === 'stringData' };
      else if (block !== undefined && indent <= block.indent) block = undefined;
      else if (block !== undefined) {
        const value = /^\s*["']?[\w.-]+["']?\s*:\s*["']?([^\s"']{3,})["']?,?\s*$/.exec(line)?.[1];
        const isSecret =
          value !== undefined &&
          !isPlaceholderValue(value) &&
          (block.isPlain || /^[A-Za-z0-9+/]{10,}={0,3}$/.test(value));
        if (isSecret)
          found.push({
            start: at + line.lastIndexOf(value),
            end: at + line.lastIndexOf(value) + value.length,
            what: 'a value of a Kubernetes secret',
          });
      }
    }
    at += line.length + 1;
  }
  return found;
}

/** Finds secrets by published token formats, by their context, and by the names of their variables. */
export function findSecrets(path: string, text: string): readonly FoundSecret[] {
  const found = [
    ...secretsAsWritten(path, text),
    ...listReadings(text).flatMap(({ text: read, isSettings, originOf }) =>
      secretsAsWritten(isSettings ? '' : path, read).map(originOf),
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
  const { lower } = haystack;
  return [
    ...SHAPES.flatMap((shape) => withShape(shape, haystack)),
    ...findContextSecrets(path, haystack),
    ...findCommandSecrets(text),
    ...findKubernetesSecrets(text, lower),
    ...findAssignedSecrets(path, text),
    ...findForeignSecrets(path, text),
    ...findTableSecrets(text),
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
