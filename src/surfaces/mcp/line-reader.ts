/** Callbacks for the lines of an input. */
export interface Heard {
  line(text: string): void;
  /** A line was longer than is taken; nothing of it is kept but the id that it named, where it named one. */
  tooLong(id: string | number | null): void;
}

/** Takes an input apart into lines and never holds more of one than `mostBytes`, however long it is. */
export class LineReader {
  readonly #mostBytes: number;
  readonly #heard: Heard;
  #parts: Buffer[] = [];
  #bytes = 0;
  #id: IdOfMessage | undefined;

  constructor(mostBytes: number, heard: Heard) {
    this.#mostBytes = mostBytes;
    this.#heard = heard;
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
    if (this.#id === undefined && this.#bytes <= this.#mostBytes) return this.#keep(part);
    if (this.#id === undefined) {
      this.#id = new IdOfMessage();
      for (const kept of this.#parts) this.#id.read(kept);
      this.#parts = [];
    }
    this.#id.read(part);
  }

  #keep(part: Buffer): void {
    this.#parts.push(part);
    if (this.#parts.length > MOST_PARTS) this.#parts = [Buffer.concat(this.#parts)];
  }

  #end(): void {
    const [id, line] = [this.#id, Buffer.concat(this.#parts).toString('utf8')];
    [this.#id, this.#parts, this.#bytes] = [undefined, [], 0];
    if (id !== undefined) this.#heard.tooLong(id.found);
    else if (line.trim() !== '') this.#heard.line(line);
  }
}

/** Finds the `id` of a message as it passes by: in the outermost braces, and nowhere else. */
class IdOfMessage {
  found: string | number | null = null;
  #depth = 0;
  #text: string | undefined; // of the string that is open
  #isEscaped = false;
  #last = ''; // what was read since the last comma or brace of the outermost level

  read(part: Buffer): void {
    for (const char of part.toString('latin1')) this.#step(char);
  }

  #step(char: string): void {
    if (this.#text !== undefined) return this.#inString(char);
    if (char === '"') this.#text = '';
    else if (char === '{' || char === '[') this.#depth += 1;
    else if (char === '}' || char === ']') {
      if (this.#depth === 1) this.#field();
      this.#depth -= 1;
    } else if (this.#depth === 1 && char === ',') this.#field();
    else if (this.#depth === 1 && this.#last.length < LONGEST_ID) this.#last += char;
  }

  #inString(char: string): void {
    const isOver = char === '"' && !this.#isEscaped;
    this.#isEscaped = char === '\\' && !this.#isEscaped;
    if (!isOver) {
      if ((this.#text?.length ?? 0) < LONGEST_ID) this.#text += char;
      return;
    }
    if (this.#depth === 1 && this.#last.length < LONGEST_ID) this.#last += `"${this.#text}"`.slice(0, LONGEST_ID);
    this.#text = undefined;
  }

  #field(): void {
    const written = ID.exec(this.#last)?.[1];
    if (written !== undefined)
      this.found = JSON.parse(Buffer.from(written, 'latin1').toString('utf8')) as string | number;
    this.#last = '';
  }
}

const NEWLINE = 10;
/** Who writes byte by byte costs no more than who writes at once. */
const MOST_PARTS = 1000;
const ID = /^\s*"id"\s*:\s*("[^"\\\u0000-\u001f]*"|-?(?:0|[1-9]\d{0,14}))\s*$/;
/** Longer ones are not told back. */
const LONGEST_ID = 300;
