import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nonceTold } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory, type Watchdog } from '../support/factory.ts';
import { issue, judges, answerOnce } from '../support/scenario.ts';
import { write } from '../support/versions.ts';

const byHuman = aContract({ 'roles.floor_manager': 'human' });
/** Writes a decision that names the nonce which the line told last. */
function decide(factory: Factory, dog: Watchdog, decision: object): void {
  const written = { task_id: 'DOC-001', nonce: nonceTold(dog), ...decision };
  writeFileSync(join(factory.handoff, 'DECISION.json'), JSON.stringify(written));
}

describe('a human as the floor manager', () => {
  test('is not answered by a decision that lay there before the report', { tags: 'thorough' }, async () => {
    const does = [{ touch: 'at' }, { 'wait-for': 'go' }];
    const factory = await aFactory({ scenario: { judge: [{ ...judges('PASS'), does }] } });
    const dog = await factory.begin(byHuman, 'at');
    factory.drop({ task_id: 'DOC-001', decision: 'merge' }, 'DECISION.json');
    factory.signal.give('go');
    await dog.until('it names no nonce, so it may have lain there before the report');
    expect(factory.merges()).toEqual([]);
    decide(factory, dog, { decision: 'merge' });
    expect(await factory.end(dog)).toBe('merged');
  });

  test('cannot merge what the judge did not pass, and is told so; his fix goes to the implementer', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [answerOnce(judges('FAIL', { blocking_issues: [issue('The link is missing')] })), judges('PASS')],
      },
    });
    const dog = await factory.begin(byHuman);
    await dog.until('waits for your _handoff/DECISION.json');
    decide(factory, dog, { decision: 'merge' });
    await dog.until('only a PASS can be merged');
    expect(factory.merges()).toEqual([]);
    decide(factory, dog, { decision: 'fix', fixes: ['Say it in Latin'] });
    await dog.until(() => factory.calls('implementer').some(({ prompt }) => prompt.includes('Say it in Latin')));
    await dog.until(() => dog.output().split('waits for your _handoff/DECISION.json').length === 3);
    decide(factory, dog, { decision: 'merge' });
    expect(await factory.end(dog)).toBe('merged');
  });

  test('may rebut with evidence, which the judge then reads', { tags: 'thorough' }, async () => {
    const factory = await aFactory({
      scenario: {
        judge: [answerOnce(judges('FAIL', { blocking_issues: [issue('The link is missing')] })), judges('PASS')],
      },
    });
    const dog = await factory.begin(byHuman);
    await dog.until('waits for your _handoff/DECISION.json');
    decide(factory, dog, { decision: 'rebut' });
    await dog.until('needs at least one line of');
    decide(factory, dog, { decision: 'rebut', evidence: ['The link is in line 7.'] });
    await dog.until(() => factory.paper('REBUTTAL.md')?.includes('The link is in line 7.'));
    await dog.until(() => dog.output().split('waits for your _handoff/DECISION.json').length === 3);
    decide(factory, dog, { decision: 'merge' });
    expect(await factory.end(dog)).toBe('merged');
  });

  test(
    'may have written about a later task already: that decision stays when this one ends',
    { tags: 'thorough' },
    async () => {
      const does = [{ touch: 'at' }, { 'wait-for': 'go' }];
      const factory = await aFactory({ scenario: { judge: [{ ...judges('PASS'), does }] } });
      const dog = await factory.begin(aContract(), 'at');
      const early = JSON.stringify({ task_id: 'DOC-002', decision: 'merge' });
      factory.drop(early, 'DECISION.json');
      factory.signal.give('go');
      await dog.until(() => factory.isMerged());
      expect(factory.paper('archive/DOC-001/DECISION.json')).toBeUndefined();
      expect(factory.paper('DECISION.json')).toBe(early);
    },
  );
});
