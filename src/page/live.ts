import { computed, signal } from '@preact/signals';
import { BOARD_LANES, type Board } from '../line/board/board.ts';
import type { OutputLine, PageData } from '../app/web/api-types.ts';
import { rememberPage, withSession } from './entry.ts';

/** The last received board; undefined before the first. */
export const board = signal<Board | undefined>(undefined);
/** Why requests are disabled here; null where they are enabled. */
export const readOnly = signal<string | null>(null);
/** Whether this page receives changes now. */
export const isConnected = signal<'yes' | 'not yet' | 'lost' | 'ended'>('not yet');
/** When the board was last read, and the time by this machine's clock. */
export const lastRefresh = signal('');
export const now = signal(new Date().toISOString());
/** The rows of all lanes. */
export const allRows = computed(() => BOARD_LANES.flatMap((lane) => board.value?.lanes[lane] ?? []));
export const findBoardRepository = (id: string) => board.value?.repositories.find((one) => one.id === id);
export const needs = computed(() => board.value?.lanes.needs_you.length ?? 0);

/** The newest line of every running call. */
export const outputs = signal<readonly OutputLine[]>([]);

/** Ends the stream of events; undefined while there is none. */
let following: AbortController | undefined;
/** The newest event with an id: after an interruption, only later ones are sent. */
let lastId = '';

/** A hidden tab asks this often, for the count in its title. */
const HIDDEN_MS = 60_000;

/** Subscribes to changes; a hidden tab closes its connection, for a browser has six. */
export function connect(): void {
  setInterval(() => (now.value = new Date().toISOString()), 1000);
  setInterval(() => {
    if (document.visibilityState !== 'visible') void begin();
  }, HIDDEN_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void open();
    else close();
  });
  void begin();
}

async function begin(): Promise<void> {
  try {
    const answer = await fetch('/api/start', withSession());
    if (answer.status >= 500) throw new Error(answer.statusText); // temporary: it is retried
    if (!answer.ok) {
      isConnected.value = 'ended';
      rememberPage();
      return;
    }
    const start = (await answer.json()) as PageData;
    readOnly.value = start.read_only;
    take(start.board);
  } catch {
    isConnected.value = 'lost';
  }
  void open();
}

function take(latest: Board): void {
  board.value = latest;
  lastRefresh.value = latest.at;
}

/** Follows the events until they end: then it looks whether the board is still there. */
async function open(): Promise<void> {
  if (following !== undefined || document.visibilityState !== 'visible') return;
  const own = new AbortController();
  following = own;
  await follow(own.signal).catch(() => undefined);
  if (following !== own) return; // the tab was hidden
  following = undefined;
  isConnected.value = 'lost';
  setTimeout(() => void begin(), AGAIN_MS);
}

const AGAIN_MS = 1000;

/** Reads the stream of events by itself: EventSource of the browser sends no header. */
async function follow(signal: AbortSignal): Promise<void> {
  const headers = lastId === '' ? {} : { 'last-event-id': lastId };
  const answer = await fetch('/api/events', withSession({ signal, headers }));
  if (!answer.ok || answer.body === null) return;
  isConnected.value = 'yes';
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) hear(new Map(block.split('\n').map(splitField)));
  }
}

const splitField = (line: string): [name: string, value: string] => {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1).trimStart()];
};

/** One event; a comment, which keeps the connection alive, has no name. */
function hear(event: ReadonlyMap<string, string>): void {
  const data = JSON.parse(event.get('data') ?? 'null') as unknown;
  lastId = event.get('id') ?? lastId;
  const kind = event.get('event');
  if (kind === 'board') take(data as Board);
  else if (kind === 'output') outputs.value = data as readonly OutputLine[];
  else if (kind === 'looked') lastRefresh.value = data as string;
}

function close(): void {
  following?.abort();
  following = undefined;
}
