import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FILES } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { formatInboxPath } from '../../project/workspace/files.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { refuseForeignRoot } from '../../project/workspace/lock-workspace.ts';

/** Drops a contract on the line or into the queue, and returns its path. An existing file is never replaced. */
export function dropContract(place: Workspace, taskId: string, text: string, inQueue: boolean): string {
  refuseForeignRoot(place.facts);
  const handoff = createHandoff(place.inboxRoot);
  handoff.prepare();
  const name = inQueue ? `${FILES.queue}/${taskId}.json` : FILES.contract;
  if (!handoff.write(name, text, () => !handoff.exists(name)))
    throw new Problem(
      'file-exists',
      `${formatInboxPath(place, name)} is there already`,
      inQueue ? 'remove it, or choose another --id' : 'wait until that task has ended, or add --queue',
    );
  return formatInboxPath(place, name);
}

/** Saves a contract in another file; an existing one is never replaced. */
export function keepContract(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(
      'file-exists',
      code === 'EEXIST' ? `${file} is there already` : `${file} cannot be written (${code ?? 'unknown error'})`,
      'name another file',
    );
  }
}
