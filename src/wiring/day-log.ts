export { readLogLines, openDayLog } from '../adapters/settings/day-log.ts';
