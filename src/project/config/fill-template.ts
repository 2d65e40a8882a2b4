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
