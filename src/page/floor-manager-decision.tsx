import { useState } from 'preact/hooks';
import type { ActionOutcome, TaskResponse } from '../app/web/api-types.ts';
import { Items } from '../app/views/parts.tsx';
import { AnswerNotice } from './answer-notice.tsx';
import { ask } from './ask.ts';
import { readOnly } from './live.ts';
import { ActionResult, Sure, toLines } from './parts.tsx';
import { needGroups } from './selection.ts';

/** What a person who is the floor manager decides on a report: merge, fix or rebut. */
export function FloorManagerDecision({ response }: { readonly response: TaskResponse }) {
  const { decision, repository, task_id: task } = response;
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const [answered, setAnswered] = useState<string>();
  const [reason, setReason] = useState('');
  const [fixes, setFixes] = useState<string>();
  const [evidence, setEvidence] = useState('');
  const [place] = useState(() => {
    const at = needGroups.value.findIndex(({ rows }) =>
      rows.some((row) => row.repository === repository && row.task_id === task),
    );
    return { at, keys: needGroups.value[at]?.rows.map(({ key }) => key) ?? [] };
  });
  // A later report is a new question.
  const isAnswered = outcome?.ok === true && (decision === null || decision.nonce === answered);
  if (isAnswered) return <AnswerNotice said={outcome.said} keys={place.keys} from={place.at} />;
  if (decision === null || readOnly.value !== null) return null;
  const { nonce, verdict, summary, findings } = decision;
  const isPass = verdict === 'PASS';
  const toDo = fixes ?? decision.fixes.join('\n');
  const where = [repository, task].map(encodeURIComponent).join('/');
  const decide = async (what: string, more: object = {}): Promise<ActionOutcome> => {
    const sent = await ask(`/api/tasks/${where}/decision`, {
      nonce,
      decision: what,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...more,
    });
    setAnswered(nonce);
    return sent;
  };
  return (
    <section aria-labelledby="decision" class="narrow">
      <h2 id="decision">You decide on the judge’s report</h2>
      <p>
        <b>{verdict}</b>: {summary}
      </p>
      <Items items={findings} />
      <label for="decision-reason">Why? It is recorded (optional)</label>
      <input
        id="decision-reason"
        value={reason}
        maxLength={500}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      {isPass ? (
        <Sure
          main
          what="Merge"
          sure={`Confirm: merge ${task}`}
          note="The change is merged as it was judged."
          act={() => decide('merge')}
          came={setOutcome}
        />
      ) : (
        <p class="soft">Only a PASS can be merged.</p>
      )}
      <label for="decision-fixes">What the implementer is to do, one a line</label>
      <textarea id="decision-fixes" value={toDo} onInput={(event) => setFixes(event.currentTarget.value)} />
      <Sure
        main={!isPass}
        what="Send it back to fix"
        sure="Confirm: fix"
        note="The change goes back to the implementer with these lines."
        isReady={toLines(toDo).length > 0}
        act={() => decide('fix', { fixes: toLines(toDo) })}
        came={setOutcome}
      />
      <label for="decision-evidence">What contradicts the judge, one a line; B1: answers the first finding</label>
      <textarea id="decision-evidence" value={evidence} onInput={(event) => setEvidence(event.currentTarget.value)} />
      <Sure
        what="Rebut"
        sure="Confirm: rebut"
        note="The judge is asked again, with these lines."
        isReady={toLines(evidence).length > 0}
        act={() => decide('rebut', { evidence: toLines(evidence) })}
        came={setOutcome}
      />
      <ActionResult outcome={outcome} />
    </section>
  );
}
