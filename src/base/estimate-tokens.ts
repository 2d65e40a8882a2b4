/** A careful estimate for code and prose; models count between three and four bytes a token. */
export const BYTES_PER_TOKEN = 3;

/** The part of a model's window that its answer needs. */
const ANSWER_SHARE = 0.25;

/** The estimated tokens of a prompt, before a model counts them. */
export const estimateTokens = (prompt: string): number =>
  Math.ceil(new TextEncoder().encode(prompt).length / BYTES_PER_TOKEN);

/** The limit of prompt tokens in a window, with room for the answer. */
export const computePromptRoom = (window: number): number => Math.floor(window * (1 - ANSWER_SHARE));

/** The smallest window that holds a prompt of this many tokens and the answer to it. */
export const computeWindow = (prompt: number): number => Math.ceil(prompt / (1 - ANSWER_SHARE));
