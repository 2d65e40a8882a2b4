import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import type { Haystack } from '../../base/haystack.ts';
import { isHarmlessName } from './assignments.ts';
import data from './contexts.json' with { type: 'json' };
import { secretSpans, type FoundSecret } from './found-secret.ts';
import { entropy, isPlaceholderValue, isPassword, isPasswordLike, isRandomValue, isUuid } from './values.ts';

/** Secrets recognised by their context: keys in armour, tokens of three parts, addresses, commands, settings. */
export function findContextSecrets(path: string, { text, mayHold }: Haystack): readonly FoundSecret[] {
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
