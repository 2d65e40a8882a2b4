import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FILES } from '../../../src/base/names.ts';
import { Proposals } from '../../../src/daemon/intake/proposals.ts';
import { handoffAt } from '../../../src/wiring/files.ts';
import type { Services } from '../../../src/wiring/services.ts';

/** The proposals of a folder in which nothing lies yet. */
function aFolder() {
  const root = mkdtempSync(join(tmpdir(), 'proposals-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const handoff = handoffAt(root);
  handoff.prepare();
  const services = { handoff, say: () => {} } as unknown as Services;
  return { handoff, proposals: new Proposals(services, { now: false }, () => {}) };
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
