import type { FoundSecret } from './found-secret.ts';
import { spansOf } from './found-secret.ts';
import { isPlaceholder } from './placeholders.ts';

/** Logins and tokens that a curl command carries; a command may go on over several lines. */
export function secretsInCommands(text: string, lower: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let at = lower.indexOf('curl'), next = -1; at !== -1; at = next) {
    next = lower.indexOf('curl', at + 4);
    if (/[\w-]/.test(text.charAt(at - 1)) || !/\s/.test(text.charAt(at + 4))) continue;
    const command = commandAt(text, at).slice(0, next === -1 ? LONGEST : next - at);
    for (const { match } of spansOf(USER, command)) {
      const login = match.groups?.['login'] ?? '';
      if (isLogin(login)) found.push(span(at, match, login, 'a login in a command'));
    }
    for (const { match } of spansOf(HEADER, command)) {
      const value = match.groups?.['value'] ?? '';
      if (value.length >= 8 && !value.startsWith('<') && !isPlaceholder(value))
        found.push(span(at, match, value, 'a token in a command'));
    }
  }
  return found;
}

function span(at: number, match: RegExpExecArray, value: string, what: string): FoundSecret {
  const start = at + match.index + match[0].lastIndexOf(value);
  return { start, end: start + value.length, what };
}

const USER =
  /(?<=\s)(?:-u|--user)(?:=|[ \t]{0,5})(?<login>(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s"'])(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s"']){0,200})/g;
const HEADER =
  /(?<=\s)(?:-H|--header)(?:=|[ \t]{0,5})\\?["'][ \t]{0,3}(?:authorization:[ \t]{0,5}(?:(?:basic|bearer|token|bot|api-?token|apikey|key)[ \t]{1,3})?|[\w-]{0,20}(?:api-?key|token|secret|auth)[\w-]{0,10}:[ \t]{0,5})(?<value>[\w=~@.+/*<>${}-]{3,4000})/gi;

function commandAt(text: string, at: number): string {
  let end = at;
  for (let lines = 0; lines < 8 && end < text.length; lines += 1) {
    const newline = text.indexOf('\n', end);
    end = newline === -1 ? text.length : newline + 1;
    if (!text.slice(at, end).trimEnd().endsWith('\\') && !/^\s+-/.test(text.slice(end, end + 80))) break;
  }
  return text.slice(at, Math.min(end, at + LONGEST));
}

function isLogin(written: string): boolean {
  const login = written.replace(/["']/g, '');
  const colon = login.indexOf(':');
  const [user, password] = [login.slice(0, colon), login.slice(colon + 1)];
  if (colon === -1 || password.length < 3 || /^[<$]/.test(login)) return false;
  const bare = password.replace(/^\{(.*)\}$/, '$1');
  return !isPlaceholder(bare) && !/^\$|\$\{|\$\(|\{\{/.test(password) && bare.toLowerCase() !== user.toLowerCase();
}

const LONGEST = 4000;
