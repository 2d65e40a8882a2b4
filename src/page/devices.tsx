import { useState } from 'preact/hooks';
import type { ActionOutcome, DevicesResponse, LinkResponse } from '../app/web/api-types.ts';
import { When } from '../app/views/parts.tsx';
import { ask } from './ask.ts';
import { findPushObstacle, subscribe, unsubscribe } from './push.ts';
import { readOnly } from './live.ts';
import { ActionResult, CommandHint, LoadingNotice, Sure, useLooked } from './parts.tsx';

/** The browsers that were let in, each of which can be shut out, and a link for one more. */
export function DevicesPage() {
  const [link, setLink] = useState<LinkResponse>();
  const [revoked, setRevoked] = useState<ActionOutcome>();
  const { value, why } = useLooked<DevicesResponse>('/api/devices', revoked);
  return (
    <div class="narrow">
      <h1>Devices</h1>
      <p>A link lets one more browser in, once.</p>
      {readOnly.value === null ? (
        <button onClick={() => void ask<LinkResponse>('/api/links', {}).then(setLink)}>Open on your phone</button>
      ) : null}
      {link?.ok === true ? <PhoneLink {...link} /> : <ActionResult outcome={link} />}
      <Notifications isOn={value?.devices.some((one) => one.is_own && one.is_notified) === true} came={setRevoked} />
      {value === undefined ? <LoadingNotice why={why} /> : null}
      <ul class="devices">
        {value?.devices.map(({ id, name, at, is_own: isOwn, is_notified: isNotified }) => (
          <li key={id}>
            <p>
              <b>{describeBrowser(name)}</b>
              {isOwn ? ', this one' : ''} <span class="soft">since</span> <When at={at} />
              {isNotified ? ', notified' : ''}
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

/** Notifications of this browser, by a tap, or why there are none. */
function Notifications({ isOn, came }: { readonly isOn: boolean; readonly came: (outcome: ActionOutcome) => void }) {
  const [isBusy, setBusy] = useState(false);
  const obstacle = findPushObstacle();
  if (readOnly.value !== null) return null; // every page shows the reason
  const act = async (): Promise<void> => {
    setBusy(true);
    came(await (isOn ? unsubscribe() : subscribe()));
    setBusy(false);
  };
  return (
    <section aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      <p>
        {obstacle ??
          (isOn ? (
            <>
              This browser is notified of what needs you. Test it: <code>andon doctor --notify</code>
            </>
          ) : (
            'This browser can be notified of what needs you, also while the board is closed.'
          ))}
      </p>
      {obstacle === undefined ? (
        <button disabled={isBusy} onClick={() => void act()}>
          {isOn ? 'Do not notify this browser' : 'Notify this browser'}
        </button>
      ) : null}
    </section>
  );
}

/** A link for one more browser: as a QR code where a phone can reach the address. */
const PhoneLink = ({ said, code }: Extract<LinkResponse, { ok: true }>) => (
  <section aria-label="Link" role="status">
    {code === null ? (
      <p class="wait">
        A phone cannot reach {new URL(said).hostname}: this address is of this machine alone. Start{' '}
        <code>andon web --bind ADDRESS</code>, or set <code>web.url</code> to the address of a TLS proxy. The link below
        is for another browser of this machine.
      </p>
    ) : (
      <>
        <p>Scan it with the camera of your phone.</p>
        <svg class="code" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label="QR code of the link">
          <path d={code.path} />
        </svg>
      </>
    )}
    <CommandHint title="the link" text={said} />
  </section>
);

/** A browser and its system by what it calls itself; several name others that they resemble, so the order matters. */
function describeBrowser(name: string): string {
  const find = (...words: readonly string[]) => words.find((word) => name.includes(word));
  const browser = find('Edg', 'Firefox', 'Chrome', 'Safari')?.replace('Edg', 'Edge');
  const system = find('Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux')?.replace('Mac OS', 'macOS');
  return browser === undefined || system === undefined ? name.slice(0, 60) || 'A browser' : `${browser} on ${system}`;
}
