import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Every kept line of a watchdog's log, oldest first. */
export const readLogLines = (state: string): readonly string[] =>
  readdirSync(join(state, 'logs'))
    .filter((name) => name.endsWith('.log'))
    .toSorted()
    .flatMap((name) => readFileSync(join(state, 'logs', name), 'utf8').split('\n'))
    .filter((line) => line !== '');
