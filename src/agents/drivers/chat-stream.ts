import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import type { AgentUsage, ShowOutput } from '../agent.ts';
import { createLineReader, type StreamProgress } from './line-reader.ts';

/** Limit of bytes of an answer. */
const MOST = 16 * 1024 * 1024;

/** The answer streamed so far. */
export interface ChatStory extends Pick<AgentUsage, 'tokensIn' | 'tokensOut'> {
  readonly text: string;
  /** The server's reason for the end; undefined while it streams. */
  readonly finished: string | undefined;
  /** An error in the middle of the stream. */
  readonly error: string | undefined;
  readonly isUtf8: boolean;
}

/** Parses a streamed chat completion (`data:` lines), in pieces of any size; `show` sees them as they come. */
export function followChatStream(show?: ShowOutput) {
  let story: ChatStory = {
    text: '',
    finished: undefined,
    tokensIn: null,
    tokensOut: null,
    error: undefined,
    isUtf8: true,
  };
  let total = 0;
  const lines = createLineReader((bytes) => {
    const line = decodeUtf8(bytes);
    if (line === undefined) story = { ...story, isUtf8: false };
    const event = line?.startsWith('data:') ? parseJsonObject<Event>(line.slice('data:'.length).trim(), []) : undefined;
    if (event === undefined) return 'no life';
    const { choices, usage, error } = event;
    const [choice] = Array.isArray(choices) ? choices : [];
    const { content, reasoning_content: thought } = choice?.delta ?? {};
    if (typeof thought === 'string') show?.({ kind: 'thought', text: thought });
    if (typeof content === 'string') show?.({ kind: 'text', text: content });
    story = {
      isUtf8: story.isUtf8,
      text: typeof content === 'string' ? `${story.text}${content}` : story.text,
      finished: choice?.finish_reason ?? story.finished,
      tokensIn: usage?.prompt_tokens ?? story.tokensIn,
      tokensOut: usage?.completion_tokens ?? story.tokensOut,
      error: error === undefined || error === null ? story.error : JSON.stringify(error).slice(0, 500),
    };
    return error === undefined ? 'life' : 'no life';
  });
  return {
    /** Takes the next bytes; comments that only keep the connection open are no sign of life. */
    follow(bytes: Uint8Array): StreamProgress {
      total += bytes.length;
      return total > MOST ? 'too much' : lines.follow(bytes);
    },
    story(): ChatStory {
      lines.end();
      return story;
    },
  };
}

/** The used parts of a chunk; servers omit any of them. */
interface Event {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly reasoning_content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
  readonly error?: unknown;
}
