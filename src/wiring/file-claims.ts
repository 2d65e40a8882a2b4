/** Files that one process works on, named for whoever else would. */
export { claimFiles } from '../adapters/locks/file-claims.ts';
