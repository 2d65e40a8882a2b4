/** Escape and control sequences with which text can lie to a terminal, by what they do (the 26 of the fault catalogue). */
export const SEQUENCES: readonly (readonly [what: string, text: string])[] = [
  ['colour', '\u001b[31mred\u001b[0m'],
  ['clipboard, ended by BEL', '\u001b]52;c;ZXZpbA==\u0007'],
  ['clipboard, ended by ST', '\u001b]52;c;ZXZpbA==\u001b\\'],
  ['clipboard, never ended', '\u001b]52;c;ZXZpbA=='],
  ['link', '\u001b]8;;http://evil.invalid\u001b\\text\u001b]8;;\u001b\\'],
  ['title', '\u001b]0;owned\u0007'],
  ['inline file', '\u001b]1337;File=name=eA==;inline=1:eA==\u0007'],
  ['DCS query', '\u001bP+q544e\u001b\\'],
  ['APC', '\u001b_Gf=100;AAAA\u001b\\'],
  ['8-bit CSI', '\u009b31mred'],
  ['8-bit OSC', '\u009d0;owned\u009c'],
  ['carriage return', 'FAIL\rPASS'],
  ['backspace', 'FAIL\b\b\b\bPASS'],
  ['cursor up and erase line', '\u001b[1A\u001b[2Kclean'],
  ['cursor report', '\u001b[6n'],
  ['right-to-left override', 'a\u202egnp.exe'],
  ['bidi isolates', '\u2067a\u2069\u2066b\u2069'],
  ['zero width', 'pa\u200bss\u200dw\ufeffo'],
  ['tag characters', 'a\u{e0041}\u{e0042}\u{e007f}'],
  ['BEL flood', '\u0007'.repeat(40)],
  ['NUL', 'a\u0000b'],
  ['reset', '\u001bc'],
  ['private CSI', '\u001b[?1049h'],
  ['bracketed paste off', '\u001b[?2004l'],
  ['line separator', 'a\u2028b\u2029c'],
  ['VT and FF', 'a\u000bb\u000cc'],
];

/** What may not stand anywhere where people read: controls but newline and tab, invisible and reordering characters. */
export const FORBIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;
