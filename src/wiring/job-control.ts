/** Where this process stands in its terminal. */
export { isInBackground, isStoppedByOutput, isDetachedFromTerminal } from '../adapters/processes/job-control.ts';
