import { useState } from 'preact/hooks';
import type { ActionOutcome, DevicesResponse } from '../surfaces/web/api-types.ts';
import { When } from '../views/parts.tsx';
import { ask } from './ask.ts';
import { readOnly } from './live.ts';
import { ActionResult, LoadingNotice, Sure, useLooked } from './parts.tsx';

/** The browsers that were let in, each of which can be shut out, and a link for one more. */
export function DevicesPage() {
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const [revoked, setRevoked] = useState<ActionOutcome>();
  const { value, why } = useLooked<DevicesResponse>('/api/devices', revoked);
  return (
    <div class="narrow">
      <h1>Devices</h1>
      <p>A link lets one more browser in, once.</p>
      {readOnly.value === null ? (
        <button onClick={() => void ask('/api/links', {}).then(setOutcome)}>Open on your phone</button>
      ) : null}
      <ActionResult outcome={outcome} />
      {value === undefined ? <LoadingNotice why={why} /> : null}
      <ul class="devices">
        {value?.devices.map(({ id, name, at, is_own: isOwn }) => (
          <li key={id}>
            <p>
              <b>{describeBrowser(name)}</b>
              {isOwn ? ', this one' : ''} <span class="soft">since</span> <When at={at} />
            </p>
            <Sure
              what="Revoke"
              sure="Confirm: revoke"
              note={isOwn ? 'This browser is shut out until it opens a new link.' : 'It is shut out at once.'}
              act={() => ask(`/api/devices/${id}`, {})}
              came={setRevoked}
            />
          </li>
        ))}
      </ul>
      <ActionResult outcome={revoked} />
    </div>
  );
}

/** A browser and its system by what it calls itself; several name others that they resemble, so the order matters. */
function describeBrowser(name: string): string {
  const find = (words: readonly (readonly [string, string])[]): string | undefined =>
    words.find(([word]) => name.includes(word))?.[1];
  const browser = find([
    ['Edg', 'Edge'],
    ['Firefox', 'Firefox'],
    ['Chrome', 'Chrome'],
    ['Safari', 'Safari'],
  ]);
  const system = find([
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Windows', 'Windows'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ]);
  return browser === undefined || system === undefined ? name.slice(0, 60) || 'A browser' : `${browser} on ${system}`;
}
