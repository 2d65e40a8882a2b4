import { live, type Wish } from './live.ts';
import type { Life } from './lives.ts';

/** How many lives are lived at the same time. */
const AT_ONCE = 2;

/** What a sweep tried, and what it found. */
export interface Swept {
  readonly points: number;
  /** Points that were not come by the second time: nothing died there. */
  readonly missed: readonly string[];
  readonly violations: readonly string[];
  /** Daemons that ended although nobody killed them, with their last words. */
  readonly ended: readonly string[];
}

/** Every hit of every failpoint by process; or the first, the middle and the last of each; or the middle alone. */
export function pointsOf(
  reached: readonly (readonly string[])[],
  which: 'all' | 'some' | 'one',
  what = (hit: number) => `kill#${hit}`,
): readonly Wish[] {
  return reached.flatMap((names, at) =>
    [...new Set(names)].flatMap((name) => {
      const count = names.filter((other) => other === name).length;
      const middle = Math.ceil(count / 2);
      const few = which === 'some' ? [1, middle, count] : [middle];
      const hits = which === 'all' ? Array.from({ length: count }, (_, n) => n + 1) : few;
      return [...new Set(hits)].map((hit) => ({ process: at + 1, failpoint: `${name}:${what(hit)}` }));
    }),
  );
}

/** A point as a violation names it. */
export const nameOf = ({ process: number, failpoint }: Wish): string => `${failpoint} of process ${number}`;

/** Lives a life once undisturbed and once per point, and says what of the latter differs from the former. */
export async function sweep(
  life: Life,
  choose: (reached: readonly (readonly string[])[]) => readonly Wish[],
  first?: Wish,
): Promise<Swept> {
  const undisturbed = await live(life, first);
  const violations = undisturbed.wrong.map((what) => `undisturbed: ${what}`);
  const missed: string[] = [];
  const ended: string[] = [];
  const points = choose(undisturbed.reached);
  const waiting = [...points];
  const work = async (): Promise<void> => {
    for (let wish = waiting.shift(); wish !== undefined; wish = waiting.shift()) {
      const name = nameOf(wish);
      try {
        const lived = await live(life, wish);
        if (!wish.failpoint.includes(':error=') && !lived.died) missed.push(name);
        ended.push(...lived.ended.map((words) => `${name}: ${words}`));
        violations.push(...lived.wrong.map((what) => `${name}: ${what}`));
        for (const part of Object.keys(undisturbed.end) as (keyof typeof lived.end)[])
          if (String(lived.end[part]) !== String(undisturbed.end[part]))
            violations.push(
              `${name}: another ${part}: ${String(lived.end[part])} instead of ${String(undisturbed.end[part])}`,
            );
      } catch (error) {
        violations.push(`${name}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { points: points.length, missed, violations, ended };
}
