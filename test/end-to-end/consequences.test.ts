/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { answerOnce, writes } from '../support/scenario.ts';
import { PATH, resume, version, write } from '../support/versions.ts';

const MORE = 'docs/more.md';

/** A line whose implementer breaks a rule at first, with an extra file beside, and never again. */
const aLine = (rule: object, mapping: object = {}): Promise<Factory> =>
  aFactory({
    files: {
      '.andon/rules/mine.yaml': stringify({
        schema: 'andon.rules/v1',
        ...mapping,
        rules: [
          {
            id: 'no-draft',
            severity: 'HIGH',
            phase: 'IMPLEMENTATION',
            match: { pattern: 'DRAFT' },
            message: 'No drafts',
            ...rule,
          },
        ],
      }),
    },
    scenario: { implementer: [answerOnce(writes({ [PATH]: `${version(1)}DRAFT\n`, [MORE]: 'more\n' })), write(2)] },
  });

describe('what follows from a violation', () => {
  test('costs no iteration and keeps the attempt, as the ladder says of P1', async () => {
    const factory = await aLine({});
    expect((await factory.run(aContract())).status).toBe('merged');
    expect([(await factory.show('DOC-001')).review_cycles, factory.read(MORE)]).toEqual([0, 'more\n']);
  });

  test('costs as many iterations as priority_mapping says, and MAX leaves none', async () => {
    const two = await aLine({}, { priority_mapping: { P1: { iteration_penalty: 2 } } });
    expect((await two.run(aContract())).status).toBe('merged');
    expect((await two.show('DOC-001')).review_cycles).toBe(2);
    const most = await aLine({}, { priority_mapping: { P1: { iteration_penalty: '+MAX' } } });
    expect((await most.run(aContract())).status).toBe('erik_consultation');
    expect(most.breaker()).toBe('review_cycle_limit');
    expect((await most.show('DOC-001')).halt?.reason).toContain('no-draft leaves no further one');
  });

  test('is what the rule itself says, whatever priority_mapping says', async () => {
    const factory = await aLine(
      { iteration_penalty: 0, rollback: true },
      { priority_mapping: { P1: { iteration_penalty: 'MAX' } } },
    );
    expect((await factory.run(aContract())).status).toBe('merged');
    expect((await factory.show('DOC-001')).review_cycles).toBe(0);
    expect(factory.git('ls-tree', '--name-only', 'main', 'docs/')).not.toContain(MORE);
    expect(factory.git('ls-tree', '--name-only', 'refs/andon/DOC-001/1', 'docs/')).toContain(MORE);
  });

  test('goes on from the attempt after a P0 that says rollback: false', async () => {
    const factory = await aLine({ severity: 'CRITICAL', rollback: false });
    const { dog, status } = await factory.run(aContract());
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'rule_violation']);
    expect(factory.git('for-each-ref', 'refs/andon/rollback')).toBe('');
    expect(factory.paper('ERIK_HALT.md')).toContain('on top of the attempt');
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read(MORE)).toBe('more\n');
  });
});
