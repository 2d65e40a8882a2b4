import { RUNS_FOR_PROMOTION, countStreak, suggestPromotion } from '../../../src/rules/files/inspect.ts';
import { decideExit, score } from '../../../src/rules/enforce/decide-exit.ts';
import type { RuleStatus, Surface } from '../../../src/rules/model/rule-words.ts';
import { MODES, type Mode } from '../../../src/project/config/config-words.ts';
import { aFactory } from '../../support/factory.ts';
import { aFinding, anInspection, aResult } from '../../support/inspections.ts';
import { REPORTERS } from '../../../src/rules/reporters/index.ts';
import { getLevel } from '../../../src/rules/reporters/wording.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';
import { onlyKnown } from './messages-of-rows.ts';

/** Modes, scores and the command that changes them. */
export const enforcement: Runner = ({ input }) => {
  if (Array.isArray(input['args'])) return command(input);
  if (Array.isArray(input['statuses'])) return scored(input['statuses'] as readonly RuleStatus[]);
  if (typeof input['autoPromote'] === 'boolean') return suggested(input);
  return decided(input);
};

const modeOf = ({ mode }: Facts): Mode => MODES.find((one) => one === mode) ?? 'advisory';

function decided(input: Facts): Facts {
  onlyKnown(input, ['mode', 'threshold', 'must_violation', 'should_violation', 'score', 'surface']);
  const findings = [
    ...(input['must_violation'] === true ? [aFinding({ modality: 'MUST' })] : []),
    ...(input['should_violation'] === true
      ? [aFinding({ rule: 'R-2', modality: 'SHOULD', severity: 'MEDIUM', priority: 'P2' })]
      : []),
  ];
  const surface = (input['surface'] ?? 'gate') as Surface;
  const mode = modeOf(input);
  const { exit, because } = decideExit({
    surface,
    mode,
    threshold: Number(input['threshold'] ?? 70),
    score: Number(input['score']),
    findings,
    faults: [],
  });
  const report = REPORTERS.text(anInspection({ surface, mode, findings, exit, because }));
  return {
    exit,
    blocked: exit !== 0,
    warning: findings.some((finding) => getLevel(finding) === 'warning'),
    report_printed: findings.every(({ rule }) => report.includes(rule)),
  };
}

const scored = (statuses: readonly RuleStatus[]): Facts => ({
  score: score(
    statuses.map((status, at) => aResult({ rule: `R-${at}`, status })),
    [],
  ),
});

/** The last runs had these scores, or every one of them the same. */
function suggested(input: Facts): Facts {
  onlyKnown(input, ['mode', 'autoPromote', 'score', 'scores']);
  const mode = modeOf(input);
  const same = (): number[] => Array.from({ length: RUNS_FOR_PROMOTION }, () => numberOf(input, 'score'));
  const scores = (Array.isArray(input['scores']) ? input['scores'] : same()).map(Number);
  const streak = scores.reduce((before, score) => countStreak(before, mode, score), { mode, runs: 0 });
  return { suggest: suggestPromotion(streak, input['autoPromote'] === true) !== undefined };
}

/** The command in a project that has the older tool's configuration, whose keys the rows name. */
async function command(input: Facts): Promise<Facts> {
  onlyKnown(input, ['args', 'config_before']);
  const { args, config_before: before } = input;
  const text = typeof before === 'string' ? before : `${JSON.stringify(before ?? {}, null, 2)}\n`;
  const factory = await aFactory({ files: { '.rulebound/config.json': text } });
  const { code, stdout } = await factory.andon(...(args as readonly string[]));
  const after = factory.read('.rulebound/config.json');
  return {
    exit: code,
    prints: stdout,
    config_changed: after !== text,
    file_unchanged: after === text,
    config: configFrom(after),
  };
}

function configFrom(text: string): Facts {
  try {
    const config: unknown = JSON.parse(text);
    return isFacts(config) ? config : {};
  } catch {
    return {};
  }
}
