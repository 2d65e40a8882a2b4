/** A careful estimate for code and prose; models count between three and four bytes a token. */
export const BYTES_PER_TOKEN = 3;

/** The part of a model's window that its answer needs. */
const ANSWER_SHARE = 0.25;

/** How many tokens a prompt is taken for before anybody has counted them. */
export const estimateTokens = (prompt: string): number =>
  Math.ceil(new TextEncoder().encode(prompt).length / BYTES_PER_TOKEN);

/** The tokens that a prompt may have in a window, so that there is room for the answer. */
export const promptRoom = (window: number): number => Math.floor(window * (1 - ANSWER_SHARE));

/** The smallest window that holds a prompt of this many tokens and the answer to it. */
export const windowFor = (prompt: number): number => Math.ceil(prompt / (1 - ANSWER_SHARE));
