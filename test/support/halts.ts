import { expect } from 'vitest';
import { headOf } from './answers.ts';
import { aContract } from './contract.ts';
import { aFactory, type Factory, type Options, type Watchdog } from './factory.ts';
import { resume } from './versions.ts';

/** A line that one breaker has stopped. */
export interface Halted {
  readonly factory: Factory;
  readonly dog: Watchdog;
}

/** Runs a task until it halts, and expects this breaker to be the reason. */
export async function haltedBy(breaker: string, options: Options, contract = {}): Promise<Halted> {
  const factory = await aFactory(options);
  const { dog, status } = await factory.run(aContract(contract));
  expect([status, factory.breaker()]).toEqual(['erik_consultation', breaker]);
  return { factory, dog };
}

/** Expects the report to promise this of a path, and takes the path. */
export async function take(
  { factory }: Halted,
  path: 1 | 2,
  promised: string,
  ...more: readonly string[]
): Promise<void> {
  const section = (factory.paper('ERIK_HALT.md') ?? '').split(`### Path ${path}: `)[1]?.split('\n### ')[0];
  expect(section).toContain(promised);
  await resume(factory, path, ...more);
}

/** Waits until another halt stands with all its papers, and gives its breaker and reason. */
export async function nextHalt({ factory, dog }: Halted, number: number): Promise<string> {
  await dog.until(() => factory.isHalted() && headOf(factory, 'halt') === `DOC-001-${number}`);
  const { halt } = await factory.show('DOC-001');
  return `${halt?.breaker ?? ''}: ${halt?.reason ?? ''}`;
}

/** The commit of an attempt. */
const attempt = ({ factory }: Halted, number: number): string =>
  factory.git('rev-parse', `refs/andon/DOC-001/${number}`);

/** Expects a task that was given up: nothing merged, branch and attempts kept, checkout as it was. */
export async function expectAbandoned(halted: Halted, attempts: number): Promise<void> {
  const { factory, dog } = halted;
  await dog.until(() => factory.paper('archive/DOC-001/TASK_CONTRACT.json'));
  expect((await factory.show('DOC-001')).status).toBe('abandoned');
  expect(factory.merges()).toEqual([]);
  if (attempts > 0) expect(factory.git('rev-parse', 'task/DOC-001')).toBe(attempt(halted, attempts));
  for (let number = 1; number <= attempts; number += 1) expect(attempt(halted, number)).toMatch(/^\w{40}$/);
}

/** The prompts that the implementer got, oldest first. */
export const briefs = ({ factory }: Halted): readonly string[] =>
  factory.calls('implementer').map(({ prompt }) => prompt);
