import { expect, it } from 'vitest';
import { Readers } from '../../../../src/app/web/readers.ts';
import { aBoard } from '../../../support/live-boards.ts';

type PageReader = Parameters<Readers['open']>[0];
const aPage = (changes: Partial<PageReader> = {}): PageReader => ({
  signal: new AbortController().signal,
  lastId: undefined,
  mayRead: () => true,
  ...changes,
});

const decoder = new TextDecoder();
async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return decoder.decode(value);
}
const idIn = (event: string): string => /^id: (.*)$/m.exec(event)?.[1] ?? '';

it('tells whoever comes the board as it is, and whoever comes back with its id nothing twice', async () => {
  const { live, change } = aBoard();
  const readers = new Readers(live, 'x');
  const first = readers.open(aPage())?.getReader();
  if (first === undefined) throw new Error('one reader is let in');
  expect(await next(first)).toContain('retry:');
  const event = await next(first);
  expect(event).toContain('event: board');
  const again = readers.open(aPage({ lastId: idIn(event) }))?.getReader();
  if (again === undefined) throw new Error('two readers are let in');
  await next(again);
  const waits = next(again);
  change('one');
  expect(await waits).toContain('"one"');
  const late = readers.open(aPage({ lastId: idIn(event) }))?.getReader();
  if (late === undefined) throw new Error('three readers are let in');
  await next(late);
  expect(await next(late)).toContain('"one"');
  readers.close();
});

it('keeps of a reader who is slow only the newest board', async () => {
  const { live, change } = aBoard();
  const readers = new Readers(live, 'x');
  const slow = readers.open(aPage())?.getReader();
  if (slow === undefined) throw new Error('one reader is let in');
  await next(slow);
  for (let at = 0; at < 1000; at += 1) change(`number ${at}`);
  expect(await next(slow)).toContain('number 999');
  readers.close();
});

it('forgets who left, and lets no more in than it can tell', () => {
  const { live } = aBoard();
  const readers = new Readers(live, 'x');
  const leaving = new AbortController();
  for (let at = 0; at < 64; at += 1) expect(readers.open(aPage({ signal: leaving.signal }))).toBeDefined();
  expect(readers.open(aPage())).toBeUndefined();
  leaving.abort();
  expect(readers.count).toBe(0);
  expect(readers.open(aPage())).toBeDefined();
  readers.close();
});

it('tells a page the newest line of each call beside the board, and a slow one only the last', async () => {
  const { live, write } = aBoard();
  const readers = new Readers(live, 'x');
  const page = readers.open(aPage())?.getReader();
  if (page === undefined) throw new Error('one reader is let in');
  await next(page);
  expect(await next(page)).toContain('event: board');
  const call = { repository: 'r', task_id: 'A-1', call: 1, station: 'judge', first: 7 };
  const waits = next(page);
  write([{ ...call, lines: ['one', 'two <b>', ''] }]);
  expect(await waits).toBe(
    'event: output\ndata: [{"repository":"r","task_id":"A-1","call":1,"count":10,"line":"two <b>"}]\n\n',
  );
  for (let at = 0; at < 1000; at += 1) write([{ ...call, lines: [`line ${at}`] }]);
  expect(await next(page)).toContain('line 999');
  readers.close();
});

it.each(['a board', 'a poll without changes', 'a line of an agent', 'a wake'])(
  'sends nothing and ends at %s once a page may not read any more',
  async (kind) => {
    const { live, change, write } = aBoard();
    const readers = new Readers(live, 'x');
    let isLetIn = true;
    const page = readers.open(aPage({ mayRead: () => isLetIn }))?.getReader();
    if (page === undefined) throw new Error('one reader is let in');
    await next(page);
    expect(await next(page)).toContain('event: board');
    const waits = page.read();
    await new Promise(setImmediate);
    isLetIn = false;
    if (kind === 'a board') change('secret');
    else if (kind === 'a line of an agent')
      write([{ repository: 'r', task_id: 'A-1', call: 1, station: 'judge', first: 7, lines: ['secret'] }]);
    else readers.wake(kind === 'a wake' ? undefined : new TextEncoder().encode('event: looked'));
    expect(await waits).toEqual({ done: true, value: undefined });
    expect(readers.count).toBe(0);
    readers.close();
  },
);

it('ends a page that may read no longer while nothing happens', async () => {
  const { live } = aBoard();
  const readers = new Readers(live, 'x');
  let mayRead = true;
  const page = readers.open(aPage({ mayRead: () => mayRead }))?.getReader();
  if (page === undefined) throw new Error('one reader is let in');
  await next(page);
  await next(page);
  const waits = page.read();
  mayRead = false;
  readers.wake();
  expect((await waits).done).toBe(true);
  expect(readers.count).toBe(0);
  readers.close();
});
