/** One goal as a number that a run must keep; `key` is the figure of the run that is held to it. */
export interface Bound {
  readonly id: string;
  readonly key: string;
  readonly goal: string;
  readonly must: 'at most' | 'at least';
  readonly limit: number;
  /** The unit of the figure; a ratio has none. */
  readonly unit: '' | 'ms' | 'MB' | 'MB/s';
}

const ratio = (id: string, key: string, goal: string, limit: number): Bound => ({
  id,
  key,
  goal,
  must: 'at most',
  limit,
  unit: '',
});

/** Every bound, as data. All are ratios of two sides measured in the same run, but for those that say their unit. */
export const BOUNDS: readonly Bound[] = [
  ratio('P1', 'line.small.wall', 'wall time per task ÷ the shell script, small repository', 1),
  ratio('P1', 'line.big.wall', 'wall time per task ÷ the shell script, more than 20,000 files', 0.5),
  ratio('P2', 'line.small.cpu', 'CPU per task ÷ the shell script, small repository', 0.8),
  ratio('P2', 'line.big.cpu', 'CPU per task ÷ the shell script, more than 20,000 files', 0.5),
  ratio('P4', 'git-size.elsewhere', 'a task at 27,000 files ÷ at 50 files, target not checked out', 1.3),
  ratio('P4', 'git-size.checkout', "a task at 27,000 files ÷ at 50 files, the user's checkout updated", 4),
  ratio('P5', 'latency.p50', 'drop → agent started ÷ raw event + raw spawn, median', 3),
  ratio('P5', 'latency.p99', 'drop → agent started ÷ raw event + raw spawn, 99th percentile', 10),
  {
    ...ratio('P5', 'latency.busy', 'drop → agent started, contract touched just before, 99th percentile', 60),
    unit: 'ms',
  },
  { ...ratio('P5b', 'latency.poll', 'mean wait of a 5 s poll ÷ our 99th percentile', 40), must: 'at least' },
  ratio('P7', 'soak.growth', 'memory after all tasks ÷ after 20', 1.2),
  { ...ratio('P7', 'soak.memory', 'memory of the daemon after all tasks', 120), unit: 'MB' },
  ratio('P8', 'growth.transition', 'transition 10,000 of a task ÷ transition 10', 1.2),
  ratio('P8', 'growth.task', 'task 200 of a daemon ÷ task 1', 1.1),
  ratio('P11', 'start.version', '`andon --version` ÷ `node -e 0`', 1.3),
  ratio('P11', 'start.status', '`andon status` ÷ `node -e 0`', 2.5),
  { ...ratio('P12', 'hook.wall', '`git commit` asks the rules about one staged line', 350), unit: 'ms' },
  ratio('P12', 'hook.processes', 'git processes that are started for it', 4),
  {
    ...ratio('P13', 'throughput.share', 'tasks/s in one process ÷ (raw spawns/s ÷ spawns per task)', 0.6),
    must: 'at least',
  },
  { ...ratio('R1', 'rules.speed', 'source through 100 patterns near keywords', 8), must: 'at least', unit: 'MB/s' },
  { ...ratio('R2', 'rules.diff', '200 added lines through 250 rules', 50), unit: 'ms' },
  {
    ...ratio('R3', 'lanes-of-rules.rule', 'a rule with an expression over a response, 95th percentile', 1),
    unit: 'ms',
  },
  ratio('R4', 'lanes-of-rules.growth', 'variables read in twice as much hostile text', 4),
  {
    ...ratio('R5', 'lanes-of-rules.evaluations', 'evaluations of an expression per second', 200_000),
    must: 'at least',
  },
  { ...ratio('M1', 'messages.each', 'a message of 4 kB through the slowest guard, 95th percentile', 5), unit: 'ms' },
  { ...ratio('M1', 'messages.chain', 'a message of 4 kB through all four guards, 95th percentile', 50), unit: 'ms' },
  ratio('M2', 'messages.growth', 'hostile text of 200 kB ÷ of 100 kB', 3),
  { ...ratio('F1', 'flood.refused', '200,000 empty files in one answer, until they are refused', 1000), unit: 'ms' },
  { ...ratio('F1', 'flood.lag', 'lag of the daemon meanwhile, 99th percentile', 100), unit: 'ms' },
  { ...ratio('D1', 'door.added', 'what the model door adds to a chunk at 50 streams, 95th percentile', 5), unit: 'ms' },
  ratio('D2', 'door.memory', 'memory of the door after ten rounds of streams ÷ after two', 1.2),
  {
    ...ratio('B1', 'board.lag', 'lag of the daemon with 20 open pages − without a board, 99th percentile', 20),
    unit: 'ms',
  },
  { ...ratio('B2', 'board.reader', 'memory of andon web for a page', 2), unit: 'MB' },
  { ...ratio('B3', 'board.told', 'from an entry of the journal to a page, 95th percentile', 1000), unit: 'ms' },
];
