import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket path may have 107 bytes in the kernel, including its name. */
const LONGEST_FOLDER = 92;

/** A private folder for a Unix socket, in the temporary folder, or in /tmp where that path is too long. */
export function makeSocketFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'andon-socket-'));
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER) return folder;
  rmSync(folder, { recursive: true });
  return mkdtempSync('/tmp/andon-socket-');
}
