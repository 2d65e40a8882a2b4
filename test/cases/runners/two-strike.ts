import { aContract, type Contract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import { answerOnce, type Call } from '../../support/scenario.ts';
import { STALL_MINUTES, tries } from '../lines.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';

/** An implementer that fails up to the row's attempt, under the two-strike rule of schema 2.0. */
export const twoStrike: Runner = async ({ input }) => {
  const { attempt, stall, lock } = input;
  if (isFacts(lock)) return lockedBy(lock);
  if (typeof attempt !== 'number') throw new Error('the row names no attempt');
  // The attempts before the row's one have failed too; else it would not be that attempt.
  const before = Array.from({ length: attempt - 1 }, (): Call => answerOnce(tries('timeout')));
  const factory = await aFactory({
    scenario: { implementer: [...before, ...(stall === null ? [] : [answerOnce(tries(stall))]), tries(null)] },
  });
  const { status } = await factory.run(twoStrikes());
  const lines = factory.transitions();
  const prompts = factory.calls('implementer').map(({ prompt }) => withoutNonce(prompt));
  return {
    // Where the row's attempt led to, and which one comes then; the line itself goes on.
    status: lines[attempt - 1]?.['new_status'] ?? status,
    attempt: lines[stall === null ? attempt - 1 : attempt]?.['attempt'] ?? lines.at(-1)?.['attempt'],
    file: factory.paper('STALL_REPORT.md') === undefined ? undefined : 'STALL_REPORT.md',
    implementer_calls: prompts.length,
    second_prompt_differs: prompts[1] !== undefined && prompts[1] !== prompts[0],
  };
};

/** A contract that says who holds it, given to a line that is none of those whom it names. */
async function lockedBy({ held_by: holder, expires }: Facts): Promise<Facts> {
  const hours = { past: -1, future: 1 }[String(expires)];
  if (hours === undefined) throw new Error(`no lock expires in the ${JSON.stringify(expires)}`);
  const factory = await aFactory();
  const until = new Date(Date.now() + hours * 3_600_000).toISOString();
  const { status } = await factory.run({ ...twoStrikes(), lock: { held_by: holder, expires_at: until } });
  return { acquired: status === 'merged' };
}

const twoStrikes = (): Contract =>
  aContract({ schema_version: '2.0', complexity: 'minor', 'limits.timeout_minutes': STALL_MINUTES });

/** A prompt without what differs in every call: the word that fences foreign text. */
function withoutNonce(prompt: string): string {
  const nonce = /<<<DATA (\S+)/.exec(prompt)?.[1];
  return nonce === undefined ? prompt : prompt.replaceAll(nonce, 'NONCE');
}
