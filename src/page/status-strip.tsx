import { listStripFacts } from '../line/board/status-strip.ts';
import { board, isConnected, now } from './live.ts';

/** The state of everything in one line, on every page. */
export function StatusStrip() {
  const told = board.value;
  if (told === undefined) return null;
  const facts = listStripFacts(told, new Date(now.value));
  const isLost = isConnected.value === 'lost' || isConnected.value === 'ended';
  const shown = isLost ? [{ tone: 'bad' as const, text: '○ offline' }, ...facts.slice(1)] : facts;
  return (
    <ul class="strip" aria-label="Status">
      {shown.map(({ tone, text }, at) => (
        <li key={at} class={tone}>
          {text}
        </li>
      ))}
    </ul>
  );
}
