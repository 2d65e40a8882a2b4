/** One part of a message, as loosely as its kinds differ. */
type Part = Readonly<Record<string, unknown>>;

/** An answer that was handed in, in one spelling. */
export interface HandedIn {
  readonly id: string;
  readonly answer: string;
}

/** A tool use that shows the model the text of a file. */
export interface Look {
  readonly id: string;
  readonly path: string;
}

/** The tool by which claude hands in the structured answer. */
const ANSWERING_TOOL = 'StructuredOutput';

/** The answers that a message hands in. */
export const answersIn = (content: readonly Part[]): readonly HandedIn[] =>
  content.flatMap((part) =>
    isUse(part) && part['name'] === ANSWERING_TOOL
      ? [{ id: String(part['id']), answer: inOneSpelling(part['input']) }]
      : [],
  );

/** The files that a message wants to see: read whole or in part, or searched for lines that are shown. */
export const looksIn = (content: readonly Part[]): readonly Look[] =>
  content.flatMap((part) => {
    const path = isUse(part) ? shownBy(part) : undefined;
    return path === undefined ? [] : [{ id: String(part['id']), path }];
  });

/** The id of a tool use that ended in this way; nothing for any other part. */
export const endedTool = (part: Part, failed: boolean): readonly string[] =>
  part['type'] === 'tool_result' && (part['is_error'] === true) === failed ? [String(part['tool_use_id'])] : [];

/** The same data in the same words, whatever the order of its keys. */
export function inOneSpelling(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      isRecord(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? ''
  );
}

const isUse = (part: Part): boolean => part['type'] === 'tool_use';

function shownBy({ name, input }: Part): string | undefined {
  const asked = isRecord(input) ? input : {};
  const isSearch = name === 'Grep' && asked['output_mode'] === 'content';
  const path = name === 'Read' ? asked['file_path'] : isSearch ? asked['path'] : undefined;
  return typeof path === 'string' ? path : undefined;
}

const isRecord = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
