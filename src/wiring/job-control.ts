export { isInBackground, isStoppedByOutput, isDetachedFromTerminal } from '../adapters/processes/job-control.ts';
export { onReaderClosed } from '../adapters/processes/on-reader-closed.ts';
