import { useState } from 'preact/hooks';
import type { ActionOutcome } from '../surfaces/web/api-types.ts';
import { ask } from './ask.ts';
import { readOnly } from './live.ts';
import { ActionResult } from './parts.tsx';

export function DevicesPage() {
  const [outcome, setOutcome] = useState<ActionOutcome>();
  return (
    <div class="narrow">
      <h1>Devices</h1>
      <p>A link lets one more browser in, once.</p>
      {readOnly.value === null ? (
        <button onClick={() => void ask('/api/links', {}).then(setOutcome)}>Open on your phone</button>
      ) : null}
      <ActionResult outcome={outcome} />
    </div>
  );
}
