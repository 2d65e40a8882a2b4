import { MESSAGE_CHECK_IDS } from '../../line/stations/message-checks.ts';
import { countViolations, isRecorded } from '../../rules/model/audit-entry.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { readEntries } from '../../line/journal/open-journal.ts';
import { openAudit } from '../../rules/files/audit-log.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { isThere, readWholeFiles } from '../../rules/files/read-files.ts';
import { readProjectRulebook } from '../../rules/files/rulebook.ts';

/** A human's word that a rule was wrong about something; `rules stats` counts them. */
interface FeedbackEntry {
  readonly at: string;
  readonly rule: string;
  readonly verdict: 'false_positive';
  /** The fingerprint (or its beginning) or the place, as it was typed. */
  readonly finding: string;
  readonly reason: string;
  readonly by: string;
}

/** Writes down that a finding was wrong: of a rule of the project, or of a message check, in a task of the journal. */
export async function recordFeedback(
  place: Workspace,
  cwd: string,
  given: Omit<FeedbackEntry, 'at' | 'verdict'>,
): Promise<FeedbackEntry> {
  const isCheck = isMessageCheck(given.rule);
  const { rules } = isCheck ? { rules: [] } : await readProjectRulebook(place.facts.root);
  if (isCheck) requireObjection(place, given);
  else if (!rules.some(({ rule }) => rule.id === given.rule))
    throw createUsageError(`there is no rule ${given.rule} here`, 'andon rules list shows every rule');
  else requireFinding(place, cwd, given);
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

/** A false positive is recorded for the task in which the check objected. */
function requireObjection(place: Workspace, { rule, finding }: Pick<FeedbackEntry, 'rule' | 'finding'>): void {
  const objected = readEntries(place, finding).some(
    (entry) =>
      entry.kind === 'moved' && (entry.facts.rulings ?? []).some(({ found }) => found.some((one) => one.rule === rule)),
  );
  if (objected) return;
  throw createUsageError(
    `${rule} has objected to nothing in a task ${finding}`,
    'name the task whose story tells of it: andon rules feedback <check> <task> --false "<reason>"',
  );
}

/** Feedback on an unknown finding would distort the counts. */
function requireFinding(
  place: Workspace,
  cwd: string,
  { rule, finding }: Pick<FeedbackEntry, 'rule' | 'finding'>,
): void {
  const [, name, line] = /^(.+):([1-9]\d*)$/.exec(finding) ?? [];
  if (name !== undefined) return requireLine(place.facts.root, cwd, name, Number(line));
  const isId = /^[0-9a-f]{8,64}$/.test(finding);
  if (isId && isRecorded(openAudit(place).violations().entries, rule, finding)) return;
  throw createUsageError(
    isId ? `no finding ${finding} of ${rule} was ever recorded here` : `${finding} is neither an id nor a place`,
    'name the id that the report shows beside the finding, or file:line',
  );
}

function requireLine(root: string, cwd: string, name: string, line: number): void {
  const [file] = readWholeFiles(root, isThere(root, name) ? root : cwd, [name]);
  const lines = file?.added.length ?? 0;
  if (line > lines)
    throw createUsageError(
      `${name} has no line ${line}: it has ${lines}`,
      'name the place that the report shows, as file:line',
    );
}

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
