import { z } from 'zod';
import { closedObject } from '../../base/shape.ts';

/** What an implementer was shown and what was left out, kept for later inspection. */
export const briefContextSchema = closedObject(() => ({
  window: z.int().nullable().describe('Tokens that the model has allocated; null = its program cannot say.'),
  tokens: z.int().describe('What the prompt was taken for before the call.'),
  whole: z.array(z.strictObject({ path: z.string(), bytes: z.int() })).describe('Files shown whole.'),
  parts: z.array(z.string()).optional().describe('Files too long for the window, of which only parts were shown.'),
  signatures: z.array(z.string()).describe('Files of which only the declarations were shown.'),
  leftOut: z.array(z.strictObject({ what: z.string(), why: z.string() })),
  conventions: z
    .array(z.string())
    .optional()
    .describe("Files with the project's conventions, shown within their share."),
  rework: z.string().optional().describe('How the brief differs from that of the try before, and why.'),
}));
export type BriefContext = z.infer<ReturnType<typeof briefContextSchema>>;

/** The selection in one line: what was shown, what was left out, how full the window is. */
export function formatBriefContext({
  window,
  tokens,
  whole,
  parts = [],
  signatures,
  leftOut,
  conventions = [],
  rework,
}: BriefContext): string {
  const of = window === null ? '' : ` of ${window}`;
  const lines = [
    whole.length === 0
      ? 'no whole file'
      : `whole files: ${listed(whole.map(({ path, bytes }) => `${path} (${size(bytes)})`))}`,
    parts.length === 0 ? '' : `in part: ${listed(parts)}`,
    signatures.length === 0 ? '' : `signatures of ${signatures.length} ${signatures.length === 1 ? 'file' : 'files'}`,
    conventions.length === 0 ? '' : `conventions: ${listed(conventions)}`,
    leftOut.length === 0 ? '' : `not shown: ${listed(leftOut.map(({ what, why }) => `${what} (${why})`))}`,
    rework ?? '',
  ];
  return [`prompt of about ${tokens}${of} tokens`, ...lines.filter((part) => part !== '')].join('; ');
}

function listed(names: readonly string[]): string {
  const rest = names.length - LISTED;
  return [...names.slice(0, LISTED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

const LISTED = 4;

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
