/** Where this process stands in its terminal. */
export { isInBackground, isStoppedByOutput, outlivesTerminal } from '../adapters/processes/job-control.ts';
