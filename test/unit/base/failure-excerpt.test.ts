import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { extractFailures, findFailureLine, listFailureLines } from '../../../src/base/failure-excerpt.ts';
import { expectEffortBelow } from '../../support/effort.ts';

const noise = (count: number): string[] => Array.from({ length: count }, (_, at) => `ok ${at} - all is well here`);

describe('the failing part of an output', () => {
  it('is all of it when it is short', () => {
    expect(extractFailures('a\r\nb\n\n', 100)).toBe('a\nb');
  });

  it('is the beginning, the end and what tells of a failure between them, with a word about what is left out', () => {
    const lines = [
      '> npm test',
      ...noise(3000),
      'AssertionError: expected 2 to be 3',
      '  at dates.ts:12',
      ...noise(3000),
      '1 failed, 6000 passed',
    ];
    const part = extractFailures(lines.join('\n'), 2000);
    for (const line of [
      '> npm test',
      'AssertionError: expected 2 to be 3',
      '  at dates.ts:12',
      '1 failed, 6000 passed',
    ])
      expect(part).toContain(line);
    expect(part).toMatch(/\[\d+ lines left out\]/);
    expect(part.length).toBeLessThanOrEqual(2000);
  });

  it('has no colours, and names the failure between passed tests whose names tell of errors', () => {
    const passed = Array.from({ length: 300 }, (_, at) => `\u001b[32m✓\u001b[39m reports error ${at} when it fails`);
    const failed = '\u001b[31m×\u001b[39m adds two numbers\n  AssertionError: expected 3, received 4';
    const part = extractFailures([...passed, failed, ...passed].join('\n'), 800);
    expect(part).toContain('× adds two numbers\n  AssertionError: expected 3, received 4');
    expect(part).not.toContain('\u001b');
    expect(part).not.toContain('✓');
  });

  it('shows the failed test of TAP before names of passed tests that tell of errors', () => {
    const passed = Array.from({ length: 200 }, (_, at) => `# throws error ${at} when undefined\nok ${at} it throws`);
    const failed = ['not ok 815 is equal', '  ---', '    operator: equal', "    expected: 'a='", "    actual:   ''"];
    const part = extractFailures([...passed, ...failed, ...passed, '# fail  1'].join('\n'), 1200);
    for (const line of failed) expect(part).toContain(line);
    expect(part).toContain('# fail  1');
  });

  it('shows the block of a failure to its end, without what npm says of every script that failed', () => {
    const block = [
      '    not ok 1 - has two digits',
      '      ---',
      '      duration_ms: 32.29',
      "      location: '/tmp/index.test.js:9:3'",
      "      failureType: 'testCodeFailure'",
      '      error: |-',
      '        Expected values to be strictly equal:',
      '        + actual - expected',
      '        ',
      "        + '12.5'",
      "        - '12.50'",
    ];
    const npm = ['code 3', 'path /tmp/x/packages/beta', 'workspace @x/beta', 'location /tmp/x', 'command failed'];
    const output = [
      ...noise(300),
      ...block,
      '      stack: |-',
      ...noise(300),
      ...npm.map((line) => `npm error ${line}`),
    ];
    const part = extractFailures(extractFailures(output.join('\n'), 2000), 900);
    expect(part).toContain(block.join('\n'));
    expect(part).not.toContain('npm error');
    expect(part.match(/\d+ lines left out/g)?.length).toBeLessThanOrEqual(2);
  });

  it('shows the error of a linter before its warnings', () => {
    const warnings = Array.from({ length: 60 }, (_, at) => `  ${at}:1  warning  Unexpected continue, cannot ${at}`);
    const part = extractFailures(
      [...warnings, '  0:0  error  Parsing error: a key twice', ...warnings].join('\n'),
      600,
    );
    expect(part).toContain('Parsing error: a key twice');
  });

  it('is never longer than asked, and holds nothing that was not printed', () => {
    const line = fc.oneof(
      fc.constantFrom('error: x', 'FAIL a', '0 failed'),
      fc.string({ maxLength: 80 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), fc.integer({ min: 60, max: 3000 }), (lines, characters) => {
        const part = extractFailures(lines.join('\n'), characters);
        expect(part.length).toBeLessThanOrEqual(characters);
        const real = new Set([...lines, ...lines.map((text) => text.trimEnd()), '']);
        for (const shown of part.split('\n'))
          expect(real.has(shown) || /^\[\d+ lines left out\]$/.test(shown)).toBe(true);
      }),
    );
  });

  it('is found in eight megabytes in no time', () => {
    expectEffortBelow(100, () => {
      extractFailures('error error error\n'.repeat(450_000), 6000);
      extractFailures('x'.repeat(8_000_000), 6000);
    });
  });
});

describe('the line that says why', () => {
  it.each([
    [
      "Error: EROFS: read-only file system, mkdir '.cache'",
      ['  throw error;', '', '%', '    at mkdir (fs.js:1)', '', 'Node.js v24.21.0'],
    ],
    [
      "a.test.ts:4:41 - error TS2307: Cannot find module 'parse5'",
      ['FAIL a.test.ts', '%', 'Test Suites: 7 failed', '(Use `node --trace-warnings ...`)'],
    ],
    ['not ok 2 adds', ['ok 1 - Error: is shown', '%', '# fail 1']],
    ['Tests: 1 failed', ['expect(received).toBe(expected)', '%', 'Ran all test suites.', '0 errors']],
  ])('is %s', (line, output) => {
    expect(findFailureLine(output.map((one) => (one === '%' ? line : one)).join('\n'))).toBe(line);
  });
});

describe('the lines from the first failure on', () => {
  it.each([
    [
      'go',
      '=== RUN TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:5: got 1, want 2\nFAIL\tx\t0.002s',
      '--- FAIL: TestA (0.00s)',
    ],
    ['jest', 'PASS src/a.test.js\nFAIL src/b.test.js\n  ✕ adds (2 ms)\nTests: 1 failed, 1 total', 'FAIL src/b.test.js'],
    [
      'pytest',
      'collected 2 items\nE   assert 1 == 2\nFAILED t.py::t - assert\n=== 1 failed in 0.01s ===',
      'E   assert 1 == 2',
    ],
    ['TAP', 'TAP version 13\nok 1 - a\nnot ok 2 - b\n  at f (x.js:1)\n# fail 1', 'not ok 2 - b'],
  ])('begin at the first certain one, as %s prints it', (_, output, first) => {
    const lines = listFailureLines(output) ?? [];
    expect(lines[0]).toBe(first);
    expect(lines.join('\n')).not.toMatch(/^\s+at |^ok |PASS/m);
  });

  it('are none where no line is one for certain', () => {
    expect(listFailureLines('line is too long: src/a.ts\n')).toBeUndefined();
    expect(listFailureLines('Checking…\nsrc/a.ts\n\nRun prettier')).toBeUndefined();
  });
});
