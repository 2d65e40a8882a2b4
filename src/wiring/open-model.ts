/** The language model that rules may ask, by the AI SDK of the user. */
export { openVercelModel } from '../adapters/language-model/vercel.ts';

/** Small models with local weights, by the library of the user. */
export { openLocalWeights } from '../adapters/language-model/local-weights.ts';
