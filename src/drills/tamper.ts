import { FILES, HANDOFF } from '../base/names.ts';
import { check, same } from './drill.ts';
import type { Drill, Stage } from './drill.ts';
import { TARGET } from './sample.ts';
import { FINAL, judges, once } from './scenario.ts';
import { waits } from './versions.ts';

const CONTRACT = `${HANDOFF}/${FILES.contract}`;
const untilJudged = (stage: Stage): Promise<void> => stage.until('the judge is at work', () => stage.signal.has('at'));

/** Whoever loosens the limits of a running contract, both versions are kept and the human decides. */
export const tamper: Drill = {
  name: 'tamper',
  breaker: 'contract_tampered',
  injects: 'limits that are loosened in the contract on disk while the task runs',
  situations: [
    {
      injects: 'while the judge works, somebody allows deletes and every path in the contract on disk',
      agents: { judge: [once(judges('PASS', {}, waits)), judges('PASS')] },
      async during(stage) {
        await untilJudged(stage);
        const contract = JSON.parse(stage.read(CONTRACT) ?? '{}') as { constraints: object };
        const constraints = { ...contract.constraints, allowed_paths: ['**'], allow_deletes: true };
        stage.write(CONTRACT, `${JSON.stringify({ ...contract, constraints }, null, 2)}\n`);
      },
      halt: {
        breaker: 'contract_tampered',
        says: 'the contract was changed on disk',
        figures: { merges: 0, strikes: 0 },
        path: 2,
      },
      end: {
        status: 'merged',
        figures: { attempts: 1, 'judge calls': 2 },
        holds: { [TARGET]: FINAL },
        also: (stage) => {
          const { allowDeletes, allowedPaths } = stage.record().contract.constraints;
          const edited = stage
            .entries()
            .flatMap((entry) => (entry.kind === 'moved' ? [entry.facts.tampered?.edited ?? ''] : []));
          return [
            same('allow_deletes of the merged contract', false, allowDeletes),
            same('allowed_paths of the merged contract', 'docs/', allowedPaths.join(', ')),
            check(
              'the edited version is kept in the journal',
              edited.some((text) => text.includes('"**"')) ? undefined : 'it is lost',
            ),
          ];
        },
      },
    },
    {
      injects: 'one step below: the contract is saved again, to the letter the same',
      agents: { judge: [judges('PASS', {}, waits)] },
      async during(stage) {
        await untilJudged(stage);
        stage.write(CONTRACT, stage.read(CONTRACT) ?? '');
        stage.signal.give('go');
      },
      end: { status: 'merged', figures: { attempts: 1, 'judge calls': 1 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
