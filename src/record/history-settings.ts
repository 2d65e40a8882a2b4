/** How a merged task is written into the history of its target (`history` of `.andon/config.yaml`). */
export interface HistorySettings {
  /** merge: a merge commit with one commit on its second parent; squash: one commit on the target. */
  readonly style: 'merge' | 'squash';
  /** `andon`, `user` (git's user.name and user.email) or `Name <email>`; undefined: see `commitPeople`. */
  readonly author?: string | undefined;
  readonly committer?: string | undefined;
  /** `Name <email>`, with the placeholders below. */
  readonly co_authored_by: readonly string[];
  readonly signed_off_by: boolean;
  /** The subject, and below it the body where it has more lines than one. */
  readonly template?: string | undefined;
  /** Values of `{type}` and `{scope}` for a title that names none. */
  readonly type: string;
  readonly scope: string;
}

/** What a template of a message may name. */
export const MESSAGE_PLACEHOLDERS = [
  'title',
  'type',
  'scope',
  'task_id',
  'project',
  'requirements',
  'attempt',
  'target',
] as const;

/** What an entry of `co_authored_by` may name: the driver of each implementer, and its model. */
export const AGENT_PLACEHOLDERS = ['agent', 'model'] as const;

/** An identity as git writes it. */
export const IDENTITY = /^[^<>\p{C}]{1,200} <[^<>\s\p{C}]{1,200}>$/u;

/** Fills the placeholders of a template; brackets around an empty value go with it: `{type}({scope}): {title}`. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\(\{(\w+)\}\)|\{(\w+)\}/g, (whole, bracketed?: string, plain?: string) => {
    const value = values[bracketed ?? plain ?? ''];
    if (value === undefined) return whole;
    return bracketed === undefined ? value : value === '' ? '' : `(${value})`;
  });
}

/** The placeholders of a template that are not known. */
export const unknownPlaceholders = (template: string, known: readonly string[]): readonly string[] =>
  [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = '']) => (known.includes(name) ? [] : [name]));
