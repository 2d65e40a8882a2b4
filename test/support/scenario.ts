export {
  FINAL,
  aScenario,
  issue,
  judges,
  answerOnce,
  reviewFails,
  reviewPasses,
  says,
  answerTimes,
  writes,
} from '../../src/drills/scenario.ts';
export type { Call, Stations } from '../../src/drills/scenario.ts';
