import { useState } from 'preact/hooks';
import type { BoardRow, NeedGroup } from '../line/board/board.ts';
import { toSentence } from '../base/to-sentence.ts';
import { withLocalTimes } from '../base/local-time.ts';
import type { ActionOutcome, WaitingFileResponse } from '../app/web/api-types.ts';
import { AnswerNotice } from './answer-notice.tsx';
import { ask } from './ask.ts';
import { toHalt } from './current-route.ts';
import { Suggestion } from './halt-answer.tsx';
import { findBoardRepository, now, readOnly } from './live.ts';
import { Words } from '../app/views/parts.tsx';
import { WaitingFileEditor } from './waiting-file.tsx';
import { CommandHint, Sure, ActionResult, LoadingNotice, useLooked } from './parts.tsx';
import { PauseSwitch } from './queue.tsx';
import { needGroups } from './selection.ts';
import { STOP_FILE } from '../base/names.ts';

interface GroupProps {
  readonly group: NeedGroup;
  readonly heading: 'h1' | 'h2';
}

/** Some rows of one cause with one answer for all, or one row without a page of its own. */
export function GroupPage({ group, heading: Heading }: GroupProps) {
  const { rows } = group;
  const [row] = rows;
  const words = (text: string): string => withLocalTimes(text, new Date(now.value));
  const isWaitingFile = row.file !== null || (row.kind === 'decision' && row.task_id === null);
  if (rows.length > 1) return <Together key={group.key} group={group} heading={Heading} />;
  return (
    <>
      <p class="crumb">
        {row.name} {row.file === null ? null : <code>{row.file}</code>}
      </p>
      <Heading>{row.title}</Heading>
      {row.kind === 'refused' ? null : (
        <p>
          <Words text={toSentence(words(isWaitingFile || row.why === '' ? row.phrase : row.why))} />
        </p>
      )}
      {row.held_by === null ? null : <GoOn key={row.key} row={row} />}
      {isWaitingFile ? <WaitingFileEditor key={row.key} row={row} /> : null}
      {(isWaitingFile || (row.held_by !== null && readOnly.value === null) ? [] : row.ways).map(
        ({ title, does, command }) => (
          <div key={command}>
            <p>
              <b>{title}</b> <span class="soft">{does}</span>
            </p>
            <CommandHint title={title} text={command} root={row.root} />
          </div>
        ),
      )}
    </>
  );
}

/** What came of several answers, each journaled by itself. */
interface TogetherOutcome {
  readonly done: number;
  readonly refused: readonly { readonly row: BoardRow; readonly outcome: Extract<ActionOutcome, { ok: false }> }[];
}

function Together({ group, heading: Heading }: GroupProps) {
  // The rows as they were read: those that are answered leave the board meanwhile.
  const [rows] = useState(group.rows);
  const [from] = useState(() => needGroups.value.findIndex(({ key }) => key === group.key));
  const [outcome, setOutcome] = useState<TogetherOutcome>();
  const [first] = rows;
  const answerAll = async (path: 1 | 2): Promise<ActionOutcome> => {
    const refused: TogetherOutcome['refused'][number][] = [];
    for (const [at, row] of rows.entries()) {
      const where = [row.repository, row.task_id ?? '', row.halt_id ?? ''].map(encodeURIComponent).join('/');
      const one = await ask(`/api/halts/${where}`, { path });
      if (!one.ok) refused.push({ row, outcome: one });
      setOutcome({ done: at + 1 - refused.length, refused });
    }
    return { ok: true, said: '' };
  };
  const isOver = outcome !== undefined && outcome.done + outcome.refused.length === rows.length;
  return (
    <>
      <p class="crumb">
        {first.name} · {rows.length} tasks
      </p>
      <Heading>{first.halt?.phrase}</Heading>
      <p class="ask">
        <Words text={first.halt?.question ?? ''} />
      </p>
      <p class="soft">
        <Words text={toSentence(withLocalTimes(first.why, new Date(now.value)))} />
      </p>
      {isOver ? (
        <AnswerNotice
          said={`Answered ${outcome.done} of ${rows.length}.`}
          keys={rows.map(({ key }) => key)}
          from={from}
        />
      ) : (
        <section class="decide" aria-label="Paths">
          {outcome === undefined ? null : (
            <p role="status">
              {outcome.done} of {rows.length} answered
            </p>
          )}
          <div class="choices">
            {first.paths.map(({ title, does }, at) => (
              <div key={title}>
                <Sure
                  main={first.halt?.suggestion?.path === at + 1}
                  what={`Answer all ${rows.length}: ${title}`}
                  sure={`Confirm ${rows.length} answers`}
                  note={does}
                  id={`path-${at + 1}`}
                  act={() => answerAll(at === 0 ? 1 : 2)}
                />
                {first.halt?.suggestion?.path === at + 1 ? (
                  <Suggestion title={title} why={first.halt.suggestion.why} />
                ) : null}
              </div>
            ))}
          </div>
        </section>
      )}
      {(outcome?.refused ?? []).map(({ row, outcome: { said, remedy } }) => (
        <p key={row.key} class="bad">
          {row.task_id}: {said}; {remedy}
        </p>
      ))}
      <details>
        <summary>One by one</summary>
        <ul class="notes">
          {rows.map(({ key, repository, task_id: id, title }) => (
            <li key={key}>
              <a href={toHalt(repository, id ?? '')}>{title}</a> <span class="soft">{id}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Lets a line that a person holds go on: what holds it is shown, and only that is taken away. */
function GoOn({ row }: { readonly row: BoardRow }) {
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const [from] = useState(() => needGroups.value.findIndex(({ key }) => key === row.key));
  if (outcome?.ok === true) return <AnswerNotice said={outcome.said} keys={[row.key]} from={from} />;
  const of = findBoardRepository(row.repository);
  return (
    <>
      {row.held_by === 'stop' ? (
        <RemoveStop repository={row.repository} came={setOutcome} />
      ) : of?.paused === true ? (
        <PauseSwitch of={of} main came={setOutcome} />
      ) : null}
      <ActionResult outcome={outcome} />
    </>
  );
}

function RemoveStop(props: { readonly repository: string; readonly came: (outcome: ActionOutcome) => void }) {
  const { repository, came } = props;
  const path = `/api/papers/${encodeURIComponent(repository)}`;
  const { value, why } = useLooked<WaitingFileResponse>(`${path}?file=${encodeURIComponent(STOP_FILE)}`);
  if (value === undefined) return <LoadingNotice why={why} />;
  return (
    <>
      {value.text.trim() === '' ? <p class="soft">The file gives no reason.</p> : <blockquote>{value.text}</blockquote>}
      <Sure
        main
        what="Remove STOP"
        sure="Confirm: the line goes on"
        note="A task that it halted keeps its halt, with its two paths. Contracts that wait begin again."
        act={() => ask(path, { do: 'remove stop', version: value.version })}
        came={came}
      />
    </>
  );
}
