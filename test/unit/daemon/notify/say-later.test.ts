import { expect, it } from 'vitest';
import { deferLog } from '../../../../src/daemon/notify/say-later.ts';
import type { LineEvent } from '../../../../src/wiring/services.ts';
import { aRecord, started } from '../../../support/records.ts';

const word = (text: string): LineEvent => ({ kind: 'word', level: 'info', text });
const entry = (): LineEvent => ({ kind: 'entry', entry: started(), record: aRecord() });
const setUp = () => {
  const said: string[] = [];
  return { said, later: deferLog((news) => said.push(news.kind === 'word' ? news.text : news.kind)) };
};

it('says an entry when the work under way has let go, and what came behind it only then', async () => {
  const { said, later } = setUp();
  later.say(word('first'));
  later.say(entry());
  later.say(word('last'));
  expect(said).toEqual(['first']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual(['first', 'entry', 'last']);
});

it('says what waits before it is closed, and each thing once', async () => {
  const { said, later } = setUp();
  later.say(entry());
  later.flush();
  expect(said).toEqual(['entry']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual(['entry']);
});
