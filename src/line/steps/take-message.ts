import type { Finding } from '../../rules/model/finding.ts';
import { ruleOnMessage, type MessagePhase, type Messages } from '../stations/message-checks.ts';
import { askDoubts, createLineAsker } from './ask-on-the-line.ts';
import { ruleOnReview, ruleOnSaid, ruleOnWords, createObjection } from './rule-on-task.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';
import type { RuledFinding, RuledMoment, Ruling } from '../../rules/model/ruling.ts';
import { responseLanes } from '../../rules/files/check-response.ts';
import { extractBy, judgeBy } from '../../rules/files/lane-tools.ts';
import { loadRulebook, type ProjectRulebook } from '../../rules/files/rulebook.ts';
import { isJudged, isOfAnswers } from '../../rules/response/judge-response.ts';
import { listFallbacks, decideAnswerFate, withReplacement } from '../../rules/response/answer-on-the-line.ts';
import { selectForResponse } from '../../rules/response/select-for-response.ts';
import { createCallFailureOutcome } from '../calls/call-agent.ts';
import { askRules, auditRulings, readCircumstances } from './apply-rules.ts';

/**
 * Takes every message of an agent: the message checks first, then the project's other rules about its words. A review is
 * also checked with its change, but once for a panel; an implementer's words are checked together with its change. An
 * unfit message goes back to its author.
 */
export async function takeMessage<At extends MessagePhase>(
  services: CallServices & RuleServices & Needs<'repository'>,
  log: StepJournal,
  phase: At,
  answer: Said<At> | JustWords,
  signal: AbortSignal,
  isOfSeveral = false,
): Promise<RuledMessage> {
  const { words } = answer;
  const moment: MessagePhase = phase;
  const evidence = 'evidence' in answer ? answer.evidence : {};
  const beside = 'beside' in evidence ? (evidence.beside ?? '') : '';
  const checked = 'message' in answer ? ruleOnMessage(phase, answer.message, log.record, answer.evidence) : undefined;
  if (checked !== undefined) {
    const faults = checked.found.map(({ message }) => message);
    const isCorrected = faults.some((one) => one.startsWith('[SYSTEM]'));
    return { rulings: [checked], unfit: faults.join('; '), isCorrected };
  }
  const steps: readonly (() => Promise<RuledMessage>)[] = [
    () => ruleOnSaid(services, log.record, phase, `${words}\n${beside}`),
    () => ruleOnAnswer(services, log, phase, words, signal),
    ...(moment === 'change'
      ? []
      : [
          () =>
            askDoubts(services, log, signal, (ask) =>
              moment === 'review' && !isOfSeveral
                ? ruleOnReview(services, log.record, words, ask)
                : ruleOnWords(services, log.record, moment, words, ask),
            ),
        ]),
  ];
  const rulings: Ruling[] = [];
  let said: RuledMessage = NOTHING;
  for (const rule of steps) {
    said = await rule();
    rulings.push(...said.rulings);
    if (said.unfit !== undefined || said.objection !== undefined) break;
  }
  return { ...said, rulings };
}

/** A message of an agent with the evidence of its checks, and the words that rules apply to. */
type Said<At extends MessagePhase> = Messages[At] & { readonly words: string };

/** An answer that is no verdict of its own: no message check is about it. */
interface JustWords {
  readonly words: string;
}

type Answering = Extract<RuledMoment, 'change' | 'review' | 'report'>;

export interface WhatLanesSay {
  readonly rulings: readonly Ruling[];
  /** Why the answer goes back, as hints for its author. */
  readonly unfit?: string;
  /** They say what to write instead, so its author is asked again at once; else the answer counts as unreadable. */
  readonly isCorrected?: boolean;
  /** The checked text that replaces the words. */
  readonly instead?: string;
  readonly objection?: StepOutcome;
}

type RuledMessage = WhatLanesSay & { readonly found?: readonly Finding[] };

const NOTHING: WhatLanesSay = { rulings: [] };

/**
 * Checks an answer by the rules whose condition the task meets and by the hard constraints: expressions are computed, and
 * a local model judges the rest. A violation goes back as hints, at most `max_retries` times. Then the fallback text of a
 * rule replaces the words of an implementer, if it passes the checks; other violations of what must hold stop the line.
 */
async function ruleOnAnswer(
  services: CallServices & RuleServices,
  log: StepJournal,
  moment: Answering,
  words: string,
  signal: AbortSignal,
): Promise<WhatLanesSay> {
  const { pipeline } = services.settings;
  const book = await loadRulebook(services.project);
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
      responseLanes(pipeline, { judge: judgeBy(asking, services.folders), extract: extractBy(asking) }),
    );
  const ruling = await ask(words);
  const over = asking.ended();
  if (over !== undefined) return { rulings: [], objection: createCallFailureOutcome('local-reviewer', over) };
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
  return fate.is === 'sent back' ? { rulings, unfit: fate.hints, isCorrected: true } : { rulings };
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
