import { expect } from 'vitest';
import { aContract } from './contract.ts';
import { aFactory, type Factory } from './factory.ts';
import { issue, judges, answerOnce } from './scenario.ts';
import { FOUR_VERSIONS, RED_ONCE, resume } from './versions.ts';

/** What somebody writes who wants to break out of a page, a Markdown reader or a terminal. */
export const HOSTILE =
  '</script><img src=x onerror=alert(1)> "><svg onload=alert(2)> [x](javascript:alert(3)) <!-- \u001b]0;t\u0007\u001b[31m \u202eevil';

/** A task that met everything: a red gate, a FAIL, a halt with a choice, and a merge. */
export async function anEventfulTask(requirement = 'Merge both documents into one'): Promise<Factory> {
  const factory = await aFactory({
    projectConfig: RED_ONCE,
    scenario: {
      implementer: FOUR_VERSIONS,
      judge: [
        answerOnce(judges('FAIL', { blocking_issues: [issue(`The link to tokens is missing ${HOSTILE}`)] })),
        answerOnce(judges('CRITICAL_HALT', { summary: `Look at this ${HOSTILE}` })),
        judges('PASS'),
      ],
    },
  });
  const { dog } = await factory.run(aContract({ 'specification.requirements': [requirement] }));
  expect(factory.breaker()).toBe('judge_halt');
  await resume(factory, 1);
  await dog.until(() => factory.isMerged());
  await dog.stop();
  return factory;
}

/** The page of that task, as the command prints it. */
export const page = async (factory: Factory): Promise<string> => {
  const { code, stdout, stderr } = await factory.andon('report', 'DOC-001', '--html');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
