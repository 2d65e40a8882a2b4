import { useState } from 'preact/hooks';
import { formatDuration } from '../line/documents/task-report/words.ts';
import type { DrillRun, DrillResponse, DrillsResponse } from '../surfaces/web/api-types.ts';
import { ask } from './ask.ts';
import { When } from '../views/parts.tsx';
import { Sure, LoadingNotice, useLooked } from './parts.tsx';

/** Deliberate faults in a real run of the line, each with its last result here. */
export function DrillsPage() {
  const [runs, setRuns] = useState(0);
  const { value, why } = useLooked<DrillsResponse>('/api/drills', runs);
  if (value === undefined) return <LoadingNotice why={why} />;
  return (
    <>
      <h1>Drills</h1>
      <p class="soft">
        Each does a fault to the real line on purpose, with stand-ins for all agents, in a temporary repository, and
        once more one step below its boundary, where nothing may trip. Nothing of yours is touched.
      </p>
      {value.running === null ? null : <p class="wait">{value.running} runs.</p>}
      <ul class="rows">
        {value.drills.map((drill) => (
          <Row key={drill.name} drill={drill} over={() => setRuns(runs + 1)} />
        ))}
      </ul>
    </>
  );
}

function Row({
  drill: { name, injects, breaker, last },
  over,
}: {
  readonly drill: DrillResponse;
  readonly over: () => void;
}) {
  const act = async () => {
    const outcome = await ask(`/api/drills/${encodeURIComponent(name)}`, {});
    over();
    return outcome;
  };
  return (
    <li class="row">
      <div class="head">
        <b>{name}</b>
        <span>{injects}</span>
      </div>
      <p class="soft small">{breaker === null ? 'The line must get through by itself.' : `${breaker} must trip.`}</p>
      {last === null ? null : <Last run={last} />}
      <Sure what={`Run ${name}`} sure={`Confirm: run ${name}`} act={act} />
    </li>
  );
}

const Last = ({ run: { at, passed, ms, situations } }: { readonly run: DrillRun }) => (
  <details open={!passed}>
    <summary>
      <b class={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</b>{' '}
      <span class="soft small">
        <When at={at} />, {formatDuration(ms)}
      </span>
    </summary>
    {situations.map(({ injected, did, wrong }) => (
      <div key={injected}>
        <h3>{injected}</h3>
        <p class="small">{did}</p>
        {wrong.map((one) => (
          <p key={one} class="bad small">
            {one}
          </p>
        ))}
      </div>
    ))}
  </details>
);
