import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { escapePattern } from '../../base/pattern.ts';
import { loadTable } from '../../base/load-table.ts';
import data from './commands.json' with { type: 'json' };
import { secretSpans, type FoundSecret } from './found-secret.ts';
import { isPlaceholderValue, isPassword } from './values.ts';

/** Passwords, logins and tokens that commands carry; a command may go on over several lines. */
export function findCommandSecrets(text: string): readonly FoundSecret[] {
  const commands = [...text.matchAll(anyProgram())];
  const found: FoundSecret[] = [];
  for (const [index, { 0: written, index: at }] of commands.entries()) {
    const next = commands[index + 1]?.index ?? text.length;
    const command = commandAt(text, at, next);
    const program = written.toLowerCase().replace(/\.exe$/, '');
    for (const { start, end, what } of secretsOf(program, command))
      found.push({ start: at + start, end: at + end, what });
  }
  return found;
}

const PASSWORD = 'a password in a command';

function secretsOf(program: string, command: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  const add = (pattern: RegExp, what: string, isSecret: (value: string) => boolean): void => {
    for (const { start, value } of secretSpans(pattern, command))
      if (isSecret(value)) found.push({ start, end: start + value.length, what });
  };
  for (const { pattern, word } of options().get(program) ?? [])
    if (command.includes(word)) add(pattern, PASSWORD, isPassword);
  if (WITH_LOGINS.has(program)) {
    add(USER, 'a login in a command', isLogin);
    add(
      HEADER,
      'a token in a command',
      (value) => value.length >= 8 && !value.startsWith('<') && !isPlaceholderValue(value),
    );
  }
  return found;
}

const optionSchema = lazy(() =>
  z.strictObject({
    programs: z.string().min(1).describe('names of programs, parted by blanks'),
    attached: z.string().optional().describe('options that the password follows at once'),
    next: z.string().optional().describe('options that the next word is the password of'),
    place: z.string().optional().describe('a regular expression of where the password is, as `<password>`'),
    with: z.string().default('').describe('a word without which the options mean something else'),
  }),
);
const commands = lazy(() => loadTable('src/rules/secrets/commands.json', z.array(optionSchema()), data));

/** A value in quotes, or up to the next blank. */
const VALUE =
  '(?:\\\\?["\'])?(?<value>(?<=")[^"\\n\\\\]{3,200}(?=\\\\?")|(?<=\')[^\'\\n]{3,200}(?=\')|(?<!["\'])[^\\s"\'`,;|&)<>\\\\]{3,400})';
const GAP = '(?:["\']?,?[ \\t]+|=|[ \\t]*\\\\\\n\\s*)';

const options = lazy(() => {
  const known = new Map<string, readonly { readonly pattern: RegExp; readonly word: string }[]>();
  for (const { programs, attached = '', next = '', place, with: word } of commands())
    for (const program of parts(programs)) {
      const forms = [
        ...parts(attached).map((option) => `${escapePattern(option)}${VALUE}`),
        ...parts(next).map((option) => `${escapePattern(option)}${GAP}${VALUE}`),
      ];
      const sources = forms.map((form) => `(?<=[\\s"',[])${form}`);
      if (place !== undefined) sources.push(place.replaceAll('<password>', VALUE));
      const more = sources.map((source) => ({ pattern: new RegExp(source, 'g'), word }));
      known.set(program, [...(known.get(program) ?? []), ...more]);
    }
  return known;
});

const parts = (words: string): readonly string[] => words.split(' ').filter(Boolean);

const WITH_LOGINS: ReadonlySet<string> = new Set([
  'curl',
  'http',
  'https',
  'xh',
  'wget',
  'httpie',
  'grpcurl',
  'ab',
  'siege',
]);

/** Every program of the tables, as a word of its own; it has arguments. */
const anyProgram = lazy(() => {
  const names = new Set([...options().keys(), ...WITH_LOGINS]);
  const longest = [...names].toSorted((one, other) => other.length - one.length).map(escapePattern);
  return new RegExp(`(?<![\\w.$-])(?:${longest.join('|')})(?:\\.exe)?(?=["']?,?[ \\t])`, 'gi');
});

const USER =
  /(?<=\s)(?:-u|--user|-a|--auth)(?:=|[ \t]{0,5})(?<value>(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s"'])(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s"']){0,200})/g;
const HEADER =
  /(?<=\s)(?:-H|--header)(?:=|[ \t]{0,5})\\?["'][ \t]{0,3}(?:authorization:[ \t]{0,5}(?:(?:basic|bearer|token|bot|api-?token|apikey|key)[ \t]{1,3})?|[\w-]{0,20}(?:api-?key|token|secret|auth)[\w-]{0,10}:[ \t]{0,5})(?<value>[\w=~@.+/*<>${}-]{3,4000})/gi;
/** Up to its end, which is a line that does not go on, or what parts commands. */
function commandAt(text: string, at: number, next: number): string {
  const last = Math.min(text.length, next, at + LONGEST);
  let quote = '';
  for (let end = at, lines = 0; end < last; end += 1) {
    const sign = text.charAt(end);
    if (sign === '\n') {
      lines += 1;
      quote = '';
      const goesOn = /\\\r?$/.test(text.slice(Math.max(at, end - 2), end)) || /^\s+-/.test(text.slice(end, end + 80));
      if (!goesOn || lines === 8) return text.slice(at, end);
    } else if (sign === quote) quote = '';
    else if (quote === '' && (sign === '"' || sign === "'") && hasEnd(text, end, last)) quote = sign;
    else if (quote === '' && PARTS.has(sign) && text.charAt(end - 1) !== '\\') return text.slice(at, end);
  }
  return text.slice(at, last);
}

/** In a text of a program the last quote of a command has no other. */
function hasEnd(text: string, at: number, last: number): boolean {
  const end = text.indexOf(text.charAt(at), at + 1);
  return end !== -1 && end < last && end - at < 300 && !text.slice(at, end).includes('\n');
}

const PARTS: ReadonlySet<string> = new Set([';', '|']);

function isLogin(written: string): boolean {
  const login = written.replace(/["']/g, '');
  const colon = login.indexOf(':');
  const [user, password] = [login.slice(0, colon), login.slice(colon + 1)];
  if (colon === -1 || password.length < 3 || /^[<$]/.test(login)) return false;
  const bare = password.replace(/^\{(.*)\}$/, '$1');
  return !isPlaceholderValue(bare) && !/^\$|\$\{|\$\(|\{\{/.test(password) && bare.toLowerCase() !== user.toLowerCase();
}

const LONGEST = 4000;
