import { describe, expect, it } from 'vitest';
import { findFunctions } from '../../../src/source/find-functions.ts';

describe('findFunctions', () => {
  it.each([
    ['a.js', 'function f() {\n  if (a) {\n  } else if (b) {\n    for (;;) {}\n  }\n}\n', 2],
    ['a.go', 'func f() {\n\tif a {\n\t} else if b {\n\t\tfor {\n\t\t}\n\t}\n}\n', 2],
    ['a.py', 'def f():\n    if a:\n        pass\n    elif b:\n        for x in y:\n            pass\n', 2],
    ['a.rs', 'fn f() {\n    if a {\n    } else if b {\n        loop {}\n    }\n}\n', 2],
    ['a.java', 'class A {\n  void f() {\n    if (a) {\n    } else if (b) {\n      while (c) {}\n    }\n  }\n}\n', 2],
    ['a.js', 'const f = () => ({ a: { b: { c: 1 } } });\n', 0],
  ])('counts an else-if chain once and no object in %s: %j', async (path, text, depth) => {
    expect(await findFunctions(path, text)).toMatchObject([{ depth }]);
  });

  it('measures an inner function by itself', async () => {
    const text = 'function f() {\n  if (a) {\n    run(() => {\n      if (b) {}\n    });\n  }\n}\n';
    expect(await findFunctions('a.ts', text)).toEqual([
      { first: 1, last: 7, depth: 1 },
      { first: 3, last: 5, depth: 1 },
    ]);
  });

  it('survives code that nests deeper than the stack', async () => {
    const text = `function f() {${'if (a) {'.repeat(20_000)}${'}'.repeat(20_000)}}`;
    expect(await findFunctions('a.js', text)).toMatchObject([{ depth: 20_000 }]);
  });
});
