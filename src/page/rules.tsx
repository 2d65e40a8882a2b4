import type { RulesResponse } from '../app/web/api-types.ts';
import { board } from './live.ts';
import { Table, When } from '../app/views/parts.tsx';
import { CommandHint, FirstSteps, LoadingNotice, useLooked } from './parts.tsx';
import { toTask } from './current-route.ts';

export function RulesPage() {
  const repositories = board.value?.repositories ?? [];
  const teaching = (
    <p class="soft">
      A rule is a sentence or a pattern that every plan, change and review is held against, such as “no TODO without an
      owner” or “no function is longer than 60 lines”. Here you see what each has found.
    </p>
  );
  return (
    <>
      <h1>Rules</h1>
      {repositories.length === 0 ? <FirstSteps>{teaching}</FirstSteps> : teaching}
      {repositories.map(({ id, name, root }) => (
        <section key={id} aria-label={name}>
          <h2>{name}</h2>
          <OfRepository id={id} root={root} />
        </section>
      ))}
    </>
  );
}

const NoRules = ({ root }: { readonly root: string }) => (
  <div class="narrow">
    <p>No rules yet. This writes the first one, with every key explained:</p>
    <CommandHint title="A first rule" text="andon rules new no-todo" root={root} />
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
        <Table
          name="rules"
          heads={['Rule', 'Severity', 'Violations#', 'Waived#', 'Marked false#', 'Last']}
          rows={rules.map((rule) => [
            <>
              <b>{rule.id}</b> {rule.title}
            </>,
            `${rule.severity}${rule.hard ? ', hard' : ''}`,
            rule.violations,
            rule.waived,
            rule.markedFalse,
            rule.last === null ? 'never' : <When at={rule.last} />,
          ])}
        />
      )}
      {found.length === 0 ? null : (
        <details>
          <summary>Found last ({found.length})</summary>
          <Table
            name="what was found last"
            heads={['When', 'Rule', 'Where', 'What', 'Done']}
            rows={found.map((one) => [
              <When at={one.at} />,
              <>
                {one.rule} <span class="soft">{one.priority}</span>
              </>,
              <>
                <code>{one.where}</code>
                {one.task === null ? null : <a href={toTask(id, one.task)}> {one.task}</a>}
              </>,
              one.message,
              one.action,
            ])}
          />
        </details>
      )}
      {waivers.length === 0 ? null : (
        <Table
          name="waivers"
          heads={['Waived', 'Where', 'Until', 'Who', 'Why']}
          rows={waivers.map((one) => [
            one.rule,
            one.path ?? 'everywhere',
            one.is_over ? <span class="bad">{one.expires}, over</span> : one.expires,
            `${one.owner}${one.signed_by === undefined ? '' : `, signed by ${one.signed_by}`}`,
            one.reason,
          ])}
        />
      )}
    </>
  );
}
