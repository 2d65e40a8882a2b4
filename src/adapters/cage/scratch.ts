import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one command, with its TMPDIR in it; removed with the command. */
export async function withScratchFolder<Result>(work: (scratch: string) => Promise<Result>): Promise<Result> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'andon-caged-')));
  try {
    mkdirSync(join(scratch, 'tmp'));
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Why the cage of a command could not be built, by the note of its builder; undefined when it was. */
export function readCageFault(scratch: string): string | undefined {
  const note = join(scratch, 'not-started');
  return existsSync(note) ? readFileSync(note, 'utf8') : undefined;
}
