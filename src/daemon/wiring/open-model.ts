/** The language model that rules may ask, by the AI SDK of the user. */
export { openVercelModel } from '../../adapters/language-model/vercel.ts';
