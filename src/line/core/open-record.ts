import type { Admitted } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { NO_GRANTS } from './grants.ts';
import { NOTHING_IN_A_ROW } from './takeover.ts';

/**
 * A new record. After an earlier admission of the id, numbers of attempts and calls continue (their refs and files
 * stay), and the usage of an unfinished one still counts.
 */
export function openRecord(entry: Admitted, before: TaskRecord | undefined): TaskRecord {
  const unfinished = before !== undefined && before.status !== 'abandoned' && before.status !== 'merged';
  return {
    taskId: entry.contract.taskId,
    contract: entry.contract,
    document: entry.document,
    contractDigest: entry.digest,
    target: entry.target,
    base: entry.base,
    createdAt: entry.at,
    updatedAt: entry.at,
    status: 'pending_implementer',
    statusReason: 'Awaiting implementation',
    attempt: before?.attempt ?? 0,
    calls: before?.calls ?? [],
    interruptedCalls: before?.interruptedCalls ?? 0,
    openCall: undefined,
    answered: undefined,
    callCount: before?.callCount ?? 0,
    hold: undefined,
    judgedOutside: false,
    strikes: [],
    stalls: 0,
    takeovers: [],
    inARow: NOTHING_IN_A_ROW,
    refusedAnswers: 0,
    regenerated: 0,
    scopeRefusals: 0,
    reviewCycles: 0,
    localRounds: 0,
    quickFixes: { stage: 0, task: 0 },
    contractRuled: false,
    putOff: [],
    doubts: [],
    rebuttals: 0,
    unreadableReports: 0,
    feedback: [],
    change: undefined,
    gates: undefined,
    ...(entry.ungated === undefined ? {} : { ungated: true }),
    weakeningReport: undefined,
    timesWeakened: 0,
    reviews: [],
    rounds: [],
    rebuttal: [],
    rejected: [],
    onlyGates: false,
    fresh: false,
    words: unfinished ? before.words : [],
    comments: [],
    grants: NO_GRANTS,
    spent: unfinished ? before.spent : { usd: 0, tokens: 0, minutes: 0, unknownUsd: 0, unknownTokens: 0 },
    sided: undefined,
    lastFacts: {},
    halt: undefined,
    ...(unfinished && before.parked !== undefined ? { parked: before.parked } : {}),
    refusedAnswer: undefined,
    halts: before?.halts ?? 0,
    lastChoice: undefined,
    merge: undefined,
    takenBack: before?.takenBack ?? [],
    undone: undefined,
    history: [],
  };
}
