import { Box, Text, render, useApp, useInput, useStdout, useWindowSize } from 'ink';
import { createElement as h, useEffect, useRef, useState } from 'react';
import { openLiveBoard, type LiveBoard, type BoardRequest } from '../../line/readers/live-board.ts';
import type { ParentProcess } from './parent-process.ts';
import { getText, type Drawn, type Span, type Tone } from './drawn.ts';
import {
  BEGIN,
  findChosen,
  findShownTask,
  handleKey,
  type Asked,
  type Key,
  type KeyEffect,
  type Wish,
} from './handle-key.ts';
import type { ActionOutcome } from '../web/api-types.ts';
import { readDetails, type RowDetails } from './read-details.ts';
import { renderScreen } from './render-screen.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

type AskOutcome = Pick<ActionOutcome, 'ok' | 'said'>;

interface Desk {
  readonly env: NodeJS.ProcessEnv;
  /** Has a request carried out as the commands do. */
  readonly ask: (root: string, wish: Wish) => Promise<AskOutcome>;
  /** The watchdog of this board; undefined for `andon top`. */
  readonly above: ParentProcess | undefined;
}

/** Number of watchdog lines that are kept. */
const MOST_SAID = 500;

/** A frame more often than this makes terminals over a network flicker. */
const FRAMES = 4;

/** Has a terminal send the arrow keys for its wheel while a full-screen program runs (xterm's mode 1007); its text can still be marked. */
const [WHEEL_IS_ARROWS, WHEEL_AS_BEFORE] = ['\u001b[?1007s\u001b[?1007h', '\u001b[?1007r'];

export async function openTop(wanted: BoardRequest, desk: Desk): Promise<void> {
  const live = await openLiveBoard(wanted);
  process.stdout.write(WHEEL_IS_ARROWS);
  try {
    const shown = render(h(Top, { live, desk }), {
      alternateScreen: true,
      maxFps: FRAMES,
      patchConsole: false,
      exitOnCtrlC: false,
    });
    await shown.waitUntilExit();
  } finally {
    process.stdout.write(WHEEL_AS_BEFORE);
    live.close();
  }
}

function Top({ live, desk }: { readonly live: LiveBoard; readonly desk: Desk }) {
  const [board, setBoard] = useState(live.board());
  const [state, setState] = useState(BEGIN);
  const [said, setSaid] = useState<readonly string[]>([]);
  const [output, setOutput] = useState(live.output.calls());
  const { exit } = useApp();
  const { write } = useStdout();
  const { rows, columns } = useWindowSize();
  useEffect(() => live.follow(setBoard), [live]);
  useEffect(() => live.output.follow(() => setOutput(live.output.calls())), [live]);
  useEffect(() => {
    const { above } = desk;
    above?.follow((line) => setSaid((all) => [...all, line].slice(-MOST_SAID)), exit);
  }, [desk, exit]);
  const details = useDetails(findShownTask(findChosen(board, state)), desk.env);
  const shown = { rows: rows - 1, columns, said, output, details };
  const screen = renderScreen(board, state, shown);
  const latest = useRef({ state, board, shown });
  latest.current = { state, board, shown };
  const carryOut = async (effect: KeyEffect): Promise<void> => {
    if (effect.do === 'quit') return exit();
    if (effect.do === 'stop') return desk.above === undefined ? exit() : desk.above.stop();
    if (effect.do === 'copy') return write(`\u001b]52;c;${Buffer.from(effect.text).toString('base64')}\u0007`); // OSC 52
    const message = await askEach(effect.asks, desk.ask, (count) => setState((one) => ({ ...one, message: count })));
    await live.look();
    return setState((one) => ({ ...one, message }));
  };
  useInput((input, key) => {
    for (const one of keysOf(input, key)) {
      const { state: before, board: now, shown: around } = latest.current;
      const pressed = handleKey(before, one, now, () => renderScreen(now, before, around));
      latest.current = { ...latest.current, state: pressed.state };
      setState(pressed.state);
      if (pressed.effect !== undefined) void carryOut(pressed.effect);
    }
  });
  return h(Box, { flexDirection: 'column' }, ...screen.lines.map((line, at) => h(Line, { key: at, line })));
}

/** Asks one after the other, each journaled by itself; what came of it, of several their number and the first refusal. */
async function askEach(asks: readonly Asked[], ask: Desk['ask'], tell: (count: string) => void): Promise<string> {
  const outcomes: AskOutcome[] = [];
  for (const { root, wish } of asks) {
    outcomes.push(await ask(root, wish));
    if (asks.length > 1) tell(`${outcomes.length} of ${asks.length} asked`);
  }
  if (outcomes.length === 1) return outcomes[0]?.said ?? '';
  const refused = outcomes.filter(({ ok }) => !ok);
  const done = `done: ${outcomes.length - refused.length} of ${outcomes.length}`;
  return refused[0] === undefined ? done : `${done}; ${refused[0].said}`;
}

/** A list that is run through reads no task but the one that it stays at. */
const DETAILS_AFTER_MS = 80;

/** What is known of the chosen task beside its row, read again when the row changes. */
function useDetails(row: ReturnType<typeof findShownTask>, env: NodeJS.ProcessEnv): RowDetails | string | undefined {
  const [read, setRead] = useState<{ readonly key: string; readonly value: RowDetails | string }>();
  const { key = '', root = '', task_id: taskId = '', phrase, since, attempt, cost_usd: cost } = row ?? {};
  useEffect(() => {
    if (taskId === '') return undefined;
    let isWanted = true;
    const set = (value: RowDetails | string): void => void (isWanted && setRead({ key, value }));
    const timer = setTimeout(() => {
      readDetails(root, taskId, env).then(set, (error: unknown) => set(getErrorMessage(error)));
    }, DETAILS_AFTER_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key, root, taskId, phrase, since, attempt, cost, env]);
  return read?.key === key ? read.value : undefined;
}

const COLOURS: Readonly<Record<Tone, string | undefined>> = {
  head: undefined,
  bad: 'red',
  good: 'green',
  work: 'cyan',
  wait: 'yellow',
  dim: undefined,
  plain: undefined,
};

const Line = ({ line: { spans } }: { readonly line: Drawn }) =>
  h(
    Text,
    { wrap: 'truncate' },
    ...(getText({ spans }) === '' ? [' '] : spans.map((span, at) => h(Part, { key: at, span }))),
  );

function Part({ span: { text, tone, isChosen } }: { readonly span: Span }) {
  const colour = COLOURS[tone];
  return h(
    Text,
    {
      bold: tone === 'head',
      dimColor: tone === 'dim' && isChosen !== true,
      inverse: isChosen === true,
      ...(colour === undefined ? {} : { color: colour }),
    },
    text,
  );
}

/** What was pressed; several characters come at once where they were pasted. */
function keysOf(input: string, key: Parameters<Parameters<typeof useInput>[0]>[1]): readonly Key[] {
  if (key.upArrow) return ['up'];
  if (key.downArrow) return ['down'];
  if (key.pageUp) return ['pageUp'];
  if (key.pageDown) return ['pageDown'];
  if (key.home) return ['home'];
  if (key.end) return ['end'];
  if (key.return) return ['enter'];
  if (key.escape) return ['escape'];
  if (key.backspace || key.delete) return ['erase'];
  if (key.ctrl && input === 'c') return ['stop'];
  if (key.ctrl || key.meta) return [];
  // Enter comes with what was typed before it where the terminal is slow; a pasted line break within is a blank.
  const [, text = '', enters = ''] = /^(.*?)(\r*)$/s.exec(input) ?? [];
  return [
    ...Array.from(text.replace(/[\r\n]+/g, ' '), (char): Key => ({ char })),
    ...Array.from(enters, (): Key => 'enter'),
  ];
}
