import { createHandoffQueue } from '../adapters/queue/handoff-queue.ts';
import type { Queue } from '../ports/queue.ts';
import { handoffAt } from './files.ts';

/** The contracts that wait in a project. */
export const openQueue = (root: string): Queue => createHandoffQueue(handoffAt(root));
