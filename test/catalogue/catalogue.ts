import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a case of the fault and attack catalogue is proven: a file, and the title of a test as it stands there. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}

/** One fault or attack, and what shows that andon stands it. */
export interface Case {
  readonly number: number;
  readonly name: string;
  /** S1: a lost or unauthorised merge, an escape, lost data, a leaked secret; S2: a wrong halt or exhaustion; S3, S4: less. */
  readonly severity: 'S1' | 'S2' | 'S3' | 'S4';
  readonly group: string;
  readonly proofs: readonly Proof[];
  /** Why no test runs it. */
  readonly notRun?: string;
}

/** What the letters of the groups stand for. */
export const GROUPS: Readonly<Record<string, string>> = {
  A: 'crash and disk',
  B: 'processes and time',
  C: 'locks',
  D: 'watching',
  E: 'states of git',
  F: 'contracts as input',
  G: 'changes and their limits',
  H: 'git as a weapon',
  I: 'the cage',
  J: 'text',
  K: 'judge and web',
};

/** Suites that run by a command of their own: their proofs are named here and run there. */
export const OPT_IN: readonly (readonly [folder: string, command: string])[] = [
  ['test/crash/', 'npm run test:crash'],
  ['test/real/', 'npm run test:real-claude'],
];

/** Every case, in order. */
export const CASES: readonly Case[] = readFileSync(join(import.meta.dirname, 'cases.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((row) => JSON.parse(row) as Case);

/** The proofs of a case that the ordinary suites hold. */
export const ordinary = ({ proofs }: Case): readonly Proof[] =>
  proofs.filter(({ file }) => !OPT_IN.some(([folder]) => file.startsWith(folder)));

/** What a title becomes once its placeholders are filled in. */
export const asPattern = (title: string): string =>
  title
    .split(/%[sjid#]|\$\{[^}]*\}|\$name/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
