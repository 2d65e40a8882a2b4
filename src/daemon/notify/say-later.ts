import type { News } from '../../wiring/services.ts';

/** Shows entries right after the work that is under way, all news in order: no program starts later because of a terminal. */
export function sayLater(say: (news: News) => void): { say(news: News): void; flush(): void } {
  const waiting: News[] = [];
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
