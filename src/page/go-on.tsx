import { useState } from 'preact/hooks';
import { STOP_FILE } from '../line/core/obstacles.ts';
import type { BoardRow } from '../line/board/board.ts';
import type { ActionOutcome, WaitingFileResponse } from '../app/web/api-types.ts';
import { AnswerNotice } from './answer-notice.tsx';
import { ask } from './ask.ts';
import { board } from './live.ts';
import { ActionResult, LoadingNotice, Sure, useLooked } from './parts.tsx';
import { needGroups } from './selection.ts';

/** Lets a line that a person holds go on: what holds it is shown, and only that is taken away. */
export function GoOn({ row }: { readonly row: BoardRow }) {
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const [from] = useState(() => needGroups.value.findIndex(({ key }) => key === row.key));
  if (outcome?.ok === true) return <AnswerNotice said={outcome.said} keys={[row.key]} from={from} />;
  return (
    <>
      {row.held_by === 'stop' ? (
        <RemoveStop repository={row.repository} came={setOutcome} />
      ) : (
        <EndPause repository={row.repository} came={setOutcome} />
      )}
      <ActionResult outcome={outcome} />
    </>
  );
}

interface Way {
  readonly repository: string;
  readonly came: (outcome: ActionOutcome) => void;
}

function RemoveStop({ repository, came }: Way) {
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

function EndPause({ repository, came }: Way) {
  const of = board.value?.repositories.find(({ id }) => id === repository);
  if (of?.paused_at == null) return null;
  return (
    <Sure
      main
      what="Let it go on"
      sure={`Confirm: ${of.name} goes on`}
      act={() => ask(`/api/asks/${encodeURIComponent(repository)}`, { do: 'unpause', since: of.paused_at })}
      came={came}
    />
  );
}
