import type { PeriodName } from '../config/night-settings.ts';
import { findLocalMoment } from './local-moment.ts';

const NOON = 12 * 60;

/** The night, day or month of a moment by the local calendar; a night lasts from noon to noon. Pure. */
export function findPeriod(name: PeriodName, at: string): { readonly from: string; readonly to: string } {
  const then = new Date(at);
  const on = (days: number, minute: number): string => new Date(findLocalMoment(then, days, minute)).toISOString();
  if (name === 'month') {
    const first = (months: number): string =>
      new Date(findLocalMoment(new Date(then.getFullYear(), then.getMonth() + months, 1, 12), 0, 0)).toISOString();
    return { from: first(0), to: first(1) };
  }
  if (name === 'day') return { from: on(0, 0), to: on(1, 0) };
  return on(0, NOON) <= then.toISOString()
    ? { from: on(0, NOON), to: on(1, NOON) }
    : { from: on(-1, NOON), to: on(0, NOON) };
}

/** The next moment after this one at which local clocks show a minute of the day. Pure. */
export function findNextMoment(minute: number, at: string): string {
  const then = new Date(at);
  const today = findLocalMoment(then, 0, minute);
  return new Date(today > then.getTime() ? today : findLocalMoment(then, 1, minute)).toISOString();
}
