import { withLocalTimes } from '../base/local-time.ts';
import { BOARD_LANES } from '../line/board/board.ts';
import type { OutlineItem } from '../line/digest/outline.ts';
import { formatDollars } from '../line/reports/task-report/words.ts';
import type { DigestResponse } from '../app/web/api-types.ts';
import { Items, SectionPart, When } from '../app/views/parts.tsx';
import { currentRoute, toTask } from './current-route.ts';
import { Icon, type IconName } from './icons.tsx';
import { board, now } from './live.ts';
import { CommandHint, LoadingNotice, ShortAge, useLooked } from './parts.tsx';
import { RowLink } from './row-link.tsx';
import { needGroups } from './selection.ts';

const ICONS: Readonly<Record<string, readonly [IconName, string] | undefined>> = {
  merged: ['merged', 'good'],
  back: ['decision', 'wait'],
  refused: ['decision', 'wait'],
  given: ['ended', 'soft'],
  waits: ['waiting', 'wait'],
};

/** What happened since a moment, else since the last digest that was typed: rows that lead to their tasks. */
export function DigestPage() {
  const { value, why } = useDigest(currentRoute.value.asked.get('since'), '');
  if (value === undefined) return <LoadingNotice why={why} />;
  const { digest, outline, spent } = value;
  return (
    <div class="narrow digest">
      <h1>What happened</h1>
      <p class="soft">
        From <When at={digest.from} /> to <When at={digest.to} />
      </p>
      <dl class="figures">
        {(
          [
            ['Merged', digest.merged.length],
            ['Spent', spent],
            ['Need you', needGroups.value.reduce((sum, { rows }) => sum + rows.length, 0)],
            ['Sent back', digest.sent_back.length],
          ] as const
        ).map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <DigestRows id="merged" title="Merged" of={value} />
      {needGroups.value.length === 0 ? null : (
        <section class="list" aria-labelledby="needs">
          <h2 id="needs" class="lane">
            Needs you
          </h2>
          <ul class="rows">
            {needGroups.value.map((group) => (
              <RowLink key={group.key} group={group} hasSuggestion />
            ))}
          </ul>
        </section>
      )}
      <DigestRows id="back" title="Sent back" of={value} />
      <DigestRows id="refused" title="Answers refused" of={value} />
      <DigestRows id="given" title="Given up" of={value} />
      <DigestRows id="waits" title="Under way or waiting" of={value} />
      {outline.sections
        .filter(({ id, items }) => ['spent', 'nights', 'unknown'].includes(id) && items.length > 0)
        .map((section) => (
          <SectionPart key={section.id} id={section.id} title={section.title} body={section.items.map(toFact)} />
        ))}
    </div>
  );
}

export const useDigest = (since: string | null, again: unknown) =>
  useLooked<DigestResponse>(`/api/digest${since === null ? '' : `?since=${encodeURIComponent(since)}`}`, again);

const toWords = (text: string): string => withLocalTimes(text, new Date(now.value));
const withTimes = (item: OutlineItem): OutlineItem => ({
  ...item,
  text: toWords(item.text),
  lines: item.lines.filter((line) => !line.startsWith('wanted: ')).map(toWords), // the title says it
});

/** What no page of the board is about; a night that died is continued by a command. */
const toFact = (item: OutlineItem, at: number) => {
  const { name, text, lines, ways } = withTimes(item);
  return (
    <div key={at}>
      <p>
        {name === '' ? null : `${name}: `}
        {text}
      </p>
      <Items items={lines} />
      {ways.map(({ title, commands }) => (
        <CommandHint key={title} title={title} text={commands.join(' && ')} />
      ))}
    </div>
  );
};

/** One section as rows, each with what a person should know of it below; nothing where it is empty. */
export function DigestRows(props: {
  readonly id: 'merged' | 'back' | 'refused' | 'given' | 'waits';
  readonly title: string;
  readonly of: DigestResponse;
  readonly most?: number;
}) {
  const { digest, outline } = props.of;
  const things = {
    merged: digest.merged,
    back: digest.sent_back,
    refused: digest.answers_refused,
    given: digest.given_up,
    waits: digest.waits,
  };
  const items = outline.sections.find(({ id }) => id === props.id)?.items ?? [];
  const rows = items.flatMap((item, at) => {
    const about = things[props.id][at];
    return about === undefined ? [] : [{ item: withTimes(item), about }];
  });
  if (rows.length === 0) return null;
  const [icon, tone] = ICONS[props.id] ?? ['ended', 'soft'];
  return (
    <section class="list" aria-labelledby={props.id}>
      <h2 id={props.id} class="lane">
        {props.title} <span>{rows.length}</span>
      </h2>
      <ul class="rows">
        {rows.slice(0, props.most).map(({ item, about }, at) => {
          const row = findRow(about.repository, about.task_id);
          const usd = props.id === 'merged' ? (row?.cost_usd ?? 0) : 0;
          const since = 'at' in about ? about.at : 'since' in about ? about.since : null;
          return (
            <li key={at} class="row night">
              <a href={hrefOf(about.repository, about.task_id)}>
                <Icon name={icon} tone={item.tone === 'bad' ? 'bad' : tone} />
                <span class="title">{row?.title ?? about.task_id ?? item.name}</span>
                {since === null ? null : <ShortAge at={since} />}
                <span class="phrase">
                  {item.text}
                  {usd === 0 ? '' : ` · ${formatDollars(usd)}`}
                </span>
              </a>
              {item.lines.length === 0 ? null : (
                <ul class="notes">
                  {item.lines.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const findRow = (root: string, task: string | null) =>
  BOARD_LANES.flatMap((lane) => board.value?.lanes[lane] ?? []).find(
    (row) => row.root === root && row.task_id === task && task !== null,
  );

/** The page of a task; a contract that has not begun is in the queue. */
function hrefOf(root: string, task: string | null): string {
  const id = board.value?.repositories.find((one) => one.root === root)?.id;
  return id === undefined || task === null ? '/queue' : toTask(id, task);
}
