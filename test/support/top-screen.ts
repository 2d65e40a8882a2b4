import { readDiff } from '../../src/base/read-diff.ts';
import type { Board } from '../../src/line/board/board.ts';
import { getText, type Drawn } from '../../src/app/top/drawn.ts';
import { BEGIN, handleKey, type Key, type KeyEffect, type State } from '../../src/app/top/handle-key.ts';
import type { RowDetails } from '../../src/app/top/read-details.ts';
import { renderScreen } from '../../src/app/top/render-screen.ts';
import { SCENE_HALTS, SCENE_PATCH } from './scene.ts';

interface Shown {
  readonly state: State;
  readonly effect: KeyEffect | undefined;
  readonly drawn: readonly Drawn[];
  readonly lines: readonly string[];
}

/** The board in a terminal after these keys, and the last thing that they brought about. */
export function showTop(board: Board, shown: Parameters<typeof renderScreen>[2], ...keys: readonly Key[]): Shown {
  let [state, effect]: [State, KeyEffect | undefined] = [BEGIN, undefined];
  for (const key of keys) {
    const pressed = handleKey(state, key, board, () => renderScreen(board, state, shown));
    [state, effect] = [pressed.state, pressed.effect ?? effect];
  }
  const drawn = renderScreen(board, state, shown).lines;
  return { state, effect, drawn, lines: drawn.map((line) => getText(line).trimEnd()) };
}

/** What is read of a task of a scene that has this halt. */
export const sceneDetails = (halt: keyof typeof SCENE_HALTS): RowDetails => ({
  requirements: ['A session ends after fifteen minutes', 'Nobody is logged out at work'],
  sides: SCENE_HALTS[halt].trip.sides,
  sendBack: 'The change goes back with each comment as a required fix.',
  tree: 'd'.repeat(40),
  files: readDiff(SCENE_PATCH),
  gap: undefined,
  found: [
    {
      source: 'reviewer',
      severity: 'critical',
      category: 'security',
      file: 'src/session.js',
      line: 14,
      description: 'the wall clock can be moved back',
      security: true,
      who: 'local-reviewer',
    },
  ],
  story: Array.from({ length: 8 }, (_, at) => ({ at: '2026-01-16T12:00:00.000Z', text: `entry ${at}` })),
});
