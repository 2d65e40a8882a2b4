import type { StationId } from '../../base/names.ts';
import type { OutputPiece } from '../../agents/agent.ts';
import type { OutputTail } from '../../project/requests/request.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import type { Needs } from '../services/services.ts';
import { stripSequences } from '../../base/plain-text.ts';

/** Shorter calls are never shown. */
const FIRST_MS = 100;
/** The least time between two writes, */
const EVERY_MS = 250;
/** of which masking and writing take at most one part in this many. */
const SHARE = 10;

/** Shows the output of one call to boards while it runs. Nothing of it reaches the call: a failure ends the showing. */
export function shareOutput(
  { folders }: Needs<'folders'>,
  { taskId, call, station }: { readonly taskId: string; readonly call: number; readonly station: StationId },
) {
  const ring = new OutputRing(withoutSecrets);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let isLent = false;
  let next = performance.now() + FIRST_MS;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch {
      isOver = true; // a full disk, or a link in the way
    }
  };
  const write = (): void => {
    timer = undefined;
    const began = performance.now();
    attempt(() => {
      isLent = true;
      const tail: OutputTail = { call, station, ...ring.lines() };
      folders.lendTail(taskId, call, JSON.stringify(tail));
    });
    next = performance.now() + Math.max(EVERY_MS, (performance.now() - began) * SHARE);
  };
  return {
    show(piece: OutputPiece): void {
      if (isOver) return;
      ring.add(piece);
      timer ??= setTimeout(write, Math.max(0, next - performance.now()));
    },
    end(): void {
      isOver = true;
      clearTimeout(timer);
      if (isLent) attempt(() => folders.removeTail(taskId, call));
    },
  };
}

/** Lines that are kept, */
const MOST_LINES = 200;
/** characters of all of them, */
const MOST_CHARS = 64 * 1024;
/** and of one; the rest of a longer line is dropped. */
const LONGEST_LINE = 2000;
/** A private key that does not end is hidden for at most this many lines. */
const LONGEST_KEY = 150;
const KEY_BEGINS = /-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY/;
const KEY_ENDS = /-----END[ A-Z0-9_-]{0,40}PRIVATE KEY/;

/**
 * The last lines of a call's output, in bounded memory whatever it prints. `mask` hides secrets; it sees each line once,
 * together with its neighbours, and only lines that are shown.
 */
export class OutputRing {
  readonly #mask: (text: string) => string;
  #shown: string[] = [];
  #raw: string[] = [];
  #first = 0;
  #open = '';
  #isCut = false;
  #kind: OutputPiece['kind'] = 'text';
  #keyLines = 0;

  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  add({ kind, text }: OutputPiece): void {
    if (text === '') return;
    if (kind !== this.#kind || kind === 'step') this.#endOpen();
    if (kind === 'thought' && this.#kind !== 'thought') this.#append('thinking: ');
    this.#kind = kind;
    if (kind === 'step') {
      this.#append(text.slice(0, 2 * LONGEST_LINE).replace(/\s+/g, ' '));
      return this.#endOpen();
    }
    const isLong = text.length > MOST_CHARS;
    const [head = '', ...rest] = (isLong ? text.slice(-MOST_CHARS) : text).split('\n');
    if (isLong) this.#cutOpen(); // the line that the cut goes through may begin within a secret
    else this.#append(head);
    for (const line of rest) {
      this.#endLine();
      this.#append(line);
    }
  }

  /** The lines as they may be seen; the last word of an unfinished line waits for its end, for it may be half a secret. */
  lines(): Pick<OutputTail, 'first' | 'lines'> {
    const fresh = fitChars(this.#raw);
    if (fresh.length < this.#raw.length) this.#forget(this.#raw.length - fresh.length + this.#shown.length);
    if (fresh.length > 0) this.#shown.push(...this.#mask(fresh.join('\n')).split('\n'));
    this.#raw = [];
    const kept = fitChars(this.#shown.slice(-MOST_LINES));
    this.#first += this.#shown.length - kept.length;
    this.#shown = kept;
    const open = this.#keyLines > 0 ? '' : withoutKey(this.#clean(wholeWords(this.#open)));
    return { first: this.#first, lines: open.trim() === '' ? [...kept] : [...kept, this.#mask(open)] };
  }

  #append(text: string): void {
    if (this.#isCut) return;
    this.#open += text;
    if (this.#open.length > LONGEST_LINE) {
      this.#open = this.#open.slice(0, LONGEST_LINE);
      this.#cutOpen();
    }
  }

  /** The rest of the open line is not kept. */
  #cutOpen(): void {
    this.#open = `${wholeWords(this.#open)}…`;
    this.#isCut = true;
  }

  #endOpen(): void {
    if (this.#open !== '') this.#endLine();
  }

  #endLine(): void {
    const line = this.#clean(this.#open);
    this.#open = '';
    this.#isCut = false;
    if (this.#keyLines > 0) {
      this.#keyLines = KEY_ENDS.test(line) ? 0 : this.#keyLines - 1;
      return;
    }
    if (line.trim() === '' && this.#isBlankBefore()) return;
    const shown = withoutKey(line);
    if (shown !== line) this.#keyLines = LONGEST_KEY;
    this.#raw.push(shown);
    if (this.#raw.length > MOST_LINES) {
      this.#raw.shift();
      this.#forget(1 + this.#shown.length);
    }
  }

  /** These lines were dropped unseen, and all before them. */
  #forget(count: number): void {
    this.#first += count;
    this.#shown = [];
  }

  /** Rows of empty lines show nothing. */
  #isBlankBefore(): boolean {
    return (this.#raw.at(-1) ?? this.#shown.at(-1) ?? '').trim() === '';
  }

  /** Without colours; of a line that overwrites itself the last state. */
  #clean(line: string): string {
    const plain = stripSequences(line).trimEnd();
    return plain.slice(plain.lastIndexOf('\r') + 1);
  }
}

/** A line without the private key that begins in it and does not end. */
function withoutKey(line: string): string {
  const at = line.search(KEY_BEGINS);
  return at === -1 || KEY_ENDS.test(line) ? line : `${line.slice(0, at)}***`;
}

/** A text without its last word. Characters outside of ASCII end a word: no secret holds one. */
function wholeWords(text: string): string {
  let end = text.length;
  while (end > 0 && isWordCode(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const isWordCode = (code: number): boolean => code > 0x20 && code < 0x7f;

/** The last lines that have room together. */
function fitChars(lines: readonly string[]): string[] {
  let room = MOST_CHARS;
  let from = lines.length;
  while (from > 0 && room >= (lines[from - 1]?.length ?? 0)) {
    from -= 1;
    room -= lines[from]?.length ?? 0;
  }
  return lines.slice(from);
}
