/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aFactory } from '../support/factory.ts';
import { drop, each, merged, queueOf } from '../support/queue-of-documents.ts';

describe('contracts of one spec', () => {
  test('keep their order, whatever their priorities; a halt of one holds those behind it, and nobody else', async () => {
    const factory = await aFactory(each('A', 'B', 'C', 'X'));
    const alone = (id: string): Readonly<Record<string, unknown>> => ({
      'constraints.allowed_paths': [`docs/${id}.md`],
    });
    const part = (number: number): object => ({ spec: { name: 'login', part: number } });
    drop(factory, 'C', { ...alone('C'), ...part(3), priority: 9 });
    drop(factory, 'B', { ...alone('B'), ...part(2), 'constraints.max_diff_size': 2 });
    drop(factory, 'A', { ...alone('A'), ...part(1) });
    const shown = await factory.andon('queue');
    expect(shown.stdout).toMatch(
      /^1 {2}A {2}is next\n2 {2}B {2}waits for A, .*an earlier part of login\n3 {2}C {2}waits for B/,
    );
    const dog = await factory.watch();
    await dog.until(() => factory.isHalted());
    drop(factory, 'X', alone('X'));
    await dog.until(() => factory.isMerged('X'));
    expect((await queueOf(factory)).map(({ why }) => why)).toEqual([
      'waits for B, which is halted and needs you, an earlier part of login',
    ]);
    await factory.andon('resume', 'B', '--path', '1');
    await dog.until(() => factory.isMerged('C'));
    expect(merged(factory)).toEqual(['A', 'X', 'B', 'C']);
  });
});
