/** Small models with local weights that compare texts; each throws where its weights are unusable. */
export interface TextModels {
  /** The similarity of two texts in meaning: the cosine of their embeddings, -1 to 1. */
  similarity(one: string, other: string): Promise<number>;
  /** How well a passage answers a question, 0 to 1. */
  answers(question: string, passage: string): Promise<number>;
  /** How a context supports a text. */
  carries(context: string, text: string): Promise<'entailment' | 'neutral' | 'contradiction'>;
}
