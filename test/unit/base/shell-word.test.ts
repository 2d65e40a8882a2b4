import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { toShellWord } from '../../../src/base/shell-word.ts';

describe('a word of a command that is pasted', () => {
  it.each(['/home/me/shop', "it's mine", '$(reboot) `id` "x" \\', '-rf', 'a=b', '~', '*', 'a;b', 'größe', '!x'])(
    'means to a shell what it is: %s',
    (text) => {
      expect(execFileSync('sh', ['-c', `printf '%s' ${toShellWord(text)}`]).toString()).toBe(text);
    },
  );

  it('is none where a terminal would show something else than what is pasted', () => {
    for (const text of ['', 'a\nb', '\u001b[2J', 'a\u202eb', 'a\tb', 'zero\u200bwidth', '##[error]x'])
      expect(toShellWord(text)).toBeUndefined();
  });
});
