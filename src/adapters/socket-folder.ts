import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest path that the kernel takes for a socket is 107 bytes; the name of the socket needs some of them. */
const LONGEST_FOLDER = 92;

/** A private folder for a Unix socket, in the temporary folder, or in /tmp where that has too long a path. */
export function makeSocketFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'andon-socket-'));
  if (Buffer.byteLength(folder) <= LONGEST_FOLDER) return folder;
  rmSync(folder, { recursive: true });
  return mkdtempSync('/tmp/andon-socket-');
}
