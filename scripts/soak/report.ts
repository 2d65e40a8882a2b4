import { median, percentile } from '../bench/figures.ts';
import { cpuPerStep, afterWarmUp, quarters, type Figure, type Leg } from './figures.ts';
import type { Ends } from './look-at-end.ts';
import type { Options } from './options.ts';

/** Everything that a run found out. */
export interface Run {
  readonly options: Options;
  readonly minutes: number;
  readonly life: readonly Leg[];
  readonly ends: Ends;
  readonly figures: readonly Figure[];
}

/** The table for people. */
export function renderTable({ options, minutes, ends, figures, life }: Run): string {
  const { steps, entries, tasks, merged, abandoned, interrupted, wrong } = ends;
  const [first, last] = quarters(afterWarmUp(life));
  const restarts = life.at(-1)?.restarts ?? 0;
  const both = (what: string, values: (part: readonly Leg[]) => number, unit: string): readonly string[] => [
    what,
    `${round(values(first))} ${unit}`,
    `${round(values(last))} ${unit}`,
  ];
  const step = (percent: number) => (part: readonly Leg[]) =>
    percentile(
      part.flatMap(({ times }) => times),
      percent,
    );
  return [
    `soak: ${steps} steps, ${tasks} tasks in ${options.projects} projects, ${entries} journal entries, ${round(minutes)} minutes`,
    `  ${merged} merged, ${abandoned} given up as scripted; ${interrupted} calls cut off`,
    `  ${options.kills} processes killed with SIGKILL; then one life in which every floor was reopened ${restarts} times`,
    `  real: floor, line, journal, git, hand-off folder, watcher, locks, gates; scripted: what the agents answer`,
    '',
    ...columns([
      ['', 'first quarter', 'last quarter'],
      both('heap after a collection', (part) => median(part.map(({ heap }) => heap)) / 1e6, 'MB'),
      both('resident memory', (part) => median(part.map(({ rss }) => rss)) / 1e6, 'MB'),
      both('open descriptors', (part) => median(part.map(({ descriptors }) => descriptors)), ''),
      both('inotify watches', (part) => median(part.map(({ watches }) => watches)), ''),
      both('a step, median of the tasks', step(50), 'ms'),
      both('a step, 95th percentile of the tasks', step(95), 'ms'),
      both('a bare spawn meanwhile, median', (part) => median(part.flatMap(({ spawns }) => spawns)), 'ms'),
      both('CPU of andon and its git per step', cpuPerStep, 'ms'),
    ]),
    '',
    ...columns(
      figures.map(({ goal, value, unit, limit, verdict }) => [
        goal,
        `${round(value)} ${unit}`.trim(),
        `at most ${limit}: ${verdict}`,
      ]),
    ),
    ...[...wrong.tasks, ...wrong.merges, ...wrong.journals].slice(0, MOST_SENTENCES).map((why) => `  ${why}`),
    '',
  ].join('\n');
}

const MOST_SENTENCES = 20;

function round(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd());
}
