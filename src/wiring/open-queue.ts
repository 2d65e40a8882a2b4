import { handoffQueue } from '../adapters/queue/handoff-queue.ts';
import type { Queue } from '../ports/queue.ts';
import { handoffAt } from './files.ts';

/** The contracts that wait in a project. */
export const queueAt = (root: string): Queue => handoffQueue(handoffAt(root));
