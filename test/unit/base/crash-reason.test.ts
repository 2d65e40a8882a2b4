import { describe, expect, it } from 'vitest';
import { findCrashReason, getEnd, getLastLines, listFaultWords } from '../../../src/base/crash-reason.ts';
import { expectEffortBelow } from '../../support/effort.ts';

const NODE_CRASH = `file:///srv/robo.mjs:1
throw new Error("packages/money/src/format.js: not found")
      ^

Error: packages/money/src/format.js: not found
    at file:///srv/robo.mjs:1:7
    at ModuleJob.run (node:internal/modules/esm/module_job:569:25)
    at async node:internal/modules/esm/loader:650:26 {
  code: 'ENOENT'
}

Node.js v20.20.2
`;

describe('what a program that failed is quoted with', () => {
  it('is its last line', () => {
    expect(findCrashReason('a warning\nno such model\n')).toBe('no such model');
    expect(findCrashReason('Ungültiger Schlüssel: é')).toBe('Ungültiger Schlüssel: é');
    expect(findCrashReason('')).toBe('');
    expect(findCrashReason('x'.repeat(1_000_000))).toBe('');
    expect(getEnd('x'.repeat(1_000_000))).toContain('too long to be kept');
  });

  it('is the message of data on several lines that it ends with', () => {
    const error = { session_id: 's', error: { type: 'Error', message: 'API key not valid', code: 401 } };
    expect(findCrashReason(`Error: x\n    at y\n${JSON.stringify(error, null, 2)}\n`)).toBe('API key not valid');
  });

  it('is its last line where the data has no message', () => {
    expect(findCrashReason(`${JSON.stringify({ code: 1 }, null, 2)}\n`)).toBe('}');
  });

  it('is the error of a Node.js program, not the version or a frame', () => {
    expect(findCrashReason(NODE_CRASH)).toBe('Error: packages/money/src/format.js: not found');
    expect(findCrashReason(NODE_CRASH.replaceAll('Error', 'FormatError [ERR_X]'))).toBe(
      'FormatError [ERR_X]: packages/money/src/format.js: not found',
    );
    const severalLines = NODE_CRASH.replace(/^(Error: .*)$/m, '$1\nlooked in src\nlooked in lib');
    expect(findCrashReason(severalLines)).toBe('Error: packages/money/src/format.js: not found');
  });

  it('is the thrown text of a Node.js program that throws no error', () => {
    const thrown =
      "/srv/a.js:1\nthrow 'no room'\n^\nno room\n(Use `node --trace-uncaught ...` to show)\n\nNode.js v20.20.2\n";
    expect(findCrashReason(thrown)).toBe('no room');
  });

  it('is the error that a program prints with its stack before it ends', () => {
    const printed =
      "reads 3 files\nTypeError: x is not a function\n    at run (/srv/a.js:1:2)\n    at node:x:1 {\n  code: 'E'\n}\n";
    expect(findCrashReason(printed)).toBe('TypeError: x is not a function');
  });

  it('is the words after the stack of an error that the program survived', () => {
    expect(findCrashReason('Error: a cache\n    at y (/a.js:1:2)\ngives up: no credit\n')).toBe('gives up: no credit');
  });

  it('is the last line of a Python traceback, with the first line of its message', () => {
    const trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    run()\n';
    expect(findCrashReason(`${trace}ZeroDivisionError: division by zero\n\n${trace}KeyError: 'x'\n`)).toBe(
      "KeyError: 'x'",
    );
    expect(findCrashReason(`${trace}ValueError: two\nlines\n`)).toBe('ValueError: two');
  });

  it('is the last words of a Python program that went on for long after an error', () => {
    const trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: a cache\n';
    expect(findCrashReason(`${trace}tries again\ntries again\ntries again\ngives up: no credit\n`)).toBe(
      'gives up: no credit',
    );
  });

  it('is at most 300 characters long', () => {
    expect(findCrashReason(`Error: ${'x'.repeat(5000)}`)).toHaveLength(300);
  });
});

describe('the last lines of a program that failed', () => {
  it('are ten at most, without blank lines and frames inside of Node.js', () => {
    expect(getLastLines(NODE_CRASH)).toBe(
      NODE_CRASH.trimEnd()
        .split('\n')
        .filter((line) => line !== '' && !line.includes('node:'))
        .join('\n'),
    );
    const many = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    expect(getLastLines(many.join('\n')).split('\n')).toEqual(many.slice(-10));
  });

  it('are cut where they are long', () => {
    expect(getLastLines('x'.repeat(900))).toHaveLength(200);
  });
});

describe('the words in which a cause is looked for', () => {
  it.each([
    ['a frame', 'TypeError: x\n    at run (/usr/lib/cli.js:429:17)\n    at connection (node:net:1:2)', 'TypeError: x'],
    ['a source line', NODE_CRASH, 'Error: packages/money/src/format.js: not found'],
    ['a place in a line', 'x failed at dist/cli.js:503, from a.ts:401:5', 'x failed at , from '],
    ['a frame of Python', 'Traceback:\n  File "/a.py", line 512, in run\nKeyError', 'File "/a.py", , in run'],
    [
      'a status that stays',
      '{"error":{"code":429,"at":"12:30:00"}} status 503',
      '{"error":{"code":429,"at":""}} status 503',
    ],
  ])('are without places in source: %s', (_, output, words) => {
    const found = listFaultWords(output).join('\n');
    expect(found).toContain(words);
    expect(found).not.toMatch(/cli\.js:|a\.ts|throw new|:\d+:\d+|line 512/);
  });

  it('are found in a time that grows with the output', () => {
    expectEffortBelow(30, () => listFaultWords(':1'.repeat(8000)));
  });
});
