/** Escape sequences that ollama writes to stderr around its spinner. */
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;
/** The glyphs of the spinner. */
const BRAILLE = /[\u2800-\u28ff]/g;

/** stderr without the spinner. */
export const withoutSpinner = (stderr: string): string =>
  stderr
    .replace(ESCAPES, '')
    .replace(BRAILLE, '')
    .replace(/\r/g, '\n')
    .replace(/^[^\S\n]+/gm, ''); // what stood behind a glyph stays behind its blank

/** Whether a chunk of stderr is more than the spinner, which turns even when nothing happens. */
export const isMoreThanSpinner = (chunk: string): boolean =>
  Buffer.from(chunk, 'latin1').toString('utf8').replace(ESCAPES, '').replace(BRAILLE, '').trim() !== '';

/** The figures of `--verbose`; null where they are missing. */
export function readStatistics(stderr: string): {
  readonly promptTokens: number | null;
  readonly answerTokens: number | null;
} {
  const text = withoutSpinner(stderr);
  return {
    promptTokens: figure(text, /prompt eval count:\s+(\d+) token/),
    answerTokens: figure(text, /^\s*eval count:\s+(\d+) token/m),
  };
}

function figure(text: string, pattern: RegExp): number | null {
  const match = pattern.exec(text);
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** The windows in `ollama show`: the configured one (`num_ctx`), and the largest that the model supports. */
export function readShown(shown: string): { readonly asks: number | undefined; readonly largest: number | undefined } {
  return {
    asks: figure(shown, /^\s*num_ctx\s+(\d+)/m) ?? undefined,
    largest: figure(shown, /^\s*context length\s+(\d+)/m) ?? undefined,
  };
}

/** The versions in `ollama --version`; with a client version alone, no server answers. */
export function readVersions(version: string): {
  readonly server: string | undefined;
  readonly client: string | undefined;
} {
  const server = /^ollama version is (\S+)/m.exec(version)?.[1];
  return { server, client: /client version is (\S+)/.exec(version)?.[1] ?? server };
}

/** The allocated context of a loaded model in `ollama ps`; undefined when it is not loaded. */
export function readAllocatedContext(ps: string, model: string): number | undefined {
  const [header = [], ...rows] = ps.split('\n').map((line) => line.trim().split(/\s{2,}|\t/));
  const column = header.indexOf('CONTEXT');
  const row = rows.find(([name = '', ...rest]) => sameModel(name, model) && rest.length === header.length - 1);
  const context = row?.[column] ?? '';
  return header[0] === 'NAME' && /^[1-9]\d*$/.test(context) ? Number(context) : undefined;
}

const sameModel = (listed: string, wanted: string): boolean => listed === wanted || listed === `${wanted}:latest`;

/** The token count after ollama silently cuts a prompt to half of the window (num_keep 4, 5 with BOS). */
export function detectTruncation(promptTokens: number, window: number): boolean {
  return [4, 5].some((keep) => Math.abs(promptTokens - (window - Math.max(Math.floor((window - keep) / 2), 1))) <= 2);
}
