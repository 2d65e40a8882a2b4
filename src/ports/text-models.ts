/** Small models with local weights that measure texts against each other; each throws where its weights cannot be used. */
export interface TextModels {
  /** How near two texts are in meaning: the cosine of their embeddings, -1 to 1. */
  similarity(one: string, other: string): Promise<number>;
  /** How well a passage answers a question, 0 to 1. */
  answers(question: string, passage: string): Promise<number>;
  /** What a context makes of a text. */
  carries(context: string, text: string): Promise<'entailment' | 'neutral' | 'contradiction'>;
}
