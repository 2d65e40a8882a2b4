import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FILES, proposalPlanPath } from '../../../src/base/names.ts';
import { sha256 } from '../../../src/base/sha256.ts';
import { writePlan } from '../../../src/line/intake/proposal-plan.ts';
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
  const admitted: object[] = [];
  const journal = {
    taskIds: () => (admitted.length === 0 ? [] : ['A']),
    entries: () => admitted.map((document) => ({ kind: 'admitted', document })),
  };
  const say = ({ text }: { readonly text: string }): void => void said.push(text);
  const services = { handoff, journal, say } as unknown as Services;
  return {
    handoff,
    said,
    /** Approves a proposal with one contract, whose id is A. */
    approve: (text: string): void => {
      const contract = JSON.stringify({ task_id: 'A', metadata: { proposal: sha256(text) } });
      writePlan({ handoff }, text, { tasks: [{ taskId: 'A', contract, inferred: [], notices: [] }] });
      handoff.write(FILES.proposalTaken, text);
    },
    /** Admits the contract that waits. */
    admit: (): void => {
      const read = handoff.read('queue/A.json');
      admitted.push(JSON.parse((read.ok && read.value) || '') as object);
      handoff.remove('queue/A.json');
    },
    proposals: new Proposals(
      services,
      () => false,
      () => {},
    ),
  };
}

const STRUCTURED = '# Other\n\n## Requirements\n- There is a file\n\n## Allowed paths\n- a.txt\n';
const PLAN = proposalPlanPath(sha256('a proposal'));

test('what was decided about a proposal stays while the proposal cannot be read', async () => {
  const { handoff, proposals } = aFolder();
  handoff.write(PLAN, '{}');
  mkdirSync(join(handoff.folder, FILES.proposalTaken));
  await proposals.look();
  expect(handoff.exists(PLAN)).toBe(true);
});

test('what was decided about a proposal that nobody took any more goes after a while', async () => {
  const { handoff, proposals } = aFolder();
  handoff.write(PLAN, '{}');
  await proposals.look();
  expect(handoff.exists(PLAN)).toBe(true); // its approval may be under way
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
  onTestFinished(() => void vi.useRealTimers());
  await proposals.look();
  expect(handoff.exists(PLAN)).toBe(false);
});

test('the rest of a proposal that waits for a name says so once, and is made when the name is free', async () => {
  const { handoff, proposals, said } = aFolder();
  const text = '# Proposal: both\n';
  const contracts = ['A', 'B'].map((taskId) => ({
    taskId,
    contract: JSON.stringify({ task_id: taskId, metadata: { proposal: sha256(text) } }),
  }));
  handoff.write(FILES.proposalTaken, text);
  handoff.write(proposalPlanPath(sha256(text)), JSON.stringify({ proposal: sha256(text), contracts }));
  handoff.write('queue/A.json', contracts[0]?.contract ?? '');
  handoff.write('queue/B.json', '{"somebody": "else"}');
  await proposals.look();
  handoff.write(FILES.proposalFinal, STRUCTURED); // waits for it, and changes nothing of it
  await proposals.look();
  expect(handoff.exists(FILES.proposalFinal)).toBe(true);
  handoff.remove(FILES.proposalFinal);
  expect(said).toEqual([expect.stringContaining('an approved proposal waits: move _handoff/queue/B.json away')]);
  handoff.remove('queue/B.json');
  await proposals.look();
  expect(handoff.read('queue/B.json')).toEqual({ ok: true, value: contracts[1]?.contract });
  expect(handoff.exists(FILES.proposalTaken)).toBe(false);
});

test('a proposal that is approved again, after its contract was withdrawn or its task began, is made again', async () => {
  const { handoff, proposals, approve, admit } = aFolder();
  approve('# One\n');
  await proposals.look();
  handoff.rename('queue/A.json', 'withdrawn/A.json');
  approve('# One\n');
  await proposals.look();
  expect(handoff.exists('queue/A.json')).toBe(true);
  admit();
  approve('# One\n');
  await proposals.look();
  expect(handoff.exists('queue/A.json')).toBe(true);
});

test('an approval makes its contract once, also when andon dies before it archives the proposal', async () => {
  const { handoff, proposals, approve, admit } = aFolder();
  approve('# One\n');
  const planOfOne = proposalPlanPath(sha256('# One\n'));
  const plan = handoff.read(planOfOne);
  await proposals.look();
  admit();
  handoff.write(planOfOne, (plan.ok && plan.value) || '');
  handoff.write(FILES.proposalTaken, '# One\n');
  await proposals.look();
  expect(handoff.exists('queue/A.json')).toBe(false);
  expect(handoff.exists(FILES.proposalTaken)).toBe(false);
});

test('an approved proposal that cannot go back says so', async () => {
  const { handoff, proposals, said } = aFolder();
  handoff.write(FILES.proposalTaken, STRUCTURED);
  handoff.write(FILES.proposalFinal, STRUCTURED);
  await proposals.look();
  expect(said).toEqual([expect.stringContaining(`move _handoff/${FILES.proposalFinal} away`)]);
});
