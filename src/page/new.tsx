import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../base/format-count.ts';
import { toSingleLine } from '../base/plain-text.ts';
import type { ActionOutcome, TaskResponse } from '../app/web/api-types.ts';
import { ask, look } from './ask.ts';
import { currentRoute } from './current-route.ts';
import { allRows, board, readOnly } from './live.ts';
import { ActionResult, FirstSteps, readKeptDraft, toLines } from './parts.tsx';
import { getErrorMessage } from '../base/get-error-message.ts';

const FIELDS = [
  ['requirements', 'What should be true afterwards? One sentence a line', 'list', 'specification.requirements'],
  ['allowed_paths', 'Paths that may change, one a line', 'list', 'constraints.allowed_paths'],
  ['title', 'Title (optional)', 'text', 'title'],
  ['task_id', 'Id', 'text', 'task_id'],
  ['acceptance_criteria', 'Acceptance criteria, one a line', 'list', 'specification.acceptance_criteria'],
  ['forbidden_paths', 'Paths that may not change, one a line', 'list', 'constraints.forbidden_paths'],
  ['target_file', 'Target file', 'text', 'specification.target_file'],
  ['after', 'Start after these tasks, one a line', 'list', 'after'],
  ['priority', 'Priority, 0 if empty', 'number', 'priority'],
  ['budget_usd', 'Budget in dollars', 'number', 'limits.budget.usd'],
  ['budget_minutes', 'Time limit in agent minutes', 'number', 'limits.budget.minutes'],
] as const;
type FieldId = (typeof FIELDS)[number][0];

/** The fields that every task has; the others are folded. */
const FIRST_FIELDS = 4;

/** Examples, and what to do about an empty field that is needed. */
const HINTS: Readonly<Partial<Record<FieldId, readonly [example: string, missing: string]>>> = {
  requirements: ['Dates are shown in UTC', 'Write one sentence, such as “Dates are shown in UTC”.'],
  allowed_paths: ['src/', 'Name a path, such as src/.'],
};

/** The fields of a draft, as typed. */
type Draft = Readonly<Record<FieldId, string>>;

const EMPTY = Object.fromEntries(FIELDS.map(([id]) => [id, ''])) as Draft;
/** A draft is kept in this browser until it is submitted. */
const KEPT = 'andon-draft';
/** A draft is checked when its writer pauses for this long. */
const PAUSE_MS = 700;

/** What came of a draft: a check while it is written, or its submission. */
interface Tried {
  readonly outcome: ActionOutcome;
  readonly isSent: boolean;
}

/** The fields of another task, for the draft. */
interface Copy {
  readonly of: string;
  readonly draft: Draft;
}

const isEmpty = (draft: Draft): boolean => Object.values(draft).every((text) => text.trim() === '');

/** A new contract, checked by the rules of admission while it is written, as in `andon new`. */
export function NewPage() {
  const repositories = board.value?.repositories ?? [];
  const [draft, setDraft] = useState(() => readKeptDraft(KEPT, EMPTY));
  const [like, likeTask = ''] = currentRoute.value.asked.get('like')?.split('/') ?? [];
  const [chosen, setChosen] = useState(like ?? '');
  const [tried, setTried] = useState<Tried>();
  const [copy, setCopy] = useState<Copy>();
  const [isMore, setMore] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef(draft);
  latest.current = draft;
  const repository = chosen === '' ? (repositories[0]?.id ?? '') : chosen;
  const suggested = suggestId(repository);
  const keep = (next: Draft): void => {
    setDraft(next);
    localStorage.setItem(KEPT, JSON.stringify(next));
  };
  const send = async (check: boolean): Promise<void> => {
    const outcome = await ask(`/api/contracts/${encodeURIComponent(repository)}`, {
      check,
      ...fieldsIn({ ...draft, task_id: draft.task_id.trim() || suggested }),
    });
    if (check && latest.current !== draft) return;
    setTried({ outcome, isSent: !check });
    if (!outcome.ok || check) return;
    localStorage.removeItem(KEPT);
    setDraft(EMPTY);
  };
  useEffect(() => {
    if (draft.requirements.trim() === '' || readOnly.value !== null) return undefined;
    const timer = setTimeout(() => {
      if (form.current?.checkValidity() !== false) void send(true);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, repository]);
  useEffect(() => {
    if (tried?.isSent === true) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [tried]);
  useEffect(() => {
    if (like === undefined) return;
    const path = `/api/tasks/${encodeURIComponent(like)}/${encodeURIComponent(likeTask)}`;
    look<TaskResponse>(path)
      .then(({ contract: { document } }) => {
        // A hidden character is written out as \u{…}, which is no escape of JSON.
        const copy = readDraft(JSON.parse(document.replace(/(?<!\\)((?:\\\\)*)\\u\{/g, '$1\\\\u{')));
        setCopy({ of: likeTask, draft: copy });
        if (isEmpty(latest.current)) keep(copy);
        history.replaceState(null, '', '/new'); // a reload keeps what is written since
      })
      .catch((error: unknown) => {
        const said = `${likeTask} could not be copied: ${getErrorMessage(error)}`;
        setTried({ isSent: true, outcome: { ok: false, code: 'no-answer', said, remedy: 'Fill in the fields.' } });
      });
  }, [like, likeTask]);
  if (readOnly.value !== null) return <p class="soft">{readOnly.value}</p>;
  if (repositories.length === 0)
    return (
      <div class="narrow">
        <h1>New task</h1>
        <FirstSteps />
      </div>
    );
  const faultOf = (id: FieldId, at: string): string | undefined => {
    const fault =
      tried?.isSent === true || draft[id] !== '' || id === 'task_id' ? faultAt(tried?.outcome, at) : undefined;
    return fault !== undefined && draft[id].trim() === '' ? (HINTS[id]?.[1] ?? fault) : fault;
  };
  const fields = FIELDS.map(([id, name, kind, at]) => {
    const fault = faultOf(id, at);
    const field = {
      id,
      value: draft[id],
      placeholder: id === 'task_id' ? suggested : (HINTS[id]?.[0] ?? ''),
      'aria-invalid': fault !== undefined,
      'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
      onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
        keep({ ...draft, [id]: event.currentTarget.value }),
    };
    return (
      <div key={id}>
        <label for={id}>{name}</label>
        {kind === 'list' ? (
          <textarea {...field} rows={2} />
        ) : kind === 'number' ? (
          <input
            {...field}
            type="number"
            step={id === 'priority' ? 1 : 'any'}
            min={id === 'priority' ? undefined : 0.01}
          />
        ) : (
          <input {...field} autocomplete="off" />
        )}
        {fault === undefined ? null : (
          <p id={`${id}-fault`} class="fault">
            {fault}
          </p>
        )}
      </div>
    );
  });
  const isFaulty = FIELDS.slice(FIRST_FIELDS).some(([id, , , at]) => faultOf(id, at) !== undefined);
  return (
    <form class="narrow" ref={form} onSubmit={(event) => event.preventDefault()}>
      <h1>New task</h1>
      {repositories.length === 1 ? null : (
        <>
          <label for="repository">Repository</label>
          <select id="repository" value={repository} onChange={(event) => setChosen(event.currentTarget.value)}>
            {repositories.map(({ id, name, root }) => (
              <option key={id} value={id}>
                {name} ({toSingleLine(root)})
              </option>
            ))}
          </select>
        </>
      )}
      {copy === undefined ? null : copy.draft === draft ? (
        <p class="soft">A copy of {copy.of}, without its gates, roles and other limits.</p>
      ) : (
        <button type="button" onClick={() => keep(copy.draft)}>
          Replace this draft with a copy of {copy.of}
        </button>
      )}
      {fields.slice(0, FIRST_FIELDS)}
      <details open={isMore || isFaulty} onToggle={(event) => setMore(event.currentTarget.open)}>
        <summary>More: criteria, order, budget</summary>
        {fields.slice(FIRST_FIELDS)}
      </details>
      <div class="actions">
        <button
          type="button"
          class="main"
          onClick={() => {
            if (form.current?.checkValidity() !== false) return void send(false);
            setMore(true); // the number may be folded
            requestAnimationFrame(() => form.current?.reportValidity());
          }}
        >
          Add task
        </button>
        {tried === undefined ? null : <Verdict {...tried} />}
      </div>
    </form>
  );
}

/** What came of it, in one line; a fault that no field shows is listed. */
function Verdict({ outcome, isSent }: Tried) {
  const faults = outcome.ok ? [] : (outcome.faults ?? []);
  const faulty = FIELDS.filter(([, , , at]) => faults.some(({ path }) => isAt(path, at))).length;
  const others = faults.filter(({ path }) => FIELDS.every(([, , , at]) => !isAt(path, at)));
  if (outcome.ok || faults.length === 0 || others.length > 0)
    return (
      <>
        <ActionResult outcome={outcome.ok ? outcome : { ...outcome, faults: others }} />
        {outcome.ok && isSent ? <a href="/queue">See the queue</a> : null}
      </>
    );
  return (
    <p role="status" class={isSent ? 'bad' : 'soft'}>
      {formatCount(faulty, 'field')} {faulty === 1 ? 'needs' : 'need'} attention.
    </p>
  );
}

/** The id after the highest numbered one of a repository on the board; an older task may have it. */
function suggestId(repository: string): string {
  const [prefix, number] = allRows.value.reduce<[string, string]>(
    (highest, { repository: own, task_id: id }) => {
      const [, name = '', digits = ''] = /^(.*\D)(\d{1,6})$/.exec(own === repository ? (id ?? '') : '') ?? [];
      return Number(digits) > Number(highest[1]) ? [name, digits] : highest;
    },
    ['TASK-', '0'],
  );
  return prefix + String(Number(number) + 1).padStart(number.length, '0');
}

/** The fields of another contract, without its id. */
function readDraft(contract: unknown): Draft {
  const valueAt = (at: string): unknown =>
    at.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], contract);
  const entries = FIELDS.map(([id, , , at]) => {
    const value = id === 'task_id' ? undefined : valueAt(at);
    return [id, (Array.isArray(value) ? value : [value]).map((one) => (one === undefined ? '' : `${one}`)).join('\n')];
  });
  return Object.fromEntries(entries) as Draft;
}

function fieldsIn(draft: Draft): object {
  const fields = FIELDS.filter(([id]) => draft[id].trim() !== '').map(([id, , kind]) => {
    const text = draft[id].trim();
    return [id, kind === 'list' ? toLines(text) : kind === 'number' ? Number(text) : text] as const;
  });
  return { requirements: [], ...Object.fromEntries(fields) };
}

/** Whether a fault is at a place of the contract, or below it. */
const isAt = (path: string, at: string): boolean =>
  path === `$.${at}` || ['.', '['].some((next) => path.startsWith(`$.${at}${next}`));

const faultAt = (outcome: ActionOutcome | undefined, at: string): string | undefined =>
  outcome === undefined || outcome.ok ? undefined : outcome.faults?.find(({ path }) => isAt(path, at))?.said;
