import type { WrittenAnswer } from '../../record/decision.ts';
import { FILES } from '../../base/names.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { Choice } from './check-decision.ts';

/** Whether two choices take different paths of the same halt. */
export const disagree = (one: Choice, other: Choice): boolean =>
  one.taskId === other.taskId && one.haltId === other.haltId && one.path !== other.path;

/** Papers that say the same share its fate; whether a choice is refused depends on all of this. */
export const isSame = (one: Choice, other: Choice): boolean => meaning(one) === meaning(other);

const meaning = ({ haltId, path, tree, contractDigest, confirm, reason }: Choice): string =>
  JSON.stringify([haltId, path, tree ?? '', contractDigest ?? '', confirm?.trim() ?? '', reason ?? '']);

/** The choice that `DECISION.json` makes at a halt. */
export const choiceOf = (answer: WrittenAnswer): Choice => ({
  taskId: answer.task_id,
  path: answer.path,
  haltId: answer.halt,
  tree: answer.tree,
  contractDigest: answer.contract_digest,
  paper: { nonce: answer.nonce },
  confirm: answer.confirm,
  by: answer.by === undefined ? 'a human' : inOneTerminalLine(answer.by, 80),
  how: FILES.decision,
  reason: inWords(answer.reason),
});

/** A reason as it is kept: one line, undefined when nothing was said. */
export const inWords = (reason: string | undefined): string | undefined =>
  reason === undefined || reason.trim() === '' ? undefined : inOneTerminalLine(reason, 500);
