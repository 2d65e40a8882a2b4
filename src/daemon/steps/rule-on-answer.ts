import type { RuledFinding, RuledMoment, Ruling } from '../../record/ruling.ts';
import { responseLanes } from '../../inspection/check-response.ts';
import { extractBy, judgeBy } from '../../inspection/lane-tools.ts';
import { loadRulebook, type ProjectRulebook } from '../../inspection/rulebook/rulebook.ts';
import { isJudged, isOfAnswers } from '../../rules/lanes/judge.ts';
import { listFallbacks, decideAnswerFate, withReplacement } from '../../rules/response/answer-on-the-line.ts';
import { selectForResponse } from '../../rules/response/select-for-response.ts';
import { withoutTranscript } from '../calls/without-transcript.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { CallServices, Needs, RuleServices } from '../../wiring/services.ts';
import { askRules, auditRulings } from './apply-rules.ts';
import { createLineAsker } from './ask-on-the-line.ts';
import { readCircumstances } from './circumstances.ts';
import { createObjection } from './rule-on-task.ts';

/** The moments at which an agent has answered. */
type Answering = Extract<RuledMoment, 'change' | 'review' | 'report'>;

/** What the two lanes say of an answer. */
export interface WhatLanesSay {
  readonly rulings: readonly Ruling[];
  /** Why the answer goes back, as hints for its author. */
  readonly unfit?: string;
  /** The checked text that replaces the words. */
  readonly instead?: string;
  /** What ends the step. */
  readonly objection?: StepOutcome;
}

const NOTHING: WhatLanesSay = { rulings: [] };

/**
 * Holds what an agent answered against the rules whose condition the task meets, and the hard constraints of everywhere:
 * expressions are computed, what must be judged the local model judges. A violation goes back as hints, at most
 * `max_retries` times; then the words of an implementer are replaced by the fallback text of a rule, if that holds, and
 * everything else that must hold stops the line.
 */
export async function ruleOnAnswer(
  services: CallServices & RuleServices,
  log: StepJournal,
  moment: Answering,
  words: string,
  signal: AbortSignal,
): Promise<WhatLanesSay> {
  const { pipeline } = services.settings;
  const book = await loadRulebook(services.journal, services.project);
  const rules = pipeline.enabled && words.trim() !== '' ? rulesFor(services, log, moment, book) : [];
  if (rules.length === 0) return NOTHING;
  const mine = { ...book, rules };
  const asking = createLineAsker(services, log, signal);
  const ask = (text: string): Promise<Ruling> =>
    askRules(
      services,
      log.record,
      moment,
      { response: text, report: text, files: [] },
      mine,
      responseLanes(pipeline, { judge: judgeBy(asking), extract: extractBy(asking) }),
    );
  const ruling = await ask(words);
  const over = asking.ended();
  if (over !== undefined) return { rulings: [], objection: withoutTranscript('local-reviewer', over) };
  if (ruling.unchecked.length > 0) return against(ruling);
  const { regenerated, refusedAnswers } = log.record;
  const fate = decideAnswerFate(ruling, {
    byRules: regenerated,
    inAll: refusedAnswers,
    maxRetries: pipeline.maxRetries,
  });
  if (fate.is === 'stopped' && moment === 'change') {
    const byId = new Map(rules.map(({ rule }) => [rule.id, rule]));
    for (const text of listFallbacks(ruling, byId)) {
      const checked = await ask(text);
      if (asking.ended() !== undefined || checked.unchecked.length > 0 || checked.found.some(isInTheWay)) continue;
      const kept = withReplacement(ruling);
      await auditRulings(services, log.record, moment, kept.found);
      const why = `the words of the answer break ${[...new Set(ruling.found.filter(isInTheWay).map(({ rule }) => rule))].join(', ')} again; the fallback text replaces them`;
      log.note({ kind: 'remark', at: services.clock.now(), text: why });
      return { rulings: [kept], instead: text };
    }
  }
  await auditRulings(services, log.record, moment, fate.ruling.found);
  if (fate.is === 'stopped') return against(ruling);
  const rulings = fate.ruling.found.length === 0 ? [] : [fate.ruling];
  return fate.is === 'sent back' ? { rulings, unfit: fate.hints } : { rulings };
}

function against(ruling: Ruling): WhatLanesSay {
  const stops = createObjection([ruling], {});
  return { rulings: [ruling], ...(stops === undefined ? {} : { objection: stops }) };
}

/** A text in the place of another one may break no rule at all that would have sent it back. */
const isInTheWay = ({ does }: RuledFinding): boolean => does === 'stop' || does === 'quick_fix';

/** The rules for an answer at this moment, without those of a disabled lane. */
function rulesFor(
  services: Needs<'clock' | 'profiles' | 'settings'>,
  { record }: StepJournal,
  moment: Answering,
  book: ProjectRulebook,
): ProjectRulebook['rules'] {
  const { alwaysEnforceGlobal, llmJudgeEnabled } = services.settings.pipeline;
  const { task } = readCircumstances(services, record, moment, book);
  const ofAnswers = book.rules.filter(({ rule }) => isOfAnswers(rule) && (llmJudgeEnabled || !isJudged(rule)));
  return selectForResponse(ofAnswers, { query: task, alwaysEnforceGlobal }).kept;
}
