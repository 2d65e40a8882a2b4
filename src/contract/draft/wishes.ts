import type { z } from 'zod';
import type { gateSchema } from '../gate.ts';
import type { StandardRoles } from '../task-contract.ts';
import { prohibitedPaths } from './prohibitions.ts';
import type { Complexity } from '../task-contract-shape.ts';

/** A gate as a contract writes it. */
export type WrittenGate = Readonly<z.infer<ReturnType<typeof gateSchema>>>;

/** What a user says about a new task, by flags, in a conversation or in a spec; a contract is made of it. */
export interface Wishes {
  readonly taskId: string;
  readonly project: string;
  readonly title?: string | undefined;
  readonly notes?: string | undefined;
  readonly requirements: readonly string[];
  readonly criteria: readonly string[];
  readonly target?: string | undefined;
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  readonly sources: readonly string[];
  readonly allowDeletes?: boolean | undefined;
  readonly allowShrink?: boolean | undefined;
  readonly allowTestChanges: readonly string[];
  readonly allowTestLoss?: boolean | undefined;
  readonly maxDiffSize?: number | undefined;
  readonly maxDeleteRatio?: number | undefined;
  readonly complexity?: Complexity | undefined;
  readonly priority?: number | undefined;
  readonly after: readonly string[];
  readonly notBefore?: string | undefined;
  readonly branch?: string | undefined;
  readonly implementers: readonly string[];
  readonly reviewer: string;
  readonly judge: string;
  readonly floorManager?: string | undefined;
  readonly gates: readonly WrittenGate[];
  readonly holdoutGates: readonly WrittenGate[];
  readonly holdoutCriteria: readonly string[];
  readonly usd?: number | undefined;
  readonly tokens?: number | undefined;
  readonly minutes?: number | undefined;
  readonly maxRebuttals?: number | undefined;
  readonly maxReviewCycles?: number | undefined;
  readonly timeoutMinutes?: number | undefined;
  readonly hardLimitMinutes?: number | undefined;
}

/** Wishes of which some are still to come. */
export type PartialWishes = { readonly [Key in keyof Wishes]?: Wishes[Key] | undefined };

/** What the place says where nobody wishes otherwise. */
export type StandardWishes = Pick<Wishes, 'project' | 'implementers' | 'reviewer' | 'judge'>;

/** The wishes that a project has by its name and the roles of its configuration. */
export const standardWishes = (
  project: string,
  { implementers, localReviewer, reviewers = [localReviewer], judge, judges = [judge] }: StandardRoles,
): StandardWishes => ({ project, implementers, reviewer: reviewers.join(','), judge: judges.join(',') });

/** Fills what nobody wished for: nothing, or what the place says. What a requirement forbids for certain is forbidden. */
export function completeWishes(wishes: PartialWishes, standard: StandardWishes): Wishes {
  const complete = fillDefaults(wishes, standard);
  const { requirements, criteria, notes, allowed, forbidden, target } = complete;
  const prose = [...requirements, ...criteria, notes ?? ''].join('\n');
  const more = prohibitedPaths(prose).filter((path) => ![...allowed, ...forbidden, target].includes(path));
  return more.length === 0 ? complete : { ...complete, forbidden: [...forbidden, ...more] };
}

const fillDefaults = (wishes: PartialWishes, standard: StandardWishes): Wishes => ({
  taskId: '',
  requirements: [],
  criteria: [],
  // A task that writes one file may touch that one.
  allowed: wishes.target === undefined ? [] : [wishes.target],
  forbidden: [],
  sources: [],
  allowTestChanges: [],
  after: [],
  gates: [],
  holdoutGates: [],
  holdoutCriteria: [],
  ...standard,
  ...saidIn(wishes),
});

/** The wishes that somebody has. */
export const saidIn = (wishes: PartialWishes): Partial<Wishes> =>
  Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
