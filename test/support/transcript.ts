/** Lines of a transcript as Claude Code writes them (recorded ones lie in `transcripts/`), for tests that change one thing. */
let count = 0;

const line = (type: string, content: unknown, more: object = {}): string =>
  JSON.stringify({ type, isSidechain: false, message: { role: type, content }, timestamp: '', ...more });

/** What a human typed, or an agent was told. */
export const asked = (text: string): string => line('user', text);
/** What stands in the place of a human. */
export const answered = (text: string, more: object): string => line('user', text, more);
/** What the model said. */
export const said = (text: string): string => line('assistant', [{ type: 'text', text }]);

/** A tool that the model called, and what it was answered. */
export function called(
  name: string,
  input: object,
  output: string,
  isError = false,
  more: object = {},
): readonly string[] {
  const id = `toolu_${++count}`;
  return [
    line('assistant', [{ type: 'tool_use', id, name, input }]),
    line('user', [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }], more),
  ];
}

interface Run {
  readonly exit?: number;
  readonly output?: string;
  /** Why it did not run at all. */
  readonly error?: string;
  readonly background?: boolean;
}

/** A command that the model had run. */
export function ran(
  command: string,
  { exit = 0, output = '', error, background = false }: Run = {},
): readonly string[] {
  const more = background ? { toolUseResult: { backgroundTaskId: 'b1' } } : {};
  if (error !== undefined) return called('Bash', { command }, error, true);
  return called('Bash', { command }, exit === 0 ? output : `Exit code ${exit}\n${output}`, exit !== 0, more);
}
