/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { PATH, version, write } from '../support/versions.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';

describe('a secret in the change', () => {
  const key = ['AKIA', 'QYLPMN5H', 'HHFPZAM2'].join('');
  const leak = writes({ [PATH]: `${FINAL}\naws_access_key_id = ${key}\n` });

  test('goes straight back where the project says so', async () => {
    const factory = await aFactory({
      projectConfig: { local_review: { on_critical: 'fix' } },
      scenario: { implementer: [answerOnce(leak), write(2)] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
    expect(factory.read(PATH)).toBe(version(2));
  });
});
