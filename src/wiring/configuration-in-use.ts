import { openDir } from '../adapters/safe-fs.ts';
import { parseJson } from '../base/json-object.ts';
import type { Workspace } from './load-workspace.ts';

/** What the watchdog says of its configuration, in the state folder, for commands that only show. */
const FILE = 'configuration.json';
const LARGEST = 64 * 1024;

/** The configuration that a watchdog works with. */
export interface ConfigurationInUse {
  /** Whether it works with the files of the checkout, committed or not. */
  readonly trial: boolean;
  /** Every difference between the disk and what it works with, a sentence each. */
  readonly gaps: readonly string[];
}

/** Writes it down; it may be lost with the machine. */
export const writeInUse = ({ state }: Pick<Workspace, 'state'>, inUse: ConfigurationInUse): void =>
  openDir(state).put(FILE, `${JSON.stringify(inUse)}\n`, 0o600);

/** What the last watchdog wrote; undefined when there is nothing that can be read. */
export function readInUse({ state }: Pick<Workspace, 'state'>): ConfigurationInUse | undefined {
  const read = openDir(state).text(FILE, LARGEST);
  const { trial, gaps } = Object(read.ok && read.value !== undefined ? parseJson(read.value) : undefined) as {
    readonly trial?: unknown;
    readonly gaps?: unknown;
  };
  if (typeof trial !== 'boolean' || !Array.isArray(gaps)) return undefined;
  return { trial, gaps: gaps.filter((gap) => typeof gap === 'string') };
}
