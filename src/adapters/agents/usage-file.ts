import { valueIn } from '../../base/json-object.ts';
import type { DriverOutput } from '../../config/driver-output.ts';
import { countedIn } from './event-rules.ts';
import type { Counted } from './event-rules.ts';
import type { PrivateFolder } from './private-folder.ts';

const NAME = '.andon-usage.json';
/** Figures of a call by model and agent; larger ones are read by nobody. */
const MOST = 1024 * 1024;

/** Where a program writes what it used, in its private home. */
export const usageFile = (own: PrivateFolder): string => `${own.folder('home')}/${NAME}`;

/** What a program wrote of its usage when it ended; undefined where its driver asks for no such file, or it holds none. */
export function usageInFile({ usage }: DriverOutput, own: PrivateFolder): Counted | undefined {
  if (usage?.file !== true) return undefined;
  const told = valueIn(own.read(`home/${NAME}`, MOST) ?? '');
  return told === undefined ? undefined : countedIn(told, usage);
}
