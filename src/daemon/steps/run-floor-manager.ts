import type { LineRecord } from '../../record/line-record.ts';
import { formatRebuttalPoint } from '../../record/rebuttal.ts';
import { listDoubts } from '../../record/ruling.ts';
import { getJudgeReport } from '../../record/reviews.ts';
import { decideOnChange } from '../../line/decide.ts';
import { toProjectPath } from '../../line/stations/desk.ts';
import { askFloorManager } from './ask-floor-manager.ts';
import { merge } from './merge.ts';
import { isDecidedOutside } from '../../line/external-judge.ts';
import { awaitHumanDecision } from './await-human-decision.ts';
import { UNMEASURED, withoutWaiting } from '../../record/gate-tampering.ts';
import { askGatesTwice } from '../gates/ask-gates-twice.ts';
import { checkBase } from '../gates/check-base.ts';
import { objectToTampering } from '../gates/measure-gates.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { indexTree } from '../git/tree-index.ts';
import { askDoubts } from './ask-on-the-line.ts';
import { ruleOnWords } from './rule-on-task.ts';
import type { CallServices, GateServices, Needs } from '../../wiring/services.ts';

/** The floor manager: decides on the report, and carries the decision out. */
export async function runFloorManager(
  services: CallServices & GateServices & Needs<'audit' | 'configuration' | 'nonce' | 'project'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { record } = log;
  const decision = isDecidedOutside(record)
    ? await awaitHumanDecision(services, record, signal)
    : await askFloorManager(services, log, decideOnChange(record, await treeLookup(services, record)), signal);
  switch (decision.do) {
    case 'merge':
      return (await whyNotMerged(services, record, signal)) ?? merge(services, log, signal);
    case 'rebut':
      return {
        event: 'fail_disagree',
        reason: `rebuttal: ${decision.points.slice(0, 1).map(formatRebuttalPoint).join('')}`,
        facts: { rebuttal: [...decision.points] },
      };
    case 'fix': {
      const text = decision.fixes.map((fix) => `- ${fix}`).join('\n');
      const { objection, rulings } = await askDoubts(services, log, signal, (ask) =>
        ruleOnWords(services, record, 'fixes', text, ask),
      );
      const doubts = rulings.map((ruling) => ({ ...ruling, found: [...listDoubts(ruling)] }));
      return (
        objection ?? {
          event: 'fail_agree',
          reason: decision.reason,
          facts: {
            feedback: [{ from: 'judge', text }],
            ...(doubts.some(({ found }) => found.length > 0) ? { rulings: doubts } : {}),
          },
        }
      );
    }
  }
}

/** What the judge tied to no requirement, and what slow gates say when they are asked a second time. */
async function whyNotMerged(
  services: GateServices & Needs<'journal'>,
  record: LineRecord,
  signal: AbortSignal,
): Promise<StepOutcome | undefined> {
  const { bending = UNMEASURED, change, gates } = record;
  const untied = objectToTampering(withoutWaiting(bending), {});
  const isAsked = typeof bending.secondLook !== 'object' || bending.secondLook.later.length === 0;
  if (untied !== undefined || isAsked || change === undefined || gates === undefined) return untied;
  const base = await checkBase(services, record, signal);
  if (!base.ok) return base.why;
  const asked = { record, change, bending, base: base.value, run: gates };
  const again = await askGatesTwice(services, asked, 'before the merge', signal);
  return objectToTampering(withoutWaiting(again.bending), {});
}

/** Answers whether the judged tree has a file, and that many lines of it. */
async function treeLookup(
  services: Needs<'repository'>,
  record: LineRecord,
): Promise<(file: string, line: number | undefined) => boolean> {
  const commit = record.change?.commit ?? record.base;
  const { byPath: known } = indexTree(await services.repository.files(commit));
  const cited = (getJudgeReport(record)?.blocking ?? [])
    .flatMap(({ file }) => (file === undefined ? [] : [toProjectPath(file)]))
    .filter((file) => known.has(file));
  const contents = await services.repository.read(commit, [...new Set(cited)]);
  return (file, line) => {
    const path = toProjectPath(file);
    if (!known.has(path)) return false;
    if (line === undefined) return true;
    const text = new TextDecoder().decode(contents.get(path) ?? new Uint8Array());
    return line <= text.split('\n').length;
  };
}
