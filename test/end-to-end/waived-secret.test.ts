import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, writes } from '../support/scenario.ts';
import { PATH, resume } from '../support/versions.ts';

const files = { '.andon/rules/project.yaml': 'schema: andon.rules/v1\nextends: [secrets]\n' };
/** Invented, and put together so that no scanner takes this file for a leak. */
const fixture = `${FINAL}\n    password: "${['k3Jd', '8sWq0Zx'].join('')}"\n`;

describe('a secret that a human waived by name when a rule held it', () => {
  test('does not stop the line again as a paradox, and stays told', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ files, scenario: { implementer: [writes({ [PATH]: fixture })] } });
    const { dog, status } = await factory.run(aContract());
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'rule_violation']);
    await resume(factory, 2, '--reason', 'a fixture');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.read(PATH)).toBe(fixture);
    expect(factory.calls('judge')).toHaveLength(1);
    expect((await factory.show('DOC-001')).findings.join('\n')).toContain('which a human waived at a halt');
  });
});
