import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon, type Daemon } from '../daemon.ts';
import { median } from '../figures.ts';
import { lagProbe, ownPart, until, waitOf, type Tick } from '../lag.ts';
import type { Options } from '../options.ts';
import type { Measured, Side } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

/** Empty files in one answer. */
const FILES = 200_000;
/** More floods than this tell nothing new: each takes seconds. */
const MOST_FLOODS = 5;
/** From the last byte of an answer with 200,000 empty files to its refusal, and how late the daemon is meanwhile. */
export async function flood(stage: Stage, { pairs }: Options): Promise<Measured> {
  const repo = (await openSource(stage, 'small')).copy('repo');
  const lag = lagProbe(stage.folder);
  const daemon = await startDaemon(stage, [repo], { ...stage.env, ...lag.env });
  const refused: number[] = [];
  const [plain, busy]: [(readonly Tick[])[], (readonly Tick[])[]] = [[], []];
  try {
    for (let round = 1; round <= Math.min(pairs, MOST_FLOODS); round += 1) {
      plain.push(await lag.during(() => daemon.task(repo, `PLAIN-${round}`)));
      busy.push(
        await lag.during(async () => {
          refused.push(await untilRefused(stage, daemon, repo, `FLOOD-${round}`));
          rmSync(`${stage.marks}.flood`);
          await daemon.merged(repo, `FLOOD-${round}`); // the next answer is an ordinary one
        }),
      );
    }
    return {
      name: 'flood',
      notes: [
        `${FILES} empty files in one answer; lag is how long the daemon's timers keep waiting who comes at any moment.`,
        `${busy.flat().length} ticks over ${busy.length} floods, ${plain.flat().length} over as many ordinary tasks, each from its drop to its merge.`,
        'Its own: without the time in which another process had its core (of a quiet machine the two are the same).',
      ],
      sides: [
        { label: 'last byte of the answer to its refusal', unit: 'ms', values: refused },
        ...sidesOf('a flood', busy),
        ...sidesOf('an ordinary task', plain),
      ],
      figures: [
        { key: 'flood.refused', label: 'refused', value: median(refused) },
        { key: 'flood.lag', label: 'lag', value: waitOf(lates(busy.flat()), 99) },
        { key: 'flood.own', label: 'its own lag, 99th percentile (ms)', value: waitOf(busy.flat().map(ownPart), 99) },
        {
          key: 'flood.ratio',
          label: 'its own longest lag ÷ that over an ordinary task',
          value: median(busy.map(longestOwn)) / median(plain.map(longestOwn)),
        },
      ],
    };
  } finally {
    await daemon.stop();
  }
}

async function untilRefused(stage: Stage, daemon: Daemon, repo: string, taskId: string): Promise<number> {
  const [answer, log] = [`${stage.marks}.flood`, join(repo, '_handoff/transition.ndjson')];
  const paths = Array.from({ length: FILES }, (_, at) => `FILE: notes/${taskId}/${at}.md\n\`\`\`\n\`\`\`\n`);
  rmSync(`${answer}.sent`, { force: true });
  writeFileSync(answer, paths.join(''));
  daemon.drop(repo, taskId);
  const isRefused = (): boolean =>
    existsSync(log) &&
    readFileSync(log, 'utf8')
      .split('\n')
      .some((row) => row.includes(taskId));
  await until(() => existsSync(`${answer}.sent`) && isRefused(), `${taskId} is refused`);
  const row =
    readFileSync(log, 'utf8')
      .split('\n')
      .find((one) => one.includes(taskId)) ?? '';
  if (!row.includes('max_files')) throw new Error(`the flood was not refused for its files: ${row}`);
  return Date.parse((JSON.parse(row) as { timestamp: string }).timestamp) - statSync(`${answer}.sent`).mtimeMs;
}

/** The lag of every round of one kind: as it was felt, and the daemon's own part of it. */
function sidesOf(what: string, rounds: readonly (readonly Tick[])[]): readonly Side[] {
  const side = (label: string, of: (ticks: readonly Tick[]) => number): Side => ({
    label: `lag over ${what}, ${label}`,
    unit: 'ms',
    values: rounds.map(of),
  });
  return [
    side('99th percentile', (ticks) => waitOf(lates(ticks), 99)),
    side('longest', (ticks) => Math.max(...lates(ticks))),
    side('longest of its own', longestOwn),
  ];
}

const lates = (ticks: readonly Tick[]): number[] => ticks.map(({ late }) => late);
const longestOwn = (ticks: readonly Tick[]): number => Math.max(...ticks.map(ownPart));
