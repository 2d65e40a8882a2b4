import type { LineEvent } from '../../wiring/services.ts';

/** Shows entries right after the work that is under way, all news in order: no program starts later because of a terminal. */
export function deferLog(say: (news: LineEvent) => void): { say(news: LineEvent): void; flush(): void } {
  const waiting: LineEvent[] = [];
  const flush = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) say(next);
  };
  return {
    flush,
    say(news) {
      if (news.kind !== 'entry' && waiting.length === 0) return say(news);
      waiting.push(news);
      if (waiting.length === 1) setImmediate(flush);
    },
  };
}
