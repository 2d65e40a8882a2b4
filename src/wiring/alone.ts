/** What only one andon of this user does at a time, whichever repository it watches. */
export { alone } from '../adapters/locks/alone.ts';
