import type { Finding } from '../model/finding.ts';

/** Characters that make a line look different from what it is: bidi controls, zero-width and tag characters, controls. */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** Lines that a change adds and that hide characters; lines that were there before are not its doing. */
export function hiddenCharacters(path: string, before: string, after: string): readonly Finding[] {
  const known = new Set(before.split('\n'));
  return after
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, index) => {
      const match = known.has(line) ? null : HIDDEN.exec(line);
      if (match === null) return [];
      const code = (match[0].codePointAt(0) ?? 0).toString(16).padStart(4, '0');
      return [
        {
          source: 'hidden-characters',
          severity: 'high',
          category: 'security',
          file: path,
          line: index + 1,
          description: `holds the hidden character U+${code.toUpperCase()}`,
          security: true,
        } satisfies Finding,
      ];
    });
}
