import type { LimitKey } from '../app/web/api-types.ts';

/** What may be changed along with a path; the line checks it, and says what it makes of it. */
const LIMITS = [
  ['allow', 'Files that it may change as well', 'src/a.ts, docs/'],
  ['model', 'The implementer from now on', ''],
  ['budget_usd', 'The most dollars for the whole task', '5'],
  ['max_diff', 'The most changed lines', '400'],
] as const satisfies readonly (readonly [key: LimitKey, label: string, example: string])[];

export function Limits(props: {
  readonly id: string;
  readonly limits: Partial<Record<LimitKey, string>>;
  readonly change: (limits: Partial<Record<LimitKey, string>>) => void;
}) {
  return (
    <details>
      <summary>Change limits, files or model with it</summary>
      {LIMITS.map(([key, label, example]) => (
        <div key={key}>
          <label for={`${props.id}-${key}`}>{label}</label>
          <input
            id={`${props.id}-${key}`}
            value={props.limits[key] ?? ''}
            placeholder={example}
            autocomplete="off"
            onInput={(event) => props.change({ ...props.limits, [key]: event.currentTarget.value })}
          />
        </div>
      ))}
    </details>
  );
}

/** The filled fields as the request takes them; a number that is none is refused there, by its name. */
export function limitsAsked(limits: Partial<Record<LimitKey, string>>): Record<string, unknown> {
  const toValue: Record<LimitKey, (text: string) => unknown> = {
    allow: (text) =>
      text
        .split(/[,\n]/)
        .map((path) => path.trim())
        .filter((path) => path !== ''),
    model: (text) => text,
    budget_usd: Number,
    max_diff: Number,
  };
  const filled = LIMITS.map(([key]) => [key, limits[key]?.trim() ?? ''] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(filled.map(([key, text]) => [key, toValue[key](text)]));
}
