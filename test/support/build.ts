import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';
import { configOf } from '../../rolldown.config.ts';
import { isAlive } from './processes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The command as it is shipped, built from the sources of this very run. */
    andon: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'node_modules/.cache/andon');

/** The build of this run: vitest loads this module once for each project. */
const kept = globalThis as { andonBuilt?: Promise<void> | undefined };

/**
 * Builds andon once before the tests of the projects that run the command: what they run is what users run, and it
 * starts in two thirds of the time. It is where its packages and the stand-ins are found, and each run has its own.
 * `cli.js` beside it is the same code for tests that run commands in their own process.
 */
export default async function build(project: TestProject): Promise<() => void> {
  const own = join(BUILT, `run-${process.pid}`);
  const folder = join(own, 'dist');
  await (kept.andonBuilt ??= buildInto(own, folder));
  project.provide('andon', join(folder, 'main.js'));
  return () => rmSync(own, { recursive: true, force: true });
}

async function buildInto(own: string, folder: string): Promise<void> {
  removeAbandoned();
  // As in the package: without it Node.js parses every file twice to see what it is.
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), '{"type": "module"}');
  const config = configOf(1);
  await rolldown({
    ...config,
    cwd: ROOT,
    input: { main: 'src/main.ts', cli: 'test/support/expose-cli.ts' },
    output: { ...config.output, dir: folder },
  });
}

/** Removes what runs have left behind that were killed, where it can be seen which of them still live. */
function removeAbandoned(): void {
  for (const name of existsSync(BUILT) && existsSync('/proc') ? readdirSync(BUILT) : [])
    if (!isAlive(Number(name.split('-').at(-1)))) rmSync(join(BUILT, name), { recursive: true, force: true });
}
