export { readTails, watchTails } from '../adapters/settings/live-tails.ts';
