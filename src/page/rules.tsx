import type { RulesResponse } from '../surfaces/web/api-types.ts';
import { board } from './live.ts';
import { Sheet, When } from '../views/parts.tsx';
import { CommandHint, LoadingNotice, useLooked } from './parts.tsx';
import { toTask } from './current-route.ts';

/** The rules of every repository: outcomes and waivers with their ends. */
export function RulesPage() {
  return (
    <>
      <h1>Rules</h1>
      {(board.value?.repositories ?? []).map(({ id, name, root }) => (
        <section key={id} aria-label={name}>
          <h2>{name}</h2>
          <OfRepository id={id} root={root} />
        </section>
      ))}
    </>
  );
}

/** What a rule is, and a first one. */
const NoRules = ({ root }: { readonly root: string }) => (
  <div class="narrow">
    <p class="soft">
      A rule is a sentence or a pattern that every change is held against, such as “no TODO without an owner”. There is
      none yet.
    </p>
    <CommandHint title="A first rule, every key explained" text="andon rules new no-todo" root={root} />
  </div>
);

function OfRepository({ id, root }: { readonly id: string; readonly root: string }) {
  const { value, why } = useLooked<RulesResponse>(`/api/rules/${encodeURIComponent(id)}`);
  if (value === undefined) return <LoadingNotice why={why} />;
  const { rules, found, waivers, faults } = value;
  return (
    <>
      {faults.map((fault) => (
        <p key={fault} class="bad">
          {fault}
        </p>
      ))}
      {rules.length === 0 ? (
        <NoRules root={root} />
      ) : (
        <Sheet name="rules" heads={['Rule', 'Severity', 'Violations', 'Waived', 'Marked false', 'Last']}>
          {rules.map((rule) => (
            <tr key={rule.id}>
              <td>
                <b>{rule.id}</b> {rule.title}
              </td>
              <td>
                {rule.severity}
                {rule.hard ? ', hard' : ''}
              </td>
              <td class="n">{rule.violations}</td>
              <td class="n">{rule.waived}</td>
              <td class="n">{rule.markedFalse}</td>
              <td>{rule.last === null ? 'never' : <When at={rule.last} />}</td>
            </tr>
          ))}
        </Sheet>
      )}
      {found.length === 0 ? null : (
        <details>
          <summary>Found last ({found.length})</summary>
          <Sheet name="what was found last" heads={['When', 'Rule', 'Where', 'What', 'Done']}>
            {found.map((one, at) => (
              <tr key={at}>
                <td>
                  <When at={one.at} />
                </td>
                <td>
                  {one.rule} <span class="soft">{one.priority}</span>
                </td>
                <td>
                  <code>{one.where}</code>
                  {one.task === null ? null : <a href={toTask(id, one.task)}> {one.task}</a>}
                </td>
                <td>{one.message}</td>
                <td>{one.action}</td>
              </tr>
            ))}
          </Sheet>
        </details>
      )}
      {waivers.length === 0 ? null : (
        <Sheet name="waivers" heads={['Waived', 'Where', 'Until', 'Who', 'Why']}>
          {waivers.map((one) => (
            <tr key={`${one.rule} ${one.path ?? ''}`}>
              <td>{one.rule}</td>
              <td>{one.path ?? 'everywhere'}</td>
              <td class={one.is_over ? 'bad' : ''}>
                {one.expires}
                {one.is_over ? ', over' : ''}
              </td>
              <td>
                {one.owner}
                {one.signed_by === undefined ? '' : `, signed by ${one.signed_by}`}
              </td>
              <td>{one.reason}</td>
            </tr>
          ))}
        </Sheet>
      )}
    </>
  );
}
