import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ELSEWHERE, RUNNERS } from './runners/index.ts';
import { WrongInput, casesFolder, differences, readCases, ruledAsOurs } from './run-cases.ts';

const OBSERVED = {
  status: 'halted',
  exit: 1,
  why: 'the hash is wrong',
  deep: { list: [{ a: 1, b: 2 }] },
  not_applicable: 1,
};

describe('an expectation', () => {
  test.each([
    [{ status: 'halted', exit: 1 }],
    [{ 'deep.list.0.a': 1 }],
    [{ deep: { list: [{ a: 1 }] } }],
    [{ gone: null, 'deep.gone.further': null }],
    [{ exit_not: 0, not_status: 'merged' }],
    [{ whyContains: 'HASH', why_mentions: ['hash', 'wrong'] }],
    [{ absent: 'secret' }],
    [{ not_applicable: 1 }],
    [{ exit_at_least: 1, exit_at_most: 1, exit_below: 2 }],
  ])('holds: %j', (expected) => {
    expect(differences(expected, OBSERVED)).toEqual([]);
  });

  test.each([
    [{ status: 'merged' }],
    [{ status: null }],
    [{ unknown: 1 }],
    [{ 'deep.list.1.a': 1 }],
    [{ deep: { list: [] } }],
    [{ exit_not: 1 }],
    [{ not_status: 'halted' }],
    [{ why_contains: ['hash', 'right'] }],
    [{ gone_contains: 'x' }],
    [{ absent: ['x', 'wrong'] }],
    [{ not_applicable: 2 }],
    [{ exit_at_least: 2 }],
    [{ gone_at_most: 2 }],
    [{ exit_below: 1 }],
  ])('does not hold: %j', (expected) => {
    expect(differences(expected, OBSERVED)).toHaveLength(1);
  });

  test('of an answer that may be any but one', () => {
    expect(differences({ status: 'NOT_PASS_ALONE' }, { status: 'NOT_COVERED' })).toEqual([]);
    expect(differences({ status: 'NOT_PASS_ALONE' }, { status: 'PASS' })).toHaveLength(1);
    expect(differences({ status: 'NOT_PASS_ALONE' }, {})).toHaveLength(1);
  });

  test('of lists of which all must or must not be there', () => {
    const observed = { exists: ['a', 'b'], created: ['c'] };
    expect(differences({ exists: ['b'], must_not_create: ['a'] }, observed)).toEqual([]);
    expect(differences({ exists: ['b', 'z'], must_not_create: ['c'] }, observed)).toHaveLength(2);
  });
});

test('a ruling of our own cases holds for the same row of another folder, and for no other', () => {
  const row = { id: 'halt-a', input: { a: 1 }, expected: { b: 1 }, fixtures: {}, supersededBy: undefined };
  const ours = [{ feature: 'halt', rows: [{ ...row, supersededBy: 'house.md: otherwise' }] }];
  const ruled = (change: object) =>
    ruledAsOurs([{ feature: 'halt', rows: [{ ...row, ...change }] }], ours)[0]?.rows[0]?.supersededBy;
  expect(ruled({})).toBe('house.md: otherwise');
  expect(ruled({ input: { a: 2 } })).toBeUndefined();
  expect(ruled({ expected: { b: 2 } })).toBeUndefined();
  expect(ruled({ supersededBy: 'their own' })).toBe('their own');
});

describe('a folder of cases', () => {
  const folder = (files: Readonly<Record<string, string>>): string => {
    const made = mkdtempSync(join(tmpdir(), 'andon-cases-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
    return made;
  };
  const row = (changes: object = {}): string =>
    JSON.stringify({ id: 'x-1', feature: 'x', input: {}, expected: { decision: 'ACCEPT' }, ...changes });

  test('is read with its fixtures, joined texts and mapped answers', () => {
    const made = folder({
      'x.jsonl': `${row({ input: { text: { $join: ['a', 'b'] } }, maps_to: 'trips:paradox' })}\n\n`,
      'fixtures.json': '{"rule": 1}',
    });
    expect(readCases(made)).toMatchObject([
      {
        feature: 'x',
        rows: [{ id: 'x-1', input: { text: 'ab' }, expected: { answer: 'trips:paradox' }, fixtures: { rule: 1 } }],
      },
    ]);
  });

  test.each([
    ['no case file', {}],
    ['broken JSON', { 'x.jsonl': '{"id": ' }],
    ['another feature', { 'x.jsonl': row({ feature: 'y' }) }],
    ['an id of another feature', { 'x.jsonl': row({ id: 'y-1' }) }],
    ['no input', { 'x.jsonl': row({ input: undefined }) }],
    ['an id twice', { 'x.jsonl': `${row()}\n${row()}` }],
    ['an answer that nobody gives', { 'x.jsonl': row({ maps_to: 'maybe' }) }],
  ])('with %s is refused', (_, files) => {
    expect(() => readCases(folder(files))).toThrow(WrongInput);
  });

  test('that lies here has a runner, or a reason why nothing can run it', () => {
    const features = readCases(import.meta.dirname).map(({ feature }) => feature);
    expect(features.filter((feature) => RUNNERS[feature] === undefined && ELSEWHERE[feature] === undefined)).toEqual(
      [],
    );
    expect(features.length).toBeGreaterThan(0);
  });

  test('is named from where the user typed, or is the own one', () => {
    expect(casesFolder({ ANDON_CASES: 'mine', ANDON_CWD: '/home/erik' })).toBe('/home/erik/mine');
    expect(casesFolder({})).toBe(import.meta.dirname);
    expect(() => readCases('/nowhere')).toThrow(WrongInput);
    expect(() => readCases(casesFolder({}), ['unheard-of'])).toThrow('unheard-of');
  });
});
