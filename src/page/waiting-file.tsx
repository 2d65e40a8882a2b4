import { useRef, useState } from 'preact/hooks';
import type { BoardRow } from '../line/board/board.ts';
import type { ActionOutcome, WaitingFileResponse } from '../app/web/api-types.ts';
import { Items, Words } from '../app/views/parts.tsx';
import { AnswerNotice } from './answer-notice.tsx';
import { ask } from './ask.ts';
import { readOnly } from './live.ts';
import { ActionResult, LoadingNotice, Sure, useLooked } from './parts.tsx';
import { needGroups } from './selection.ts';

/** A contract that waits, or the proposal: its faults with their lines, its text to edit, and the approval. */
export function WaitingFileEditor({ row }: { readonly row: BoardRow }) {
  const path = `/api/papers/${encodeURIComponent(row.repository)}`;
  const file = row.file === null ? {} : { file: row.file };
  const { value, why } = useLooked<WaitingFileResponse>(`${path}?${new URLSearchParams(file).toString()}`, row.why);
  // Typed text is kept with the version that it began with.
  const [typed, setTyped] = useState<{ readonly text: string; readonly version: string }>();
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const [from] = useState(() => needGroups.value.findIndex(({ key }) => key === row.key));
  const area = useRef<HTMLTextAreaElement>(null);
  if (outcome?.ok === true) return <AnswerNotice said={outcome.said} keys={[row.key]} from={from} />;
  if (value === undefined) return <LoadingNotice why={why} />;
  const { text, version } = typed ?? value;
  const { draft, edit_at: editAt } = value;
  const faults = (outcome?.ok === false ? outcome.faults : undefined) ?? value.faults;
  const lines = text.split('\n');
  const select = (line: number): void => {
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  };
  return (
    <>
      {faults.map(({ path: place, line, said }) => (
        <div key={`${place} ${said}`} class="file-fault">
          <p>
            {line == null ? null : <button onClick={() => select(line)}>Line {line}</button>} <code>{place}</code>:{' '}
            <Words text={said} />
          </p>
          {line == null ? null : <pre>{lines[line - 1]?.trim()}</pre>}
        </div>
      ))}
      {draft === null ? null : (
        <>
          <Tasks draft={draft} />
          <Sure
            main
            what={draft.tasks.length === 1 ? 'Approve this task' : `Approve ${draft.tasks.length} tasks`}
            sure="Confirm: approve"
            note="Each becomes a contract in the queue, as it is shown here."
            act={() => ask(path, { do: 'approve', shown: draft.shown })}
            came={setOutcome}
          />
        </>
      )}
      {draft === null && row.file === null && value.faults.length === 0 ? (
        <p>This is prose that no agent has read yet. A watchdog has one name its tasks.</p>
      ) : null}
      <label for="file-text">{value.file}</label>
      <textarea
        id="file-text"
        class="file"
        ref={area}
        spellcheck={false}
        readOnly={readOnly.value !== null || editAt !== null}
        rows={Math.min(30, lines.length + 1)}
        value={text}
        onInput={(event) => setTyped({ text: event.currentTarget.value, version })}
      />
      {editAt === null ? (
        <Sure
          main={draft === null}
          what="Save"
          sure="Confirm: save"
          note="It is checked first, and written only without a fault. The line reads it again by itself."
          isReady={typed !== undefined && typed.text !== value.text}
          act={() => ask(path, { do: 'save', ...file, version, text })}
          came={setOutcome}
        />
      ) : (
        <p class="wait">
          This page cannot keep the hidden characters, secrets or mixed line ends of this file. Edit it in an editor:{' '}
          <code>{editAt}</code>
        </p>
      )}
      <ActionResult outcome={outcome?.ok === false ? { ...outcome, faults: [] } : undefined} />
    </>
  );
}

/** The tasks of a proposal: what is wanted, where, and what was added to it. */
const Tasks = ({ draft: { tasks, by } }: { readonly draft: NonNullable<WaitingFileResponse['draft']> }) => (
  <>
    {by === null ? null : <p class="wait">Made from prose by {by}. Read every line before you approve.</p>}
    {tasks.map(({ taskId, contract, inferred, notices, title, requirements, allowed_paths: allowed }) => (
      <section key={taskId} class="command">
        <h3>
          {title} <span class="soft">{taskId}</span>
        </h3>
        <Items items={requirements} />
        <p class="soft">May change: {allowed.join(', ')}</p>
        {inferred.length === 0 ? null : <p class="soft">Not in the proposal: {inferred.join('; ')}</p>}
        {notices.length === 0 ? null : (
          <p class="wait">
            <Words text={notices.join('; ')} />
          </p>
        )}
        <details>
          <summary>The contract</summary>
          <pre tabIndex={0}>{contract}</pre>
        </details>
      </section>
    ))}
  </>
);
