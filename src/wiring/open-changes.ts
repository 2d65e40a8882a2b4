/** Looks at what is staged, or what a branch changed. */
export { openChanges, type ChangeRange } from '../adapters/repository/changes.ts';
