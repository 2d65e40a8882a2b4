import { describe, expect, it } from 'vitest';
import { DESK, hasOpenedChange, quoteWeigher, isSubstantive } from '../../../../src/line/stations/weigh-quotes.ts';

const PATCH = `diff --git a/src/old-name.ts b/src/price.ts
similarity index 80%
rename from src/old-name.ts
rename to src/price.ts
--- a/src/old-name.ts
+++ b/src/price.ts
@@ -3,6 +3,8 @@ export interface Item {
 import { Item } from '../../stations/item.ts';
 
-export const priceOf = (item: Item) => item.price;
+export function priceOf(item: Item): number {
+  if (item.price < 0) throw new RangeError('a price is below zero');
+  return item.price * item.quantity;
+}
 
 export const NOTHING = 0;
diff --git a/docs/notes.md b/docs/notes.md
deleted file mode 100644
--- a/docs/notes.md
+++ /dev/null
@@ -1,2 +0,0 @@
--- a line that begins like a header
-Prices are whole numbers.
`;
const TREE: Readonly<Record<string, readonly string[]>> = {
  'src/price.ts': [
    '// prices',
    '',
    "import { Item } from '../../stations/item.ts';",
    '',
    'export function priceOf(item: Item): number {',
    "  if (item.price < 0) throw new RangeError('a price is below zero');",
    '  return item.price * item.quantity;',
    '}',
    '',
    'export const NOTHING = 0;',
  ],
  'src/other.ts': ['export const OTHER = priceOf(ITEM);'],
};
const weigh = quoteWeigher({
  patch: PATCH,
  linesOf: (path) => TREE[path],
  changed: ['src/price.ts'],
  gates: new Map([['prices', 'ok 1 - a price below zero is refused\n1..1']]),
});
const quoted = (quote: string, file = 'src/price.ts', line?: number | null) => weigh({ file, line, quote });

describe('a quote of the judge', () => {
  it.each<[string, Parameters<typeof quoted>, number | null]>([
    ['a line that was added', ['  return item.price * item.quantity;'], 7],
    ['the same at its line', ['return item.price * item.quantity;', 'src/price.ts', 7], 7],
    ['the same on the desk', ['return item.price * item.quantity;', 'tree/src/price.ts', 7], 7],
    ['the same with another gap', ['return  item.price *\titem.quantity;'], 7],
    ['the same without a file', ['return item.price * item.quantity;', ''], 7],
    ['the same with its line in the diff', ['+  return item.price * item.quantity;', DESK.diff, 13], 7],
    ['the same with the line of the diff and the file', ['return item.price * item.quantity;', 'src/price.ts', 13], 7],
    ['a part of it', ["RangeError('a price is below zero')"], 6],
    ['a line that was removed', ['export const priceOf = (item: Item) => item.price;', 'src/old-name.ts', 5], 5],
    ['a line that was removed, under the new name', ['-export const priceOf = (item: Item) => item.price;'], 5],
    ['a line of a file that is gone', ['Prices are whole numbers.', 'docs/notes.md', 2], 2],
    ['a line that begins like a header', ['-- a line that begins like a header', 'docs/notes.md', 1], 1],
    [
      'two lines in a row',
      [
        "if (item.price < 0) throw new RangeError('a price is below zero');\n  return item.price * item.quantity;",
        'src/price.ts',
        6,
      ],
      6,
    ],
    ['what an acceptance gate printed', ['ok 1 - a price below zero is refused', DESK.gates], null],
    ['what it printed, by its name', ['a price below zero is refused', 'prices'], null],
  ])('proves something: %s', (_, args, line) => {
    expect(quoted(...args)).toEqual({ line, found: true, proves: true, why: '' });
  });

  it.each<[string, Parameters<typeof quoted>, boolean, string]>([
    ['a bracket that was added', ['}'], true, 'on any page'],
    ['a line that was not touched', ['export const NOTHING = 0;', 'src/price.ts', 10], true, 'does not touch'],
    [
      'a line of a file that was not touched',
      ['export const OTHER = priceOf(ITEM);', 'src/other.ts'],
      true,
      'not touch',
    ],
    [
      'a line at another place than is named',
      ['return item.price * item.quantity;', 'src/price.ts', 70],
      false,
      'line 7, not 70',
    ],
    ['a line of another file', ['return item.price * item.quantity;', 'src/other.ts'], false, 'is neither in'],
    ['an invention with quotes', ['print("x")'], false, '"print("x")" is neither in'],
    ['an invention', ['return item.price + item.quantity;'], false, 'is neither in'],
    ['a header of the diff', ['rename from src/old-name.ts', DESK.diff], false, 'is neither in'],
    ['a part too short to tell', ['item.'], false, 'is neither in'],
    ['two lines of which one is invented', ['return item.price * item.quantity;\n}}'], false, 'is neither in'],
    ['nothing', ['  \n '], false, 'empty'],
    ['the count of a gate', ['1..1', 'prices'], false, 'is neither in'],
  ])('proves nothing: %s', (_, args, found, why) => {
    expect(quoted(...args)).toMatchObject({ found, proves: false, why: expect.stringContaining(why) as string });
  });

  it.each([
    ['adds a bracket', '--- a/x.c\n+++ b/x.c\n@@ -1 +1,2 @@\n int main() {\n+}\n', 'x.c', '}'],
    ['moves a file', 'diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n', '', 'rename to y'],
    [
      'brings a picture',
      'diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n',
      'x.png',
      'Binary files a/x.png and b/x.png differ',
    ],
    ['adds an import', "--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1 @@\n+import x from 'x';\n", 'x.ts', "import x from 'x';"],
  ])('of a change that only %s needs no more than it has', (_, patch, file, quote) => {
    const poor = quoteWeigher({ patch, linesOf: () => undefined, changed: [], gates: new Map() });
    expect(poor({ file, quote }).proves).toBe(true);
    expect(poor({ file, quote: 'something else entirely' }).proves).toBe(false);
  });
});

describe('a line', () => {
  it.each([
    '}',
    '});',
    '',
    '   ',
    '{',
    '];',
    '))',
    'else',
    '} else {',
    'else:',
    'end',
    'end;',
    'fi',
    'done',
    'return;',
    'pass',
    'break;',
    'finally:',
    '} catch {',
    'try {',
    '//',
    '/*',
    '*/',
    ' * ',
    '#',
    '<!--',
    '-->',
    '"""',
    '---',
    '====',
    "import x from 'x';",
    "import { a, b as c } from '../../x.ts';",
    "import type { A } from 'x';",
    "import 'x.css';",
    'import os',
    'import os.path as p',
    'from os import path',
    '#include <stdio.h>',
    'using System.Text;',
    'package main',
    'use std::io;',
    "const fs = require('fs');",
    "require 'json'",
    "export * from '../../stations/x.ts';",
    '</div>',
    '<div>',
    '@Override',
    '#!/bin/sh',
    "'use strict';",
    '<?php',
    'a,',
    'x',
    '1;',
    'default:',
    'return true;',
    'null,',
  ])('says nothing of its own: %j', (line) => {
    expect(isSubstantive(line)).toBe(false);
  });

  it.each([
    '# Guide',
    'return total;',
    'x = compute(y)',
    '- Users log in',
    'important: true,',
    'else if (isOpen) close();',
    'Import the contacts before you send anything.',
    '} catch (error) { log(error);',
    '// the limit is inclusive',
    '| a | bcd |',
    'const limit = 20;',
    '認証',
    '완료되었습니다',
    'export const x = 10;',
    'expect(sum(1, 2)).toBe(3);',
    '<a href="x">Login</a>',
    'print("end")',
    '1.2.3',
    'from the first day on',
    'user.isLocked = true;',
  ])('says something: %j', (line) => {
    expect(isSubstantive(line)).toBe(true);
  });
});

describe('the change on the desk', () => {
  it.each([
    [['/state/desks/T-1/change.diff'], true],
    [['/private/state/desks/T-1/change.diff'], true],
    [['change.diff'], true],
    [['/state/desks/T-1/contract.md', '/state/desks/T-1/tree/src/x.ts'], false],
    [['/state/desks/T-1/tree/change.diff'], false],
    [['/state/desks/T-2/change.diff'], false],
    [[], false],
  ])('was opened with %j: %s', (opened, is) => {
    expect(hasOpenedChange(opened, '/state/desks/T-1')).toBe(is);
  });
});
