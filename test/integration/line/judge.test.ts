import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Started } from '../../../src/line/record/journal-entry.ts';
import { LiveFloor } from '../../support/live-floor.ts';

test.each([
  ['is tried with a canary once another model works under its name', 'another-model', true],
  ['is not tried again while it is the same one', 'first-model', undefined],
])('the only judge %s', async (_, model, canary) => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const configure = (judge: string, every: number): void =>
    writeFileSync(
      join(live.env['XDG_CONFIG_HOME'] ?? '', 'andon/config.yaml'),
      `cage: none\nagents: { claude: { model: ${judge} } }\ncanary: { every: ${every} }\n`,
    );
  configure('first-model', 0);
  await live.start();
  live.drop('PLAIN-1');
  const { updatedAt: at, callCount: call } = await live.untilEnd();
  const tried = { kind: 'canary', at, call, flaw: 'broken logic', verdict: 'FAIL', missed: false } as const;
  live.line.services.journal.append('PLAIN-1', [tried]);
  await live.rest();
  configure(model, 20);
  await live.start();
  let begun: Started | undefined;
  live.meanwhile = {
    noted: (entry) => {
      if (entry.kind === 'started' && entry.station === 'judge') begun ??= entry;
    },
  };
  live.drop('PLAIN-2');
  await live.until(() => begun !== undefined);
  expect(begun).toMatchObject({ station: 'judge', model });
  expect(begun?.canary).toBe(canary);
});
