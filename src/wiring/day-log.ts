export { linesOfLog, openDayLog } from '../adapters/settings/day-log.ts';
