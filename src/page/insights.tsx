import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../base/format-count.ts';
import { formatDollars, formatPaid, formatDuration, formatNumber } from '../line/reports/task-report/format-figures.ts';
import type { InsightsResponse } from '../app/web/api-types.ts';
import { Table } from '../app/views/parts.tsx';
import { currentRoute, toTask } from './current-route.ts';
import { board, findBoardRepository, needs, now } from './live.ts';
import { FirstSteps, LoadingNotice, useLooked } from './parts.tsx';
import { isShown } from './selection.ts';

const PERIODS = [7, 30, 90] as const;
/** The dearest tasks that are listed at first, and with each further press. */
const MOST_TASKS = 10;

/** How the line does: pictures of a period, each with its numbers, and the tables behind them. */
export function InsightsPage() {
  const mark = `${needs.value} ${board.value?.lanes.ended[0]?.key ?? ''}`;
  const { value, why } = useLooked<InsightsResponse>('/api/insights', mark);
  if (value === undefined) return <LoadingNotice why={why} />;
  const period = PERIODS.find((days) => String(days) === currentRoute.value.asked.get('days')) ?? 30;
  const days = listDays(value.days.filter(isShown), period);
  return (
    <>
      <h1>Insights</h1>
      {value.days.length === 0 ? (
        <Nothing />
      ) : (
        <>
          <Filters period={period} />
          <Trends days={days} />
          <Causes days={days} />
          <details>
            <summary>Day by day, in numbers</summary>
            <DayTable days={days} />
          </details>
          <Tables value={value} />
        </>
      )}
    </>
  );
}

const Nothing = () => (
  <div class="narrow">
    <p>
      Nothing has run yet. After the first task you see here, day by day: how many tasks were merged, how many of them
      at their first attempt, what they cost, and what halted the line.
    </p>
    <p>
      A low first-pass rate means that contracts leave too much open, or that an agent is too weak. Many halts of one
      cause mean that one fix helps all of them.
    </p>
    {board.value?.repositories.length === 0 ? (
      <FirstSteps />
    ) : (
      <p class="actions">
        <a class="button main" href="/new">
          Write a task
        </a>
      </p>
    )}
  </div>
);

/** One day of the period, over the shown repositories. */
type Day = ReturnType<typeof listDays>[number];

/** Every day of the period until today (UTC), also those on which nothing happened. */
function listDays(known: InsightsResponse['days'], period: number) {
  const byDay = Map.groupBy(known, ({ day }) => day);
  const today = Date.parse(now.peek());
  return Array.from({ length: period }, (_, at) => {
    const day = new Date(today - (period - 1 - at) * 86_400_000).toISOString().slice(0, 10);
    const all = byDay.get(day) ?? [];
    const halts = all.flatMap((one) => one.halts);
    return {
      day,
      merged: total(all, ({ merged }) => merged),
      firstPass: total(all, (one) => one.first_pass),
      halted: total(halts, ({ count }) => count),
      tasks: total(all, ({ tasks }) => tasks),
      waited: total(all, (one) => one.waited_ms),
      usd: total(all, ({ cost }) => cost.usd),
      unpriced: total(all, ({ cost }) => cost.unpriced),
      minutes: total(all, ({ cost }) => cost.minutes),
      halts,
    };
  });
}

const total = <One,>(all: readonly One[], of: (one: One) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0);

/** The period, and the repository where there are several. */
function Filters({ period }: { readonly period: number }) {
  const only = currentRoute.value.asked.get('repository');
  const link = (text: string, days: number, repository: string | null, isOn: boolean) => {
    const asked = new URLSearchParams({ days: String(days), ...(repository === null ? {} : { repository }) });
    return (
      <a key={text} class="button" href={`/insights?${asked.toString()}`} aria-current={isOn ? 'true' : undefined}>
        {text}
      </a>
    );
  };
  const all = board.value?.repositories ?? [];
  return (
    <nav class="actions" aria-label="What is shown">
      {PERIODS.map((days) => link(`${days} days`, days, only, days === period))}
      {all.length < 2 ? null : (
        <>
          {link('all repositories', period, null, only === null)}
          {all.map(({ id, name }) => link(name, period, id, id === only))}
        </>
      )}
    </nav>
  );
}

function Trends({ days }: { readonly days: readonly Day[] }) {
  const merged = total(days, (one) => one.merged);
  const firstPass = total(days, (one) => one.firstPass);
  const usd = total(days, (one) => one.usd);
  const unpriced = total(days, (one) => one.unpriced);
  const points = (of: (day: Day) => number | null, say: (value: number) => string) =>
    days.map((one) => {
      const value = of(one);
      return { label: `${one.day}: ${value === null ? 'nothing merged' : say(value)}`, value };
    });
  const waited = total(days, (one) => one.waited);
  const counted = (name: string, tone: string, what: 'merged' | 'halted', say: (count: number) => string) => {
    const all = total(days, (one) => one[what]);
    const perDay = `${(all / days.length).toFixed(1)} a day`;
    return (
      <Trend
        {...{ name, tone }}
        number={String(all)}
        note={what === 'merged' || waited === 0 ? perDay : `waited ${formatDuration(waited)} for you`}
        picture={describe(`${name} per day`, days, what, String)}
        points={points((one) => one[what], say)}
      />
    );
  };
  return (
    <div class="trends">
      {counted('Merged', 'good', 'merged', (count) => `${count} merged`)}
      <Trend
        name="Right at the first attempt"
        tone="work"
        number={merged === 0 ? '–' : formatPercent(firstPass / merged)}
        note={merged === 0 ? 'nothing merged' : `${firstPass} of ${merged} merged`}
        picture={`Share merged at the first attempt per day: ${firstPass} of ${merged} in ${days.length} days`}
        most={1}
        points={points(
          (one) => (one.merged === 0 ? null : one.firstPass / one.merged),
          (rate) => `${formatPercent(rate)} at the first attempt`,
        )}
      />
      <Trend
        name={unpriced > 0 ? 'Cost, at least' : 'Cost'}
        tone="wait"
        number={formatDollars(usd)}
        note={merged === 0 ? formatCount(days.length, 'day') : `${formatDollars(usd / merged)} a merge`}
        picture={describe('Dollars per day', days, 'usd', formatDollars)}
        points={points((one) => one.usd, formatDollars)}
      />
      {counted('Halts', 'bad', 'halted', (count) => formatCount(count, 'halt'))}
    </div>
  );
}

/** A figure of the period with its course by day; `picture` says the course in words. */
const Trend = (props: {
  readonly name: string;
  readonly tone: string;
  readonly number: string;
  readonly note: string;
  readonly picture: string;
  readonly points: ComponentProps<typeof Sparkline>['points'];
  readonly most?: number;
}) => (
  <figure class={`card trend ${props.tone}`}>
    <figcaption>
      <span>{props.name}</span>
      <b>{props.number}</b>
      <small>{props.note}</small>
    </figcaption>
    <Sparkline {...props} name={props.picture} />
  </figure>
);

/** A picture in words: its sum, its highest day and today. */
function describe(
  what: string,
  days: readonly Day[],
  key: 'merged' | 'usd' | 'halted',
  format: (value: number) => string,
): string {
  const top = days.reduce((most, one) => (one[key] > most[key] ? one : most));
  const today = format(days.at(-1)?.[key] ?? 0);
  const sum = format(total(days, (one) => one[key]));
  return `${what}: ${sum} in ${days.length} days, at most ${format(top[key])} on ${top.day}, ${today} today`;
}

function Causes({ days }: { readonly days: readonly Day[] }) {
  const causes = [
    ...Map.groupBy(
      days.flatMap(({ halts }) => halts),
      ({ phrase }) => phrase,
    ),
  ]
    .map(([phrase, all]) => ({ phrase, count: total(all, ({ count }) => count) }))
    .toSorted((one, other) => other.count - one.count);
  const most = causes[0]?.count ?? 1;
  return (
    <>
      <h2>Halts by cause</h2>
      {causes.length === 0 ? (
        <p class="soft">Nothing was halted in {days.length} days.</p>
      ) : (
        <div class="narrow">
          <Table
            name="halts by cause"
            heads={['Cause', 'Halts#', '']}
            rows={causes.map(({ phrase, count }) => [
              phrase,
              count,
              <progress class="bad" max={most} value={count} aria-label={`share of: ${phrase}`} />,
            ])}
          />
        </div>
      )}
    </>
  );
}

const DayTable = ({ days }: { readonly days: readonly Day[] }) => (
  <Listed
    name="every day"
    of={days.filter(({ merged, halted, tasks }) => merged + halted + tasks > 0).toReversed()}
    columns={[
      ['Day (UTC)', (one) => one.day],
      ['Merged#', (one) => one.merged],
      ['First attempt#', (one) => one.firstPass],
      ['Halts#', (one) => one.halted],
      ['Waited#', (one) => (one.waited === 0 ? '–' : formatDuration(one.waited))],
      ['Dollars#', formatPaid],
      ['Agents#', (one) => formatDuration(one.minutes * 60_000)],
      ['Tasks#', (one) => one.tasks],
    ]}
  />
);

/** What each task, agent and reviewer has cost and done since the beginning, the dearest first. */
function Tables({ value }: { readonly value: InsightsResponse }) {
  const [most, setMost] = useState(MOST_TASKS);
  const nameOf = (id: string): string => findBoardRepository(id)?.name ?? id;
  const tasks = value.tasks.filter(isShown).toSorted((one, other) => other.usd - one.usd);
  const sum = {
    usd: total(tasks, ({ usd }) => usd),
    unpriced: total(tasks, ({ unpriced }) => unpriced),
  };
  return (
    <>
      <h2>Cost by task</h2>
      <p class="soft">
        {formatCount(tasks.length, 'task')} since the beginning, {formatPaid(sum)}
        {tasks.length > most ? `; the ${most} dearest:` : ''}
      </p>
      <Listed
        name="costs by task"
        of={tasks.slice(0, most)}
        columns={[
          ['Task', (one) => <a href={toTask(one.repository, one.task_id)}>{one.task_id}</a>],
          ['Title*', (one) => one.title],
          ['Repository', (one) => nameOf(one.repository)],
          ['Dollars#', formatPaid],
          ['Tokens#', (one) => formatNumber(one.tokensIn + one.tokensOut)],
          ['Agents#', (one) => formatDuration(one.minutes * 60_000)],
          ['Calls#', (one) => one.calls],
        ]}
      />
      {tasks.length > most ? (
        <button onClick={() => setMost(most + MOST_TASKS)}>{Math.min(MOST_TASKS, tasks.length - most)} more</button>
      ) : null}
      <h2>Agents</h2>
      <Listed
        name="records of agents"
        of={value.agents.filter(isShown).toSorted((one, other) => other.cost.usd - one.cost.usd)}
        columns={[
          ['Station', (one) => one.station],
          ['Model', (one) => one.model || one.agent],
          ['Repository', (one) => nameOf(one.repository)],
          ['Calls#', (one) => one.cost.calls],
          ['Failed#', (one) => one.failedCalls],
          ['Changes#', (one) => one.changes],
          ['Gate red#', (one) => one.gateRed],
          ['Merged#', (one) => one.merged],
          ['Dollars#', (one) => formatPaid(one.cost)],
          ['Time#', (one) => formatDuration(one.cost.minutes * 60_000)],
        ]}
      />
      <h2>Reviewers</h2>
      <p class="soft small">
        Confirmed: another change came after what blocked, or a judge blocked on that tree too. Refuted: a judge passed
        the tree, others refuted it by a citation, or it was taken back. Dropped: it cited nothing that is there.
      </p>
      <Listed
        name="ledger of reviewers"
        of={value.reviewers.filter(isShown)}
        columns={[
          ['Reviewer', (one) => one.reviewer],
          ['Model', (one) => one.model || one.agent],
          ['Repository', (one) => nameOf(one.repository)],
          ['Calls#', (one) => one.calls],
          ['No vote#', (one) => one.noVotes],
          ['Findings#', (one) => one.findings],
          ['Confirmed#', (one) => one.confirmed],
          ['Refuted#', (one) => one.refuted],
          ['Style#', (one) => one.style],
          ['Unique#', (one) => one.unique],
          ['Dropped#', (one) => one.dropped],
          ['Dollars#', (one) => formatPaid(one.cost)],
        ]}
      />
    </>
  );
}

/** A table of things, column by column. */
const Listed = <One,>(props: {
  readonly name: string;
  readonly of: readonly One[];
  readonly columns: readonly (readonly [head: string, cell: (one: One) => ComponentChildren])[];
}) => (
  <Table
    name={props.name}
    heads={props.columns.map(([head]) => head)}
    rows={props.of.map((one) => props.columns.map(([, cell]) => cell(one)))}
  />
);

const formatPercent = (share: number): string => `${Math.round(share * 100)} %`;

/** One bar; null = there is no value. */
interface Point {
  readonly label: string;
  readonly value: number | null;
}

/** Of one bar and its gap, in units of the picture. */
const [STEP, BAR] = [4, 3];
const HEIGHT = 40;
/** The trace of a day without a value. */
const TRACE = 1;

/** A row of bars, a day each. Its name says the numbers to those who do not see it; a bar has its own as a tooltip. */
function Sparkline({
  name,
  points,
  most = Math.max(...points.map(({ value }) => value ?? 0)),
}: {
  readonly name: string;
  readonly points: readonly Point[];
  readonly most?: number;
}) {
  return (
    <svg
      class="spark"
      role="img"
      aria-label={name}
      viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {points.map(({ label, value }, at) => {
        const height = value === null || value === 0 || most === 0 ? TRACE : Math.max(2, (value / most) * HEIGHT);
        return (
          <rect
            key={label}
            class={height === TRACE ? 'trace' : undefined}
            x={at * STEP}
            y={HEIGHT - height}
            width={BAR}
            height={height}
          >
            <title>{label}</title>
          </rect>
        );
      })}
    </svg>
  );
}
