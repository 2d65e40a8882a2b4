import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The command as it is shipped, built from the sources of this very run. */
    andon: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');

/**
 * Builds andon once before the tests of a project that run the command: what they run is what users run, and it starts
 * in two thirds of the time. It lies where its packages and the stand-ins are found, and each run has its own.
 */
export default function build(project: TestProject): () => void {
  const own = join(ROOT, 'node_modules/.cache/andon', `${project.name}-${process.pid}`);
  const folder = join(own, 'dist');
  // As in the package: without it Node.js parses every file twice to see what it is.
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'package.json'), '{"type": "module"}');
  execFileSync(process.execPath, [join(ROOT, 'node_modules/rolldown/bin/cli.mjs'), '-c', '--dir', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  project.provide('andon', join(folder, 'main.js'));
  return () => rmSync(own, { recursive: true, force: true });
}
