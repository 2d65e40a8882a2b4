/** How a merged task is written into the target's history (`history` of `.andon/config.yaml`). */
export interface HistorySettings {
  /** merge: a merge commit with one commit on its second parent; squash: one commit on the target. */
  readonly style: 'merge' | 'squash';
  /** `andon`, `user` (git's user.name and user.email) or `Name <email>`; undefined: see `commitPeople`. */
  readonly author?: string | undefined;
  readonly committer?: string | undefined;
  /** `Name <email>`, with the placeholders below. */
  readonly co_authored_by: readonly string[];
  readonly signed_off_by: boolean;
  /** The subject; further lines are the body. */
  readonly template?: string | undefined;
  /** Values of `{type}` and `{scope}` for a title without them. */
  readonly type: string;
  readonly scope: string;
}

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

/** The placeholders of `co_authored_by`: driver and model of each implementer. */
export const AGENT_PLACEHOLDERS = ['agent', 'model'] as const;

export const IDENTITY = /^[^<>\p{C}]{1,200} <[^<>\s\p{C}]{1,200}>$/u;

/** Fills in a template; brackets around an empty value are dropped: `{type}({scope}): {title}`. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\(\{(\w+)\}\)|\{(\w+)\}/g, (whole, bracketed?: string, plain?: string) => {
    const value = values[bracketed ?? plain ?? ''];
    if (value === undefined) return whole;
    return bracketed === undefined ? value : value === '' ? '' : `(${value})`;
  });
}

export const listUnknownPlaceholders = (template: string, known: readonly string[]): readonly string[] =>
  [...template.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = '']) => (known.includes(name) ? [] : [name]));
