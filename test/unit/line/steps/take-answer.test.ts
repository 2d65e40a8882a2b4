import { describe, expect, test } from 'vitest';
import { rememberSecrets } from '../../../../src/base/known-secrets.ts';
import { success } from '../../../../src/base/outcome.ts';
import { takeWithoutSecrets } from '../../../../src/line/steps/take-answer.ts';
import type { Services } from '../../../../src/line/services/services.ts';

const KEY = ['mykey', 'CANARY', '77abcZ'].join('');
const OTHER = ['another', 'KEY', '42xyzQ'].join('');
/** A key of several lines. */
const LINES = ['7bX2qLw9ZtR4kVn', 'Yc8Mp3Hs6Jd1FgQ', 'u5Ea0TxBv2NrWzK'];
/** No line of it is long enough to be known by itself. */
const SHORT = ['AbC123dEf9', 'GhI456jKl8', 'MnO789pQr7'].join('\n');
rememberSecrets([KEY, OTHER, LINES.join('\n'), SHORT]);

/** A repository whose head holds these files. */
const holding = (files: Readonly<Record<string, string>>): Pick<Services, 'repository'> => ({
  repository: {
    read: (_: string, paths: readonly string[]) =>
      Promise.resolve(
        new Map(paths.flatMap((path) => (path in files ? [[path, Buffer.from(files[path] ?? '')] as const] : []))),
      ),
  } as unknown as Services['repository'],
});

/** Why each file of a change is not taken. */
async function faults(
  head: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Promise<readonly string[]> {
  const files = Object.entries(change);
  const written = await takeWithoutSecrets(
    holding(head),
    'HEAD',
    success(
      files.map(([path, text]) =>
        text === null
          ? { path, content: null }
          : { path, mode: '100644' as const, content: new TextEncoder().encode(text) },
      ),
    ),
  );
  return written.ok ? [] : written.why.map(({ path, detail }) => `${path}: ${detail}`);
}

const HOLDS = 'holds the value of a key or a password of this machine; take it out';
const STARS = expect.stringContaining('writes *** where a value of this machine was masked');

describe('an edit, in text or in a copy', () => {
  test('is not taken where it writes a known secret that the file did not hold', async () => {
    expect(await faults({ 'a.ts': 'one\n' }, { 'a.ts': `one ${KEY}\n` })).toEqual([`a.ts: ${HOLDS}`]);
    expect(await faults({ 'a.ts': `one ${KEY}\n` }, { 'a.ts': `two ${KEY}\n` })).toEqual([]);
    expect(await faults({ 'a.ts': `one ${KEY}\n` }, { 'a.ts': `one ${KEY}\ntwo ${OTHER}\n` })).toEqual([
      `a.ts: ${HOLDS}`,
    ]);
    expect(await faults({}, { 'a.pem': `${SHORT}\n` })).toEqual([`a.pem: ${HOLDS}`]);
    expect(await faults({ 'a.pem': `${KEY}\n` }, { 'a.pem': `${KEY}\n${SHORT}\n` })).toEqual([`a.pem: ${HOLDS}`]);
    expect(await faults({ 'a.pem': `${SHORT}\n` }, { 'a.pem': `x\n${SHORT}\ny\n` })).toEqual([]);
    expect(await faults({ 'a.ts': '/**********/\n' }, { 'a.ts': '/**********/\none\n' })).toEqual([]);
    expect(await faults({}, { [`${KEY}.ts`]: 'one\n' })).toEqual([expect.stringContaining(HOLDS)]);
    expect(await faults({ [`${KEY}.ts`]: 'one\n' }, { [`${KEY}.ts`]: 'two\n' })).toEqual([]);
  });

  test('may drop a line of a key of several lines, write between them and change their ends', async () => {
    const head = { 'a.pem': `${LINES.join('\n')}\n` };
    expect(await faults(head, { 'a.pem': `${LINES.slice(1).join('\n')}\n` })).toEqual([]);
    expect(await faults(head, { 'a.pem': `${LINES.join('\n# a note\n')}\n` })).toEqual([]);
    expect(await faults(head, { 'a.pem': `${LINES.join('\r\n')}\r\n` })).toEqual([]);
  });

  test('is not taken where it writes the stars of a masked prompt back', async () => {
    const head = { 'a.ts': `const key = '${KEY}';\nconst other = 1;\n` };
    expect(await faults(head, { 'a.ts': "const key = '***';\nconst other = 1;\n" })).toEqual([STARS]);
    expect(await faults(head, { 'a.ts': "export const key = '***';\r\n" })).toEqual([STARS]);
    expect(await faults(head, { 'a.ts': null, 'b.ts': "const key = '***';\n" })).toEqual([STARS]);
  });

  test('may write stars where no value is masked, and leave those that are there', async () => {
    expect(await faults({ 'a.md': 'one\n' }, { 'a.md': 'one\n\n***\n', 'b.md': '***bold***\n' })).toEqual([]);
    const head = { 'a.md': `${KEY}\n***\n` };
    expect(await faults(head, { 'a.md': `${KEY}\n***\nmore\n/*****/\n` })).toEqual([]);
  });
});
