import type { LineRecord } from '../../formats/line-record.ts';
import { decide } from '../../line/decide.ts';
import { citedPath } from '../../stations/judge.ts';
import { merge } from '../merge.ts';
import { ReportSeal, tamperedReport } from '../report-seal.ts';
import { isDecidedOutside } from '../../line/outside.ts';
import { decisionFromOutside } from './decision-outside.ts';
import type { StepLog, StepOutcome } from '../step-log.ts';
import { treeIndex } from '../tree-index.ts';
import { ignoreHooks } from '../apply-rules.ts';
import { ruleOnWords } from './keep-rules.ts';
import type { World } from '../world.ts';

/** The floor manager: decides on the report, and carries the decision out. */
export async function manage(world: World, log: StepLog, signal: AbortSignal): Promise<StepOutcome> {
  const { record } = log;
  const decision = isDecidedOutside(record)
    ? await decisionFromOutside(world, record, signal)
    : decide(record, await treeLookup(world, record));
  const edited = await new ReportSeal().settled(world, record, signal);
  if (edited !== undefined) return tamperedReport(world, edited);
  switch (decision.do) {
    case 'merge': {
      const outcome = await merge(world, log, signal);
      if (outcome.event === 'pass' && record.change !== undefined) await ignoreHooks(world, record, record.change.tree);
      return outcome;
    }
    case 'rebut':
      return {
        event: 'fail_disagree',
        reason: `rebuttal: ${decision.evidence[0] ?? ''}`,
        facts: { rebuttal: [...decision.evidence] },
      };
    case 'fix': {
      const text = decision.fixes.map((fix) => `- ${fix}`).join('\n');
      const { objection } = await ruleOnWords(world, record, 'fixes', text);
      return (
        objection ?? { event: 'fail_agree', reason: decision.reason, facts: { feedback: [{ from: 'judge', text }] } }
      );
    }
  }
}

/** Answers whether the judged tree has a file, and that many lines of it. */
async function treeLookup(
  world: World,
  record: LineRecord,
): Promise<(file: string, line: number | undefined) => boolean> {
  const commit = record.change?.commit ?? record.base;
  const { byPath: known } = treeIndex(await world.repository.files(commit));
  const cited = (record.report?.blocking ?? [])
    .flatMap(({ file }) => (file === undefined ? [] : [citedPath(file)]))
    .filter((file) => known.has(file));
  const contents = await world.repository.read(commit, [...new Set(cited)]);
  return (file, line) => {
    const path = citedPath(file);
    if (!known.has(path)) return false;
    if (line === undefined) return true;
    const text = new TextDecoder().decode(contents.get(path) ?? new Uint8Array());
    return line <= text.split('\n').length;
  };
}
