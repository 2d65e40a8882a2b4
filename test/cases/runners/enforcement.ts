import { decide } from '../../../src/rules/enforce/decide.ts';
import { RUNS_FOR_PROMOTION, promotion } from '../../../src/rules/enforce/promote.ts';
import { score } from '../../../src/rules/enforce/score.ts';
import { MODES } from '../../../src/rule-model/rule-words.ts';
import type { Mode, RuleStatus, Surface } from '../../../src/rule-model/rule-words.ts';
import { aFactory } from '../../support/factory.ts';
import { aFinding, aResult } from '../../support/inspections.ts';
import type { Facts, Runner } from '../run-cases.ts';

/** Modes, scores and the command that changes them. */
export const enforcement: Runner = ({ input }) => {
  if (Array.isArray(input['args'])) return command(input);
  if (Array.isArray(input['statuses'])) return scored(input['statuses'] as readonly RuleStatus[]);
  if (typeof input['autoPromote'] === 'boolean') return suggested(input);
  return decided(input);
};

const modeOf = ({ mode }: Facts): Mode => MODES.find((one) => one === mode) ?? 'advisory';

function decided(input: Facts): Facts {
  const findings = [
    ...(input['must_violation'] === true ? [aFinding({ modality: 'MUST' })] : []),
    ...(input['should_violation'] === true ? [aFinding({ rule: 'R-2', modality: 'SHOULD' })] : []),
  ];
  const { exit } = decide({
    surface: (input['surface'] ?? 'gate') as Surface,
    mode: modeOf(input),
    threshold: Number(input['threshold'] ?? 70),
    score: Number(input['score']),
    findings,
    faults: [],
  });
  return { exit, blocked: exit !== 0 };
}

const scored = (statuses: readonly RuleStatus[]): Facts => ({
  score: score(
    statuses.map((status, at) => aResult({ rule: `R-${at}`, status })),
    [],
  ),
});

/** Every one of the last runs had this score. */
function suggested(input: Facts): Facts {
  const mode = modeOf(input);
  const runs = Array.from({ length: RUNS_FOR_PROMOTION }, () => ({ mode, score: Number(input['score']) }));
  return { suggest: promotion(mode, input['autoPromote'] === true, runs, []) !== undefined };
}

/** The command in a project that has the older tool's configuration, whose keys the rows name. */
async function command({ args, config_before: before }: Facts): Promise<Facts> {
  const text = `${JSON.stringify(before ?? {}, null, 2)}\n`;
  const factory = await aFactory({ files: { '.rulebound/config.json': text } });
  const { code } = await factory.andon(...(args as readonly string[]));
  const after = factory.read('.rulebound/config.json');
  return { exit: code, config_changed: after !== text, config: JSON.parse(after) as Facts };
}
