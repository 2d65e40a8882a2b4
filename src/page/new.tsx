import { useState } from 'preact/hooks';
import type { Outcome } from '../surfaces/web/told.ts';
import { ask } from './ask.ts';
import { board, readOnly } from './live.ts';
import { Came } from './parts.tsx';

/** The words of a draft, as they were typed. */
type Draft = Readonly<Record<Field, string>>;
type Field = 'taskId' | 'requirements' | 'allowed' | 'forbidden' | 'criteria' | 'target' | 'after' | 'usd' | 'minutes';

const FIELDS: readonly {
  readonly id: Field;
  readonly name: string;
  readonly isList: boolean;
  readonly hint: string;
}[] = [
  { id: 'taskId', name: 'Id', isList: false, hint: 'FIX-1' },
  { id: 'requirements', name: 'Requirements, one a line', isList: true, hint: 'Dates are shown in UTC' },
  { id: 'allowed', name: 'Paths that may change, one a line', isList: true, hint: 'src/' },
  { id: 'criteria', name: 'Acceptance criteria, one a line', isList: true, hint: '' },
  { id: 'forbidden', name: 'Paths that may not change, one a line', isList: true, hint: '' },
  { id: 'target', name: 'The one file to write', isList: false, hint: '' },
  { id: 'after', name: 'Tasks to be merged before, one a line', isList: true, hint: '' },
  { id: 'usd', name: 'Ceiling in dollars', isList: false, hint: '' },
  { id: 'minutes', name: "Ceiling in minutes of agents' time", isList: false, hint: '' },
];

const EMPTY: Draft = {
  taskId: '',
  requirements: '',
  allowed: '',
  forbidden: '',
  criteria: '',
  target: '',
  after: '',
  usd: '',
  minutes: '',
};
const KEPT = 'andon-draft';

/** A draft is kept in this browser until it is dropped. */
function kept(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

/** A new contract: checked by the rules of admission before anything is written, as `andon new` does. */
export function NewPage() {
  const repositories = board.value?.repositories ?? [];
  const [draft, setDraft] = useState(kept);
  const [chosen, setChosen] = useState('');
  const [outcome, setOutcome] = useState<Outcome>();
  const repository = chosen === '' ? (repositories[0]?.id ?? '') : chosen;
  const set = (id: Field, value: string): void => {
    const next = { ...draft, [id]: value };
    setDraft(next);
    localStorage.setItem(KEPT, JSON.stringify(next));
  };
  const send = async (check: boolean): Promise<void> => {
    const came = await ask(`/api/contracts/${encodeURIComponent(repository)}`, { check, ...wishesIn(draft) });
    setOutcome(came);
    if (!came.ok || check) return;
    localStorage.removeItem(KEPT);
    setDraft(EMPTY);
  };
  if (readOnly.value !== null) return <p class="soft">{readOnly.value}</p>;
  return (
    <form class="narrow" onSubmit={(event) => event.preventDefault()}>
      <h1>New contract</h1>
      <label for="repository">Repository</label>
      <select id="repository" value={repository} onChange={(event) => setChosen(event.currentTarget.value)}>
        {repositories.map(({ id, name, root }) => (
          <option key={id} value={id}>
            {name} ({root})
          </option>
        ))}
      </select>
      {FIELDS.map(({ id, name, isList, hint }) => (
        <div key={id}>
          <label for={id}>{name}</label>
          {isList ? (
            <textarea
              id={id}
              value={draft[id]}
              placeholder={hint}
              onInput={(event) => set(id, event.currentTarget.value)}
            />
          ) : (
            <input
              id={id}
              value={draft[id]}
              placeholder={hint}
              autocomplete="off"
              onInput={(event) => set(id, event.currentTarget.value)}
            />
          )}
        </div>
      ))}
      <div class="actions">
        <button type="button" onClick={() => void send(true)}>
          Check
        </button>
        <button type="button" class="main" onClick={() => void send(false)}>
          Drop it
        </button>
      </div>
      <Came outcome={outcome} />
    </form>
  );
}

/** What was typed, in the form in which it is asked for; what was left empty is not said. */
function wishesIn(draft: Draft): object {
  const lines = (text: string): readonly string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const said = FIELDS.filter(({ id }) => draft[id].trim() !== '').map(({ id, isList }) => {
    const text = draft[id].trim();
    return [id, isList ? lines(text) : id === 'usd' || id === 'minutes' ? Number(text) : text] as const;
  });
  return { taskId: '', requirements: [], allowed: [], ...Object.fromEntries(said) };
}
