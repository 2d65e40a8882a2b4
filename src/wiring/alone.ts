/** What only one andon of this user does at a time, whichever repository it watches. */
export { withExclusiveLock } from '../adapters/locks/with-exclusive-lock.ts';
