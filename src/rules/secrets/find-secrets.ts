import { sha256 } from '../../base/sha256.ts';
import { haystackOf, type Haystack } from '../../base/haystack.ts';
import { findAssignedSecrets, isHarmlessName } from './assignments.ts';
import { findCommandSecrets } from './find-command-secrets.ts';
import { secretSpans, type FoundSecret } from './found-secret.ts';
import { findForeignSecrets } from './foreign-names.ts';
import { entropy, isPlaceholderValue, isPassword, isPasswordLike, isRandomValue, isUuid } from './values.ts';
import { listReadings } from './list-readings.ts';
import { PUBLIC_SAMPLES, SHAPES, type Shape } from './shapes.ts';
import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import data from './contexts.json' with { type: 'json' };

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

/** Secrets recognised by their context: keys in armour, tokens of three parts, addresses, commands, settings. */
function findContextSecrets(path: string, { text, mayHold }: Haystack): readonly FoundSecret[] {
  return contexts()
    .filter(({ word, files }) => mayHold(word) && (files === undefined || files.test(path)))
    .flatMap((context) =>
      [...secretSpans(context.expression, text)].flatMap(({ start, value, match }) =>
        isSecret(context, value, match) ? [{ start, end: start + value.length, what: context.what }] : [],
      ),
    );
}

/** What a value is asked that no pattern can say. */
const QUESTIONS = {
  'header of a token': (_: string, match: RegExpExecArray) => isHeader(match.groups?.['head'] ?? ''),
  'password in an address': (password: string, match: RegExpExecArray) =>
    !isPlaceholderValue(password) && !/^\d{1,5}$/.test(password) && password.toLowerCase() !== userOf(match[0]),
  login: (value: string) =>
    /^[ -~]+:[^]+$/.test(decoded(value)) && !isPlaceholderValue(decoded(value).split(':')[1] ?? ''),
  password: (value: string, match: RegExpExecArray) =>
    isPassword(value) && !isHarmlessName(match.groups?.['name'] ?? ''),
  'password without doubt': isPasswordLike,
  random: (value: string) => isRandomValue(value.replace(/%(?:2B|2F|3D)/gi, ''), 16, 3.2) && !isUuid(value),
};

const contextSchema = lazy(() =>
  z
    .strictObject({
      what: z.string().describe('name of the secret in messages'),
      word: z
        .string()
        .regex(/^[^A-Z]+$/)
        .describe('in lower case; without it nothing is looked for'),
      pattern: z.string().describe('a regular expression; its group `value`, where it has one, is the secret'),
      flags: z.string().default('gi'),
      real: z.boolean().default(false).describe('whether a placeholder is not a secret'),
      digits: z.boolean().default(false).describe('whether it must hold a digit'),
      entropy: z.number().default(0).describe('bits per character that it has more of'),
      files: z
        .string()
        .transform((form) => new RegExp(form))
        .optional()
        .describe('a regular expression of the paths in which it is looked for'),
      is: z.enum(Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]).optional(),
    })
    .transform((row) => ({ ...row, expression: new RegExp(row.pattern, row.flags) })),
);
const contexts = lazy(() => loadTable('src/rules/secrets/contexts.json', z.array(contextSchema()), data));

const isSecret = (row: ReturnType<typeof contexts>[number], value: string, match: RegExpExecArray): boolean =>
  (!row.real || !isPlaceholderValue(value)) &&
  (!row.digits || /\d/.test(value)) &&
  (row.is === undefined || QUESTIONS[row.is](value, match)) &&
  (row.entropy === 0 || entropy(value) > row.entropy);

/** The first part of a token, which says in JSON how it is signed. */
const isHeader = (part: string): boolean =>
  /"(?:alg|typ|kid|enc|zip|cty|jku|x5t|iss)"/.test(decoded(part)) && decoded(part).startsWith('{');

function decoded(base64: string): string {
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '').slice(0, 4000));
  } catch {
    return '';
  }
}

const userOf = (address: string): string => /:\/\/([^:]*):/.exec(address)?.[1]?.toLowerCase() ?? '';
