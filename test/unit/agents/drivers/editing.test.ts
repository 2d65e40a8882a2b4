import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDrivenAgent } from '../../../../src/agents/drivers/driven-agent.ts';
import { makePrivateFolder } from '../../../../src/agents/drivers/private-folder.ts';
import { success } from '../../../../src/base/outcome.ts';
import type { Ending, Enclosure } from '../../../../src/sandbox/processes/command.ts';
import { aDriver } from '../../../support/drivers.ts';

const UNUSED = { tokensIn: 0, tokensOut: 0, usd: 0 };

/** A call of codex that edits, in a cage that is never built, whose program ends so. */
async function editEnding(ending: Partial<Ending>) {
  const state = mkdtempSync(join(tmpdir(), 'andon-editing-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const start = { program: 'bwrap', args: [], cwd: '/', env: {}, isBuilt: () => false };
  const enclosure: Enclosure = {
    cage: 'bubblewrap',
    port: 1,
    unavailable: () => Promise.resolve(undefined),
    enclose: () => success(start),
  };
  const whole: Ending = {
    ended: 'exited',
    exit: null,
    signal: null,
    stdout: '',
    stderr: 'warning: 3 tests skipped\n',
    ms: 900_000,
    utf8: true,
    ...ending,
  };
  const agent = createDrivenAgent(aDriver('codex'), {
    run: () => Promise.resolve(whole),
    env: { CODEX_API_KEY: 'not-a-key', HOME: state },
    privateFolder: () => makePrivateFolder(state),
    enclosure,
  });
  return agent.run({
    prompt: 'Write.',
    model: 'm1',
    folder: state,
    idleMs: 1000,
    hardMs: 1000,
    signal: new AbortController().signal,
    edit: { folder: state, layOut: () => Promise.resolve(), changes: () => Promise.resolve([]) },
  });
}

describe('a call that edits', () => {
  it('is refused where no cage can be built, and has asked no model', async () => {
    expect(await editEnding({ exit: 1 })).toMatchObject({
      ok: false,
      why: { kind: 'refused', detail: expect.stringContaining('no cage could be built'), ...UNUSED },
    });
  });

  it('has crashed where its cage was killed in the middle of its work', async () => {
    expect(await editEnding({ signal: 'SIGKILL' })).toMatchObject({
      ok: false,
      why: { kind: 'crash', detail: expect.stringContaining('SIGKILL') },
    });
  });

  it.each(['missing', 'exited'] as const)('that asked nothing at the door has used nothing: %s', async (ended) => {
    expect(await editEnding({ ended, exit: 2 })).toMatchObject({ ok: false, why: UNUSED });
  });
});
