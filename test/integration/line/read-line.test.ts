import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { readLine } from '../../../src/line/readers/read-line.ts';
import { openWritableJournal } from '../../../src/line/journal/open-journal.ts';
import { LiveFloor } from '../../support/live-floor.ts';
import { admitted, started } from '../../support/records.ts';

test.each([
  ['does not call a journal cut that a running andon has continued since it was read', 2, null],
  ['names the lost end of a journal that is shorter on the disk, too', 9, /ends at entry 2, .* tells of entry 9/],
])('readLine %s', async (_, logged, expected) => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const place = await live.place();
  const journal = openWritableJournal(place);
  onTestFinished(() => journal.close());
  journal.append('A-1', [admitted(), started()]);
  mkdirSync(live.path('_handoff'));
  writeFileSync(live.path('_handoff/transition.ndjson'), `${JSON.stringify({ sequence: logged })}\n`);
  const earlier = { ...journal, head: () => 1 };
  const { journal_lost: lost } = await readLine(place, earlier);
  if (expected === null) expect(lost).toBeNull();
  else expect(lost).toMatch(expected);
});
