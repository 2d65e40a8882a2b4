import { FILES, HANDOFF } from '../base/names.ts';
import { same } from './drill.ts';
import type { Drill, Stage } from './drill.ts';
import { TARGET, TASK, contractOf } from './sample.ts';
import { FINAL, judges, once, writes } from './scenario.ts';
import { waits } from './versions.ts';

const CONTRACT = `${HANDOFF}/${FILES.contract}`;
const ASKED = ['Merge both documents into one', 'Say who wrote it'];
const asks = (stage: Stage) => stage.record().contract.specification.requirements;

/** The contract that was dropped is the one that is carried out, unless a human takes another one knowingly. */
export const contractTampered: Drill = {
  name: 'contract_tampered',
  breaker: 'contract_tampered',
  injects: 'an edit of the contract on disk while the task runs',
  situations: [
    {
      injects: 'while the judge works, somebody adds a requirement to the contract on disk',
      agents: { judge: [once(judges('PASS', {}, waits)), judges('PASS')] },
      async during(stage) {
        await stage.until('the judge is at work', () => stage.signal.has('at'));
        const contract = JSON.parse(stage.read(CONTRACT) ?? '{}') as { specification: object };
        const specification = { ...contract.specification, requirements: ASKED };
        stage.write(CONTRACT, `${JSON.stringify({ ...contract, specification }, null, 2)}\n`);
      },
      halt: {
        breaker: 'contract_tampered',
        says: 'the contract was changed on disk',
        figures: { attempts: 1, merges: 0 },
        path: 1,
      },
      end: {
        status: 'merged',
        figures: { 'judge calls': 2, 'implementer calls': 2 },
        holds: { [TARGET]: FINAL },
        also: (stage) => [same('requirements of the merged contract', ASKED.join('; '), asks(stage).join('; '))],
      },
    },
    {
      injects: 'one step below: the same edit before the first attempt has come to anything, which is a newer contract',
      agents: { implementer: [once(writes({ [TARGET]: FINAL }, waits)), writes({ [TARGET]: FINAL })] },
      async during(stage) {
        await stage.until('the implementer is at work', () => stage.signal.has('at'));
        stage.write(CONTRACT, `${JSON.stringify(contractOf({ specification: { requirements: ASKED } }), null, 2)}\n`);
        await stage.until(`${TASK} runs with the newer contract`, () => asks(stage).length === 2);
      },
      end: { status: 'merged', figures: { 'judge calls': 1 }, holds: { [TARGET]: FINAL } },
    },
  ],
};
