import { createHandoffQueue, type Queue } from '../queue/handoff-queue.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';

/** The contracts that wait in a project. */
export const openQueue = (root: string): Queue => createHandoffQueue(createHandoff(root));
