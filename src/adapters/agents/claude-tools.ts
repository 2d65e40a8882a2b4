/** A part of a message; its kinds differ widely. */
type Part = Readonly<Record<string, unknown>>;

/** A submitted answer, as normalised JSON. */
export interface HandedIn {
  readonly id: string;
  readonly answer: string;
}

/** A tool use that shows the model the text of a file. */
export interface FileView {
  readonly id: string;
  readonly path: string;
}

/** The tool that submits the structured answer. */
const ANSWERING_TOOL = 'StructuredOutput';

/** The answers that a message submits. */
export const findAnswers = (content: readonly Part[]): readonly HandedIn[] =>
  content.flatMap((part) =>
    isUse(part) && part['name'] === ANSWERING_TOOL
      ? [{ id: String(part['id']), answer: canonicalise(part['input']) }]
      : [],
  );

/** The files that a message asks to see: in whole, in part, or as matching lines. */
export const findFileViews = (content: readonly Part[]): readonly FileView[] =>
  content.flatMap((part) => {
    const path = isUse(part) ? shownBy(part) : undefined;
    return path === undefined ? [] : [{ id: String(part['id']), path }];
  });

/** The id of a tool use that ended this way; empty for any other part. */
export const getEndedToolId = (part: Part, failed: boolean): readonly string[] =>
  part['type'] === 'tool_result' && (part['is_error'] === true) === failed ? [String(part['tool_use_id'])] : [];

/** JSON with sorted keys, so that equal data are equal text. */
export function canonicalise(value: unknown): string {
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
