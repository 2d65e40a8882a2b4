import type { ComponentChildren } from 'preact';
import { formatLocalTime, withLocalTimes } from '../base/local-time.ts';
import type { OutlineItem } from '../line/digest/outline-digest.ts';
import { formatDollars } from '../line/reports/task-report/format-figures.ts';
import type { DigestResponse } from '../app/web/api-types.ts';
import { Items, SectionPart } from '../app/views/parts.tsx';
import { currentRoute, toTask } from './current-route.ts';
import { Icon, type IconName } from './icons.tsx';
import { allRows, board, now } from './live.ts';
import { CommandHint, LoadingNotice, ShortAge, useLooked } from './parts.tsx';
import { RowLink } from './row-link.tsx';
import { needGroups } from './selection.ts';

const ICONS: Readonly<Record<string, readonly [IconName, string] | undefined>> = {
  merged: ['merged', 'good'],
  back: ['decision', 'wait'],
  refused: ['decision', 'wait'],
  given: ['ended', 'soft'],
  undone: ['ended', 'soft'],
  waits: ['waiting', 'wait'],
};

/** What happened since a moment, else since the last digest that was typed: rows that lead to their tasks. */
export function DigestPage() {
  const { value, why } = useDigest(currentRoute.value.asked.get('since'), '');
  if (value === undefined) return <LoadingNotice why={why} />;
  const { digest, outline, spent } = value;
  return (
    <div class="narrow digest">
      <h1>Digest</h1>
      <p class="soft">
        From {toDatedTime(digest.from)} to {toDatedTime(digest.to)}
      </p>
      <dl class="figures">
        {(
          [
            ['Merged', digest.merged.filter(isKept).length],
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
      <DigestRows id="undone" title="Undone" of={value} />
      <DigestRows id="back" title="Sent back by the line" of={value} />
      <DigestRows id="refused" title="Calls without a usable answer" of={value} />
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

/** A merge that was not taken back. */
export const isKept = ({ undone_as: undone }: Pick<DigestResponse['digest']['merged'][number], 'undone_as'>): boolean =>
  undone === null;

/** The day is shown too: a period may end at the hour at which it began. */
const toDatedTime = (at: string): string => formatLocalTime(at, new Date(now.value), { day: true });

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
  readonly id: 'merged' | 'undone' | 'back' | 'refused' | 'given' | 'waits';
  readonly title: string;
  readonly of: DigestResponse;
  readonly most?: number;
  /** Leads to the rows beyond the most. */
  readonly rest?: (count: number) => ComponentChildren;
}) {
  const { digest, outline, proofs } = props.of;
  const { id } = props;
  const things = {
    merged: digest.merged.filter(isKept),
    undone: digest.merged.filter((one) => !isKept(one)),
    back: digest.sent_back,
    refused: digest.answers_refused,
    given: digest.given_up,
    waits: digest.waits,
  };
  const items = outline.sections.find((section) => section.id === id)?.items ?? [];
  const rows = items.flatMap((item, at) => {
    const about = things[id][at];
    if (about === undefined) return [];
    return [{ item: withTimes(item), about, proof: proofs[digest.merged.indexOf(about as MergedTask)] }];
  });
  if (rows.length === 0) return null;
  const [icon, tone] = ICONS[id] ?? ['ended', 'soft'];
  const more = rows.length - (props.most ?? rows.length);
  return (
    <section class="list" aria-labelledby={props.id}>
      <h2 id={props.id} class="lane">
        {props.title} <span>{rows.length}</span>
      </h2>
      <ul class="rows">
        {rows.slice(0, props.most).map(({ item, about, proof }, at) => {
          const row = findRow(about);
          const merge = id === 'merged' ? (about as MergedTask) : undefined;
          const since =
            'undone_at' in about ? about.undone_at : 'at' in about ? about.at : 'since' in about ? about.since : null;
          return (
            <li key={at} class="row night">
              <a href={hrefOf(about.repository, about.task_id)}>
                <Icon name={icon} tone={item.tone === 'bad' ? 'bad' : tone} />
                <span class="title">{row?.title ?? about.task_id ?? item.name}</span>
                {since === null ? null : <ShortAge at={since} />}
                {merge === undefined ? (
                  <span class="phrase">{item.text}</span>
                ) : (
                  <>
                    <span class="phrase">{describeMerge(merge, item.name, row?.cost_usd ?? 0)}</span>
                    <span class="phrase proof">{proof}</span>
                  </>
                )}
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
      {more > 0 ? <p class="notes">{props.rest?.(more)}</p> : null}
    </section>
  );
}

type MergedTask = DigestResponse['digest']['merged'][number];

/** Where it is from, when, its size and its cost. */
const describeMerge = ({ at, added, deleted }: MergedTask, name: string, usd: number): string =>
  [
    name.replace(': ', ' '),
    formatLocalTime(at, new Date(now.value)),
    `+${added} −${deleted}`,
    ...(usd === 0 ? [] : [formatDollars(usd)]),
  ].join(' · ');

/** The row of the board about the same task, or the same contract where none has begun. */
const findRow = (about: {
  readonly repository: string;
  readonly task_id: string | null;
  readonly file?: string | null;
}) =>
  allRows.value.find(
    (row) =>
      row.root === about.repository &&
      (about.task_id === null ? row.file != null && row.file === about.file : row.task_id === about.task_id),
  );

/** The page of a task; a contract that has not begun is in the queue. */
function hrefOf(root: string, task: string | null): string {
  const id = board.value?.repositories.find((one) => one.root === root)?.id;
  return id === undefined || task === null ? '/queue' : toTask(id, task);
}
