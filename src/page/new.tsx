import { useState } from 'preact/hooks';
import type { ActionOutcome } from '../app/web/api-types.ts';
import { ask } from './ask.ts';
import { board, readOnly } from './live.ts';
import { ActionResult, FirstSteps, readKeptDraft, toLines } from './parts.tsx';

const FIELDS = [
  ['task_id', 'Id', 'text', 'task_id'],
  ['title', 'Title', 'text', 'title'],
  ['requirements', 'Requirements, one a line', 'list', 'specification.requirements'],
  ['allowed_paths', 'Paths that may change, one a line', 'list', 'constraints.allowed_paths'],
  ['acceptance_criteria', 'Acceptance criteria, one a line', 'list', 'specification.acceptance_criteria'],
  ['forbidden_paths', 'Paths that may not change, one a line', 'list', 'constraints.forbidden_paths'],
  ['target_file', 'The one file to write', 'text', 'specification.target_file'],
  ['after', 'Tasks to be merged before, one a line', 'list', 'after'],
  ['priority', 'Priority, 0 if empty', 'number', 'priority'],
  ['budget_usd', 'Budget in dollars', 'number', 'limits.budget.usd'],
  ['budget_minutes', "Budget in minutes of agents' time", 'number', 'limits.budget.minutes'],
] as const;
type FieldId = (typeof FIELDS)[number][0];

const HINTS: Readonly<Partial<Record<FieldId, string>>> = {
  task_id: 'FIX-1',
  requirements: 'Dates are shown in UTC',
  allowed_paths: 'src/',
};

/** The fields of a draft, as typed. */
type Draft = Readonly<Record<FieldId, string>>;

const EMPTY = Object.fromEntries(FIELDS.map(([id]) => [id, ''])) as Draft;
/** A draft is kept in this browser until it is submitted. */
const KEPT = 'andon-draft';

/** A new contract, checked by the rules of admission before it is written, as in `andon new`. */
export function NewPage() {
  const repositories = board.value?.repositories ?? [];
  const [draft, setDraft] = useState(() => readKeptDraft(KEPT, EMPTY));
  const [chosen, setChosen] = useState('');
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const repository = chosen === '' ? (repositories[0]?.id ?? '') : chosen;
  const set = (id: FieldId, value: string): void => {
    const next = { ...draft, [id]: value };
    setDraft(next);
    localStorage.setItem(KEPT, JSON.stringify(next));
  };
  const send = async (check: boolean): Promise<void> => {
    const faults = FIELDS.filter(([id, , kind]) => kind === 'number' && Number.isNaN(Number(draft[id])));
    const outcome =
      faults.length > 0
        ? noNumbers(faults.map(([, , , at]) => `$.${at}`))
        : await ask(`/api/contracts/${encodeURIComponent(repository)}`, { check, ...fieldsIn(draft) });
    setOutcome(outcome);
    if (!outcome.ok || check) return;
    localStorage.removeItem(KEPT);
    setDraft(EMPTY);
  };
  if (readOnly.value !== null) return <p class="soft">{readOnly.value}</p>;
  if (repositories.length === 0)
    return (
      <div class="narrow">
        <h1>New task</h1>
        <FirstSteps />
      </div>
    );
  return (
    <form class="narrow" onSubmit={(event) => event.preventDefault()}>
      <h1>New task</h1>
      <label for="repository">Repository</label>
      <select id="repository" value={repository} onChange={(event) => setChosen(event.currentTarget.value)}>
        {repositories.map(({ id, name, root }) => (
          <option key={id} value={id}>
            {name} ({root})
          </option>
        ))}
      </select>
      {FIELDS.map(([id, name, kind, at]) => {
        const fault = faultAt(outcome, at);
        const field = {
          id,
          value: draft[id],
          placeholder: HINTS[id] ?? '',
          'aria-invalid': fault !== undefined,
          'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
        };
        return (
          <div key={id}>
            <label for={id}>{name}</label>
            {kind === 'list' ? (
              <textarea {...field} onInput={(event) => set(id, event.currentTarget.value)} />
            ) : (
              <input
                {...field}
                autocomplete="off"
                inputMode={kind === 'number' ? 'decimal' : 'text'}
                onInput={(event) => set(id, event.currentTarget.value)}
              />
            )}
            {fault === undefined ? null : (
              <p id={`${id}-fault`} class="fault">
                {fault}
              </p>
            )}
          </div>
        );
      })}
      <div class="actions">
        <button type="button" onClick={() => void send(true)}>
          Check
        </button>
        <button type="button" class="main" onClick={() => void send(false)}>
          Drop it
        </button>
      </div>
      <ActionResult outcome={outcome} />
    </form>
  );
}

function fieldsIn(draft: Draft): object {
  const fields = FIELDS.filter(([id]) => draft[id].trim() !== '').map(([id, , kind]) => {
    const text = draft[id].trim();
    return [id, kind === 'list' ? toLines(text) : kind === 'number' ? Number(text) : text] as const;
  });
  return { task_id: '', requirements: [], ...Object.fromEntries(fields) };
}

const noNumbers = (places: readonly string[]): ActionOutcome => ({
  ok: false,
  code: 'bad-argument',
  said: 'nothing was written',
  remedy: 'correct each fault',
  faults: places.map((path) => ({ path, said: 'expected a number' })),
});

/** The faults at a place of the contract or below it. */
function faultAt(outcome: ActionOutcome | undefined, at: string): string | undefined {
  if (outcome === undefined || outcome.ok) return undefined;
  const place = `$.${at}`;
  return outcome.faults?.find(({ path }) => path === place || ['.', '['].some((next) => path.startsWith(place + next)))
    ?.said;
}
