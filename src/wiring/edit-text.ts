export { editText } from '../adapters/processes/edit-text.ts';
