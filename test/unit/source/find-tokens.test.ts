import { describe, expect, it } from 'vitest';
import { findTokens } from '../../../src/source/find-tokens.ts';
import { expectEffortOfAsyncBelow } from '../../support/effort.ts';

/** The tokens of a text, line by line, as `kind:text`. */
async function tokensOf(path: string, ...lines: readonly string[]): Promise<unknown> {
  const found = await findTokens(path, lines.join('\n'), new Set(lines.map((_, at) => at + 1)));
  return lines.map((line, at) =>
    (found?.get(at + 1) ?? []).map(([start, length, kind]) => `${kind}:${line.slice(start, start + length)}`).join(' '),
  );
}

describe('findTokens', () => {
  it.each([
    ['a.ts', 'async function find(id: string) {', 'keyword:async keyword:function name:find type:string'],
    [
      'a.py',
      'return f"x {a + 1}" if a is None else b',
      'keyword:return string:f"x  number:1 string:" keyword:if keyword:is keyword:None keyword:else',
    ],
    ['a.go', 'var a = "x" // y', 'keyword:var string:"x" comment:// y'],
    ['a.rs', "fn f(a: u32) -> char { 'x' }", "keyword:fn name:f type:u32 type:char string:'x'"],
    ['A.java', 'class A { int f() { return 1; } }', 'keyword:class type:int name:f keyword:return number:1'],
    [
      'a.cs',
      'class A { string F() => $"x {a + 1}"; }',
      'keyword:class type:string name:F string:$"x  number:1 string:"',
    ],
    ['a.cpp', 'return true ? 1.5f : NULL; // x', 'keyword:return keyword:true number:1.5f keyword:NULL comment:// x'],
    ['a.rb', 'return nil unless id == :a', 'keyword:return keyword:nil keyword:unless string::a'],
    ['a.sh', "if true; then echo 'hi'; fi # c", "keyword:if keyword:then string:'hi' keyword:fi comment:# c"],
  ])('names the parts of a line of %s', async (path, line, tokens) => {
    expect(await tokensOf(path, line)).toEqual([tokens]);
  });

  it('cuts a comment and a text of several lines into lines, and leaves the code inside a text plain', async () => {
    expect(await tokensOf('a.ts', '/* a', 'b */ x(`c ${d', '} e`);')).toEqual([
      'comment:/* a',
      'comment:b */ string:`c ',
      'string: e`',
    ]);
  });

  it('gives only the lines that are wanted', async () => {
    const found = await findTokens('a.ts', 'return 1;\nreturn 2;\nreturn 3;\n', new Set([2, 9]));
    expect([...(found ?? [])].map(([line]) => line)).toEqual([2]);
  });

  it('leaves a file plain that has no grammar or is too large, and ends soon with one that nests without end', async () => {
    const all = new Set([1]);
    expect(await findTokens('a.txt', 'return 1;', all)).toBeUndefined();
    expect(await findTokens('a.ts', 'return 1;\n'.repeat(20_000), all)).toBeUndefined();
    await expectEffortOfAsyncBelow(2500, async () => {
      for (const text of ['`${', '(', '[{']) await findTokens('a.ts', text.repeat(40_000), all);
    });
  });
});
