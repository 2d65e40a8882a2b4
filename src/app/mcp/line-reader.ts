interface LineCallbacks {
  line(text: string): void;
  /** A line was longer than is taken; nothing of it is kept but the id that it named, where it named one. */
  tooLong(id: string | number | null): void;
}

/** Takes an input apart into lines and never holds more of one than `mostBytes`, however long it is. */
export class LineReader {
  readonly #mostBytes: number;
  readonly #callbacks: LineCallbacks;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Beginning and end of a line that is too long. */
  #ends: { readonly head: string; tail: Buffer } | undefined;

  constructor(mostBytes: number, callbacks: LineCallbacks) {
    this.#mostBytes = mostBytes;
    this.#callbacks = callbacks;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#part(chunk.subarray(from, end));
      this.#end();
      from = end + 1;
    }
    this.#part(chunk.subarray(from));
  }

  /** The last line counts without its end as well. */
  finish(): void {
    this.#end();
  }

  #part(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#ends === undefined && this.#bytes <= this.#mostBytes) return this.#keep(part);
    const all = Buffer.concat([...this.#parts, this.#ends?.tail ?? Buffer.alloc(0), part]);
    this.#ends ??= { head: all.subarray(0, KEPT_BYTES).toString('utf8'), tail: all };
    this.#ends.tail = all.subarray(-KEPT_BYTES);
    this.#parts = [];
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    if (this.#parts.length > MOST_PARTS) this.#parts = [Buffer.concat(this.#parts)];
  }

  #end(): void {
    const [ends, line] = [this.#ends, Buffer.concat(this.#parts).toString('utf8')];
    [this.#ends, this.#parts, this.#bytes] = [undefined, [], 0];
    if (ends !== undefined) this.#callbacks.tooLong(idAround(ends.head, ends.tail.toString('utf8')));
    else if (line.trim() !== '') this.#callbacks.line(line);
  }
}

/** The `id` at the beginning or at the end of a message, where clients write it. */
function idAround(head: string, tail: string): string | number | null {
  const written = (AT_START.exec(head) ?? AT_END.exec(tail))?.[1];
  return written === undefined ? null : (JSON.parse(written) as string | number);
}

const ID = '"id"\\s*:\\s*("[^"\\\\\\u0000-\\u001f]*"|-?(?:0|[1-9]\\d{0,14}))\\s*';
const AT_START = new RegExp(`^\\s*\\{(?:\\s*"(?:jsonrpc|method)"\\s*:\\s*"[^"\\\\]*"\\s*,)*\\s*${ID},`);
const AT_END = new RegExp(`[}\\]"\\d]\\s*,\\s*${ID}\\}\\s*$`);
const NEWLINE = 10;
/** Who writes byte by byte costs no more than who writes at once. */
const MOST_PARTS = 1000;
/** Of a message that is too long, this much of its beginning and of its end is kept. */
const KEPT_BYTES = 300;
