import { AGENT_IDS } from '../base/agents.ts';
import { listDriverNames, readDriver } from '../config/drivers.ts';
import { isOnPath, isProgram } from '../wiring/on-path.ts';
import { listDriverSources } from '../wiring/open-drivers.ts';
import type { Workspace } from '../wiring/load-workspace.ts';

/** A driver whose program is on this machine. */
export interface FoundAgent {
  readonly driver: string;
  /** It implements only by editing the files itself. */
  readonly edits: boolean;
  readonly implements: boolean;
  readonly reviews: boolean;
}

/** The drivers with a program of their own on this machine; no program is started. */
export function findAgents(
  place: Pick<Workspace, 'settings' | 'userConfig'>,
  path: string | undefined,
): readonly FoundAgent[] {
  const sources = listDriverSources(place);
  return listDriverNames(sources)
    .filter((name) => !AGENT_IDS.some((id) => id === name))
    .flatMap((driver) => {
      const read = readDriver(driver, sources);
      if (!read.ok || !('calls' in read.value)) return [];
      const { program, calls } = read.value;
      if (!isHere(program, path)) return [];
      const edits = calls.text === undefined && calls.edit !== undefined;
      return [{ driver, edits, implements: edits || calls.text !== undefined, reviews: calls.review !== undefined }];
    });
}

/** Whether a program can be started by its name or its path. */
export const isHere = (program: string, path: string | undefined): boolean =>
  program.includes('/') ? isProgram(program) : isOnPath(program, path);
