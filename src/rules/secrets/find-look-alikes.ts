import { LITERAL_SECRET, type FoundSecret } from './found-secret.ts';
import { namesPassword } from './foreign-names.ts';
import { isPlaceholderValue, isTranslation } from './values.ts';

const NAME_WORDS = '(?:api[_-]?key|secret(?:[_-]?key)?|password|passwd|access[_-]?token|auth[_-]?token)';
const NAME = `(?:^|[^A-Za-z])${NAME_WORDS}`;
const NO_TEMPLATE = '(?!.{0,200}(?:\\$\\{|\\{\\{|<)|\\[[A-Za-z ]{1,40}\\]["\'])';

const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
/** A key begins within this many characters after its first line. */
const NEAR = 400;

/** Code that looks for keys names their first line in quotes; nothing near it is long enough for a line of one. */
const isOnlyNamed = (behind: string): boolean => /^["'`]/.test(behind) && !/[A-Za-z0-9+/]{40}/.test(behind);

/**
 * Shapes that stop a change on the line even where the value looks made up: an agent that writes a key or a literal
 * password into a project is checked, whatever it wrote. Templates (`${…}`, `{{…}}`, `<…>`, `[…]`) are no literals, the
 * first line of a key that is only named is no key, and names of OpenSSH's algorithms (`sk-ssh-…`) are not secrets either.
 */
const SHAPES: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'an AWS access key id', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/ },
  { name: 'a private key', pattern: PRIVATE_KEY },
  {
    name: 'an API key (sk-…)',
    pattern: /\bsk-(?!ssh-ed25519|ecdsa-sha2-)(?:ant-|proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/,
  },
  { name: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/ },
  { name: 'a GitHub token', pattern: /\b(?:gh[oprsu]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60})/ },
  { name: 'a GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20}/ },
  { name: 'a Slack token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{20,}/ },
  { name: 'a Stripe key', pattern: /\b[rs]k_live_[A-Za-z0-9]{16,}/ },
  { name: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}/ },
  {
    name: LITERAL_SECRET,
    pattern: new RegExp(`${NAME}["']?\\s{0,8}[:=]\\s{0,8}(["'])${NO_TEMPLATE}[^"'\\s]{8,200}\\1`, 'i'),
  },
  // Such a short one after a colon is as often a label.
  {
    name: LITERAL_SECRET,
    pattern: new RegExp(`${NAME}\\s{0,8}=\\s{0,8}(["'])${NO_TEMPLATE}(?<short>[^"'\\s]{3,7})\\1`, 'i'),
  },
  // The whole line of a settings file, where values stand without quotes.
  {
    name: LITERAL_SECRET,
    pattern: new RegExp(
      `^\\s{0,40}(?:-\\s|export\\s)?(?:[\\w.-]{0,40}[_.-])?${NAME_WORDS}(?::[ \\t]{1,8}|=)(?=\\S*\\d)(?=\\S*[A-Za-z])[A-Za-z0-9][\\w!@#%^&*+-]{7,200}\\s{0,8}$`,
      'i',
    ),
  },
];

/** Everything in a text that looks like a key or a literal password, at most one per line. */
export function findLookAlikes(text: string, path = ''): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    for (const { name, pattern } of SHAPES) {
      const match = pattern.exec(line);
      const short = match?.groups?.['short'];
      if (match === null || (short !== undefined && isPlaceholderValue(short))) continue;
      if (name === LITERAL_SECRET && isLabel(path, /["']?([^"'\s]+)["']?\s*$/.exec(match[0])?.[1] ?? '')) continue;
      const end = start + match.index + match[0].length;
      if (pattern === PRIVATE_KEY && isOnlyNamed(text.slice(end, end + NEAR))) continue;
      found.push({ start: start + match.index, end, what: name });
      break;
    }
    start += line.length + 1;
  }
  return found;
}

/** What a form shows beside its field, or a name of the field. */
const isLabel = (path: string, value: string): boolean =>
  isTranslation(path, value) ||
  (/^[\p{L}\p{M}._-]+$/u.test(value) && namesPassword(value)) ||
  /^(?:x-)?(?:[a-z]+[-.])+v?\d$/.test(value);
