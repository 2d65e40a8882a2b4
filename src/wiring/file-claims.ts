/** Files that one process works on, so that no other takes them. */
export { claimFiles } from '../adapters/locks/file-claims.ts';
