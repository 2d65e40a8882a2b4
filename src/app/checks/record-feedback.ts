import { MESSAGE_CHECK_IDS } from '../../line/stations/message-checks.ts';
import { countViolations } from '../../rules/model/audit-entry.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { openAudit } from '../../rules/files/audit-log.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readProjectRulebook } from '../../rules/files/rulebook.ts';

/** A human's word that a rule was wrong about something; `rules stats` counts them. */
interface FeedbackEntry {
  readonly at: string;
  readonly rule: string;
  readonly verdict: 'false_positive';
  /** Its id, its place or its task, as it was typed. */
  readonly finding: string;
  readonly reason: string;
  readonly by: string;
}

/** Writes down that a finding was wrong: of a rule of the project, or of a message check. */
export async function recordFeedback(
  place: Workspace,
  given: Omit<FeedbackEntry, 'at' | 'verdict'>,
): Promise<FeedbackEntry> {
  const isKnown =
    isMessageCheck(given.rule) ||
    (await readProjectRulebook(place.facts.root)).rules.some(({ rule }) => rule.id === given.rule);
  if (!isKnown) throw createUsageError(`there is no rule ${given.rule} here`, 'andon rules list shows every rule');
  const entry = readFeedback(place).find(
    (one) =>
      one.rule === given.rule && one.finding === given.finding && one.reason === given.reason && one.by === given.by,
  );
  if (entry !== undefined) return entry; // a repeated complaint counts once
  const feedback: FeedbackEntry = { at: new Date().toISOString(), verdict: 'false_positive', ...given };
  const dir = openDir(openAudit(place).folder);
  dir.makeFolder('', 0o700);
  dir.append(FILE, JSON.stringify(feedback), 0o600);
  return feedback;
}

export function readRuleStats(place: Workspace) {
  const { entries, unreadable } = openAudit(place).violations();
  const marks = readFeedback(place).map(({ rule }) => rule);
  return { rules: countViolations(entries, marks), unreadable };
}

/** Whether a name is that of a message check, and no rule of a rulebook. */
export const isMessageCheck = (name: string): boolean => MESSAGE_CHECK_IDS.includes(name);

/** All feedback, oldest first; a torn last line is left out. */
export function readFeedback(place: Workspace): readonly FeedbackEntry[] {
  const { folder } = openAudit(place);
  const read = openDir(folder).lines(FILE, MOST_BYTES);
  if (!read.ok) throw new Problem('bad-configuration', `${folder}/${FILE} ${read.why}`, 'move it away', 1);
  return read.value.flatMap((row) => parseJsonObject<FeedbackEntry>(row, ['at', 'rule', 'finding']) ?? []);
}

const FILE = 'feedback.jsonl';
/** Of more only the end is read. */
const MOST_BYTES = 32 * 1024 * 1024;
