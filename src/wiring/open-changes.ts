/** Looks at what is staged, or what a branch changed. */
export { openChanges } from '../adapters/repository/changes.ts';
