/** What a figure may be at most; a trend is held only by a run that is long enough to show one. */
export interface Bound {
  readonly key: string;
  readonly goal: string;
  readonly unit: string;
  readonly limit: number;
  readonly isTrend: boolean;
}

/** Minimum transitions for a trend; in fewer, a single garbage collection decides. */
export const ENOUGH_STEPS = 10_000;

const exact = (key: string, goal: string): Bound => ({ key, goal, unit: '', limit: 0, isTrend: false });
const trend = (key: string, goal: string, limit: number, unit = ''): Bound => ({
  key,
  goal,
  unit,
  limit,
  isTrend: true,
});

/** Every bound, as data. Ends are compared with the script; growth is looked for in the second half of the long life, what is counted in all of it. */
export const BOUNDS: readonly Bound[] = [
  exact('tasks', 'tasks that did not end as scripted, transition for transition'),
  exact('merges', 'tasks that their branch does not hold exactly once (or, given up, not at all)'),
  exact('journals', 'journals that `andon doctor --journal` objects to'),
  trend('heap', 'heap after a garbage collection, growth', 50, 'B/step'),
  trend('rss', 'resident memory, growth', 1000, 'B/step'),
  exact('descriptors', 'open descriptors, most less fewest'),
  exact('watches', 'inotify watches, most less fewest'),
  exact('resources', 'active resources, most less fewest'),
  trend('median', 'time of a step (median of the tasks) ÷ a spawn, last quarter ÷ first', 1.25),
  trend('p95', 'the same, 95th percentile of the tasks', 1.5),
  trend('cpu', 'CPU of andon and its git per step, last quarter ÷ first', 1.25),
];
