import type { FoundSecret } from './found-secret.ts';

/**
 * Shapes that stop a change on the line even where the value looks made up: an agent that writes a key or a literal
 * password into a project is looked at, whatever it wrote. Templates (`${…}`, `{{…}}`, `<…>`) are no literals.
 */
const SHAPES: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'an AWS access key id', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/ },
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/ },
  { name: 'an API key (sk-…)', pattern: /\bsk-(?:ant-|proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/ },
  { name: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/ },
  {
    name: 'a literal password or key',
    pattern:
      /(?:^|[^A-Za-z])(?:api[_-]?key|secret(?:[_-]?key)?|password|passwd|access[_-]?token|auth[_-]?token)["']?\s{0,8}[:=]\s{0,8}(["'])(?!.{0,200}(?:\$\{|\{\{|<))[^"'\s]{8,200}\1/i,
  },
];

/** Everything in a text that looks like a key or a literal password, at most one per line. */
export function secretLookAlikes(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    for (const { name, pattern } of SHAPES) {
      const match = pattern.exec(line);
      if (match === null) continue;
      found.push({ start: start + match.index, end: start + match.index + match[0].length, what: name });
      break;
    }
    start += line.length + 1;
  }
  return found;
}
