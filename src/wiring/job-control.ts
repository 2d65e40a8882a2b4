/** The job control of this process in its terminal. */
export { isInBackground, isStoppedByOutput, isDetachedFromTerminal } from '../adapters/processes/job-control.ts';
