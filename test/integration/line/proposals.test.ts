import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FILES } from '../../../src/base/names.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import { Proposals } from '../../../src/line/intake/proposals.ts';
import { createHandoff } from '../../../src/project/handoff/create-handoff.ts';
import type { Services } from '../../../src/line/services/services.ts';

/** The proposals of a folder in which nothing lies yet. */
function aFolder() {
  const root = mkdtempSync(join(tmpdir(), 'proposals-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const handoff = createHandoff(root);
  handoff.prepare();
  const said: string[] = [];
  const journal = { taskIds: () => [], entries: () => [] };
  const say = ({ text }: { readonly text: string }): void => void said.push(text);
  const services = { handoff, journal, say } as unknown as Services;
  return {
    handoff,
    said,
    proposals: new Proposals(
      services,
      () => false,
      () => {},
    ),
  };
}

test('what was decided about a proposal stays while the proposal cannot be read', async () => {
  const { handoff, proposals } = aFolder();
  handoff.write(FILES.proposalPlan, '{}');
  mkdirSync(join(handoff.folder, FILES.proposalTaken));
  await proposals.look();
  expect(handoff.exists(FILES.proposalPlan)).toBe(true);
});

test('what was decided about a proposal that nobody took any more goes', async () => {
  const { handoff, proposals } = aFolder();
  handoff.write(FILES.proposalPlan, '{}');
  await proposals.look();
  expect(handoff.exists(FILES.proposalPlan)).toBe(false);
});

test('the rest of a proposal that waits for a name says so once, and is made when the name is free', async () => {
  const { handoff, proposals, said } = aFolder();
  const text = '# Proposal: both\n';
  const contracts = ['A', 'B'].map((taskId) => ({
    taskId,
    contract: JSON.stringify({ task_id: taskId, metadata: { proposal: sha256(text) } }),
  }));
  handoff.write(FILES.proposalTaken, text);
  handoff.write(FILES.proposalPlan, JSON.stringify({ proposal: sha256(text), contracts }));
  handoff.write('queue/A.json', contracts[0]?.contract ?? '');
  handoff.write('queue/B.json', '{"somebody": "else"}');
  await proposals.look();
  await proposals.look();
  expect(said).toEqual([expect.stringContaining('waits until the name is free of _handoff/queue/B.json')]);
  handoff.remove('queue/B.json');
  await proposals.look();
  expect(handoff.read('queue/B.json')).toEqual({ ok: true, value: contracts[1]?.contract });
  expect(handoff.exists(FILES.proposalTaken)).toBe(false);
});
