export {
  FINAL,
  aScenario,
  issue,
  judges,
  once,
  reviewFails,
  reviewPasses,
  says,
  times,
  writes,
} from '../../src/drills/scenario.ts';
export type { Call, Stations } from '../../src/drills/scenario.ts';
