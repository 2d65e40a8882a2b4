import { createHash } from 'node:crypto';

/** The halves of a made set: one to build with, one that stays unread and only measures. */
export type Half = 'seen' | 'held-out';

/** Which half a template belongs to, with everything that is made from it; its name alone decides. */
export const halfOf = (template: string): Half =>
  (createHash('sha256').update(template).digest()[0] ?? 0) % 2 === 0 ? 'seen' : 'held-out';

/** A text with its slots filled in turn: `{name}` takes the value of that name. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);
