import { createHandoffQueue, type Queue } from '../adapters/queue/handoff-queue.ts';
import { createHandoff } from './files.ts';

export type { Waiting } from '../adapters/queue/handoff-queue.ts';

/** The contracts that wait in a project. */
export const openQueue = (root: string): Queue => createHandoffQueue(createHandoff(root));
