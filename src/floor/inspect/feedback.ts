import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecorded } from '../../formats/rule-audit.ts';
import { Problem } from '../../problems/problem.ts';
import { auditOf } from '../open-floor.ts';
import type { Place } from '../open-floor.ts';
import { readProjectRulebook } from '../rulebook.ts';
import { isFile, readWholeFiles } from './read-files.ts';

/** A human's word that a rule was wrong about something; `rules stats` counts them. */
export interface Feedback {
  readonly at: string;
  readonly rule: string;
  readonly verdict: 'false_positive';
  /** The fingerprint (or its beginning) or the place, as it was typed. */
  readonly finding: string;
  readonly reason: string;
  readonly by: string;
}

/** Writes down that a finding was wrong; the rule must be one of the project. */
export async function recordFeedback(
  place: Place,
  cwd: string,
  given: Omit<Feedback, 'at' | 'verdict'>,
): Promise<Feedback> {
  const { rules } = await readProjectRulebook(place.facts.root);
  if (!rules.some(({ rule }) => rule.id === given.rule))
    throw new Problem('bad-argument', `there is no rule ${given.rule} here`, 'andon rules list shows every rule');
  findingMustBe(place, cwd, given);
  const feedback: Feedback = { at: new Date().toISOString(), verdict: 'false_positive', ...given };
  mkdirSync(auditOf(place).folder, { recursive: true, mode: 0o700 });
  appendFileSync(feedbackFile(place), `${JSON.stringify(feedback)}\n`, { mode: 0o600 });
  return feedback;
}

/** A word about something that nobody ever found would only spoil the counts. */
function findingMustBe(place: Place, cwd: string, { rule, finding }: Pick<Feedback, 'rule' | 'finding'>): void {
  if (/^[0-9a-f]{8,64}$/.test(finding)) {
    if (isRecorded(auditOf(place).violations().entries, rule, finding)) return;
    throw new Problem(
      'bad-argument',
      `no finding ${finding} of ${rule} was ever recorded here`,
      'name the id that the report shows beside the finding, or file:line',
    );
  }
  const [, name, line] = /^(.+):([1-9]\d*)$/.exec(finding) ?? [];
  if (name === undefined)
    throw new Problem(
      'bad-argument',
      `${finding} is neither the id of a finding nor a place`,
      'name the id that the report shows, or file:line',
    );
  const { root } = place.facts;
  const [file] = readWholeFiles(root, isFile(root, name) ? root : cwd, [name]);
  const lines = file?.added.length ?? 0;
  if (Number(line) > lines)
    throw new Problem(
      'bad-argument',
      `${name} has no line ${line}: it has ${lines}`,
      'name the place that the report shows, as file:line',
    );
}

/** Everything that was said so far, oldest first; a torn last line is left out. */
export function readFeedback(place: Place): readonly Feedback[] {
  const file = feedbackFile(place);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((row) => {
      try {
        return row === '' ? [] : [JSON.parse(row) as Feedback];
      } catch {
        return [];
      }
    });
}

const feedbackFile = (place: Place): string => join(auditOf(place).folder, 'feedback.jsonl');
