/** The user's editor. */
export { editText } from '../adapters/processes/edit-text.ts';
