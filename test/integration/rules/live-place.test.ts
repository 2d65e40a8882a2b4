import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLiveWorkspace } from '../../../src/line/services/live-workspace.ts';
import type { Workspace } from '../../../src/project/workspace/load-workspace.ts';

test('a server that stays takes edited settings, and keeps the ones before a file with a fault', () => {
  const root = mkdtempSync(join(tmpdir(), 'live-place-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, '.andon'));
  const write = (text: string): void => writeFileSync(join(root, '.andon/config.yaml'), text);
  const said: string[] = [];
  const place = openLiveWorkspace({ facts: { root }, userConfig: join(root, 'user.yaml') } as Workspace, (text) =>
    said.push(text),
  );
  write('enforcement: { mode: strict }\n');
  expect(place.settings.enforcement.mode).toBe('strict');
  write('enforcement: { mode: advisory }\n');
  expect(place.settings.enforcement.mode).toBe('advisory');
  write('enforcement: { mode: no such mode at all }\n');
  expect(place.settings.enforcement.mode).toBe('advisory');
  expect(said).toEqual([expect.stringMatching(/stays as it was: \.andon\/config\.yaml.*mode/)]);
  writeFileSync(join(root, 'user.yaml'), 'digest: { at: "06:30" }\n');
  write('enforcement: { mode: strict, score_threshold: 80 }\n');
  expect([place.settings.digestAt, place.settings.enforcement.scoreThreshold]).toEqual([390, 80]);
});
