import { ENOUGH_PAIRS, WrongInput, readOptions, type Name, type Options } from './options.ts';
import { judgeFigures, renderJson, renderTable, type Measured } from './report.ts';
import { board } from './runs/board.ts';
import { door } from './runs/door.ts';
import { flood } from './runs/flood.ts';
import { gitSize } from './runs/git-size.ts';
import { growth } from './runs/growth.ts';
import { hook } from './runs/hook.ts';
import { lanesOfRules } from './runs/lanes-of-rules.ts';
import { latency } from './runs/latency.ts';
import { line } from './runs/line.ts';
import { messages } from './runs/messages.ts';
import { rules } from './runs/rules.ts';
import { soak } from './runs/soak.ts';
import { start } from './runs/start.ts';
import { throughput } from './runs/throughput.ts';
import { openStage, type Stage } from './stage.ts';

/** Every benchmark by its name. */
const RUNS: Readonly<Record<Name, (stage: Stage, options: Options) => Promise<Measured>>> = {
  line,
  'git-size': gitSize,
  latency,
  start,
  hook,
  growth,
  throughput,
  soak,
  rules,
  'lanes-of-rules': lanesOfRules,
  messages,
  flood,
  door,
  board,
};

/** Measures one goal (`npm run bench -- <name>`), prints both sides, and gives back 1 when a bound is broken. */
async function main(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv);
  const stage = openStage();
  process.once('exit', () => stage.close());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  try {
    const measured = await RUNS[options.name](stage, options);
    const few = `Only ${options.pairs} pairs: a quick try, not a measurement (${ENOUGH_PAIRS} or more count).`;
    const noted = options.pairs < ENOUGH_PAIRS ? { ...measured, notes: [few, ...measured.notes] } : measured;
    const verdicts = judgeFigures(noted, options.bounds);
    process.stdout.write(options.json ? renderJson(noted, verdicts) : renderTable(noted, verdicts));
    return verdicts.every(({ kept }) => kept) ? 0 : 1;
  } finally {
    stage.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WrongInput)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
