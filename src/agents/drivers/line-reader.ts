/** The longest line that is read; a longer one ends the run. */
const LINE_CAP = 8 * 1024 * 1024;
/** Limit of output of a run. */
const STREAM_CAP = 512 * 1024 * 1024;
/** Limit of output outside of events: a program that prints more does not follow its protocol. */
const NOISE_CAP = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** What a chunk of output means for the timer of silence. */
export type StreamProgress = 'life' | 'no life' | 'too much';

/** Splits output into lines, in bounded memory; `take` gets each one. A line in parts is a sign of life at its end. */
export function createLineReader(take: (line: Buffer) => 'life' | 'no life' | 'noise') {
  let parts: Uint8Array[] = [];
  let [length, total, noise] = [0, 0, 0];
  const endLine = (): boolean => {
    const line = Buffer.concat(parts);
    [parts, length] = [[], 0];
    const sign = take(line);
    if (sign === 'noise') noise += line.length + 1;
    return sign === 'life';
  };
  return {
    follow: (chunk: Uint8Array): StreamProgress => {
      total += chunk.length;
      let life = false;
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
        parts.push(chunk.subarray(from, to));
        life = endLine() || life;
        from = to + 1;
      }
      if (from < chunk.length) {
        parts.push(Uint8Array.from(chunk.subarray(from))); // a copy, so that the chunk can be freed
        length += chunk.length - from;
      }
      if (length > LINE_CAP || total > STREAM_CAP || noise > NOISE_CAP) {
        parts = [];
        return 'too much';
      }
      return life ? 'life' : 'no life';
    },
    /** A last line without its end counts as a line. */
    end: (): void => {
      if (length > 0) endLine();
    },
  };
}
