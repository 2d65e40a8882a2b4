import { computed, signal } from '@preact/signals';
import { EventSource } from 'eventsource';
import type { Board } from '../line/board/board.ts';
import type { OutputLine, PageData } from '../surfaces/web/api-types.ts';
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
export const needs = computed(() => board.value?.lanes.needs_you.length ?? 0);

/** The newest line of every running call. */
export const outputs = signal<readonly OutputLine[]>([]);

let source: EventSource | undefined;

/** Subscribes to changes; a hidden tab closes its connection, for a browser has six. */
export function connect(): void {
  setInterval(() => (now.value = new Date().toISOString()), 1000);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') open();
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
  open();
}

function take(latest: Board): void {
  board.value = latest;
  lastRefresh.value = latest.at;
}

function open(): void {
  if (source !== undefined || document.visibilityState !== 'visible') return;
  // The browser's own EventSource sends no header.
  source = new EventSource(new URL('/api/events', location.origin), {
    fetch: (url, init) => fetch(url, withSession(init)),
  });
  source.addEventListener('board', (event) => {
    isConnected.value = 'yes';
    take(JSON.parse(event.data as string) as Board);
  });
  source.addEventListener('output', (event) => {
    outputs.value = JSON.parse(event.data as string) as readonly OutputLine[];
  });
  source.addEventListener('looked', (event) => {
    isConnected.value = 'yes';
    lastRefresh.value = JSON.parse(event.data as string) as string;
  });
  source.addEventListener('open', () => (isConnected.value = 'yes'));
  source.addEventListener('error', () => {
    isConnected.value = 'lost';
    if (source?.readyState === EventSource.CLOSED) {
      close();
      setTimeout(() => void begin(), AGAIN_MS);
    }
  });
}

/** After a refusal the browser does not retry by itself. */
const AGAIN_MS = 2000;

function close(): void {
  source?.close();
  source = undefined;
}
