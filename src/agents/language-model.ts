import type { Outcome } from '../base/outcome.ts';
import type { AgentUsage } from './agent.ts';

/** A question to a language model, with an object of a given shape as its answer. */
export interface ModelQuestion {
  readonly system: string;
  readonly prompt: string;
  /** The JSON Schema of the answer. */
  readonly schema: object;
  readonly maxAnswerTokens: number;
  readonly signal: AbortSignal;
}

/** An answer of a language model, not yet trusted, and its cost; unreported figures are null. */
export interface ModelAnswer extends AgentUsage {
  readonly value: unknown;
}

/** Why there is no answer: `busy` may pass, `unreadable` was an answer of another shape, the others are permanent. */
export interface ModelFailure {
  readonly kind: 'busy' | 'unreadable' | 'refused' | 'stopped';
  readonly detail: string;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;
}

/** A language model that answers one question at a time, without retries. */
export interface LanguageModel {
  /** Provider and model, for people. */
  readonly name: string;
  ask(question: ModelQuestion): Promise<Outcome<ModelAnswer, ModelFailure>>;
}

/** Small models with local weights that compare texts; each throws where its weights are unusable. */
export interface TextModels {
  /** The similarity of two texts in meaning: the cosine of their embeddings, -1 to 1. */
  similarity(one: string, other: string): Promise<number>;
  /** How well a passage answers a question, 0 to 1. */
  answers(question: string, passage: string): Promise<number>;
  /** How a context supports a text. */
  carries(context: string, text: string): Promise<'entailment' | 'neutral' | 'contradiction'>;
}
