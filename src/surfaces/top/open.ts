import { Box, Text, render, useApp, useInput, useWindowSize } from 'ink';
import { createElement as h, useEffect, useRef, useState } from 'react';
import { openLiveBoard, type LiveBoard, type BoardRequest } from '../../daemon/readers/live-board.ts';
import type { ParentProcess } from '../../wiring/child-daemon.ts';
import { BEGIN, handleKey, type KeyEffect, type Key, type State, type Wish } from './handle-key.ts';
import { renderScreen, type Drawn } from './screen.ts';
import { toTerminal } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { readJournal } from '../../wiring/open-journal.ts';
import { loadWorkspace } from '../../wiring/load-workspace.ts';
import { openForReading } from '../../wiring/open-reader.ts';
import { foldJournal } from '../../line/record.ts';
import { formatEntry } from '../../line/story.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';

interface Desk {
  readonly env: NodeJS.ProcessEnv;
  /** Has a request carried out as the commands do; what came of it, in words, and of a refusal too. */
  readonly ask: (root: string, wish: Wish) => Promise<string>;
  /** The watchdog of this board; undefined for `andon top`. */
  readonly above: ParentProcess | undefined;
}

/** Number of watchdog lines that are kept. */
const MOST_SAID = 500;

/** A frame more often than this makes terminals over a network flicker. */
const FRAMES = 4;

/** Shows the board in a terminal until it is ended. */
export async function openTop(wanted: BoardRequest, desk: Desk): Promise<void> {
  const live = await openLiveBoard(wanted);
  try {
    const shown = render(h(Top, { live, desk }), {
      alternateScreen: true,
      maxFps: FRAMES,
      patchConsole: false,
      exitOnCtrlC: false,
    });
    await shown.waitUntilExit();
  } finally {
    live.close();
  }
}

function Top({ live, desk }: { readonly live: LiveBoard; readonly desk: Desk }) {
  const [board, setBoard] = useState(live.board());
  const [state, setState] = useState(BEGIN);
  const [messages, setMessages] = useState<readonly string[]>([]);
  const [output, setOutput] = useState(live.output.calls());
  const latest = useRef({ state, board });
  latest.current = { state, board };
  const { exit } = useApp();
  const { rows, columns } = useWindowSize();
  useEffect(() => live.follow(setBoard), [live]);
  useEffect(() => live.output.follow(() => setOutput(live.output.calls())), [live]);
  useEffect(() => {
    const { above } = desk;
    above?.follow((line) => setMessages((all) => [...all, line].slice(-MOST_SAID)), exit);
  }, [desk, exit]);
  const set = (change: (state: State) => State): void => setState((one) => change(one));
  const carryOut = async (effect: KeyEffect): Promise<void> => {
    if (effect.do === 'quit') return exit();
    if (effect.do === 'stop') return desk.above === undefined ? exit() : desk.above.stop();
    if (effect.do === 'said') {
      const lines = messages.length === 0 ? ['nothing; messages of andon watch appear here'] : messages;
      const top = Math.max(0, lines.length - rows + 4);
      return set((one) => ({ ...one, view: { is: 'text', title: 'what the watchdog said', lines, top } }));
    }
    if (effect.do === 'ask') {
      const message = await desk.ask(effect.root, effect.wish);
      await live.look();
      return set((one) => ({ ...one, message }));
    }
    const { row } = effect;
    try {
      const lines = await (effect.do === 'log' ? listStoryLines : listDiffLines)(row.root, row.task_id ?? '', desk.env);
      if (effect.do === 'open') return set((one) => withChange(one, row.key, lines));
      const title = `${effect.do} of ${row.task_id ?? ''}`;
      set((one) => ({ ...one, view: { is: 'text', title, lines, top: 0, of: row.key } }));
    } catch (error) {
      if (effect.do === 'open') return; // a new task has no change yet, and the board shows the rest
      set((one) => ({ ...one, message: error instanceof Error ? error.message : String(error) }));
    }
  };
  useInput((input, key) => {
    for (const one of keysOf(input, key)) {
      const pressed = handleKey(latest.current.state, one, latest.current.board);
      latest.current = { ...latest.current, state: pressed.state };
      setState(pressed.state);
      if (pressed.effect !== undefined) void carryOut(pressed.effect);
    }
  });
  const lines = renderScreen(board, state, { rows: rows - 1, columns, said: messages.at(-1), output });
  return h(Box, { flexDirection: 'column' }, ...lines.map((one, at) => h(Line, { key: at, one })));
}

function withChange(state: State, key: string, lines: readonly string[]): State {
  const { view } = state;
  if (view.is !== 'text' || view.of !== key) return state;
  return { ...state, view: { ...view, lines: [...view.lines, '', 'The change that both paths are about', ...lines] } };
}

const COLOURS = { head: undefined, bad: 'red', good: 'green', dim: undefined, plain: undefined } as const;

function Line({ one }: { readonly one: Drawn }) {
  const colour = COLOURS[one.tone];
  return h(
    Text,
    {
      wrap: 'truncate',
      bold: one.tone === 'head',
      dimColor: one.tone === 'dim',
      inverse: one.isChosen === true,
      ...(colour === undefined ? {} : { color: colour }),
    },
    one.text === '' ? ' ' : one.text,
  );
}

/** What was pressed; several characters come at once where they were pasted. */
function keysOf(input: string, key: Parameters<Parameters<typeof useInput>[0]>[1]): readonly Key[] {
  if (key.upArrow) return ['up'];
  if (key.downArrow) return ['down'];
  if (key.pageUp) return ['pageUp'];
  if (key.pageDown) return ['pageDown'];
  if (key.return) return ['enter'];
  if (key.escape) return ['escape'];
  if (key.backspace || key.delete) return ['erase'];
  if (key.ctrl && input === 'c') return ['stop'];
  if (key.ctrl || key.meta) return [];
  return Array.from(input, (char) => ({ char }));
}

/** Maximum lines of a text. */
const MOST_LINES = 20_000;
/** Maximum bytes of a patch; `andon show --diff` prints the rest. */
const MOST_OF_PATCH = 2_000_000;

async function listDiffLines(root: string, taskId: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const place = await loadWorkspace(root, env);
  const change = foldJournal(entriesOf(place.state, taskId))?.change;
  if (change === undefined) throw new Problem('no-task', `${taskId} has no change yet`, 'andon status', 1);
  const repository = await openForReading(place);
  for (const commit of [change.base, change.commit])
    if ((await repository.resolve(commit)) === undefined)
      throw new Problem('no-task', 'its commits are not in this repository (any more)', `andon show ${taskId}`, 1);
  const { text, isCut } = await repository.patchOf(change.base, change.commit, [], MOST_OF_PATCH);
  const lines = linesOf(text);
  return isCut || lines.length >= MOST_LINES ? [...lines, `cut here; all of it: andon show ${taskId} --diff`] : lines;
}

async function listStoryLines(root: string, taskId: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { state } = await loadWorkspace(root, env);
  return linesOf(
    entriesOf(state, taskId)
      .flatMap((entry) => {
        const text = formatEntry(entry);
        return text === undefined ? [] : [`${entry.at}  ${text.replace(/\s+/g, ' ')}`];
      })
      .join('\n'),
  );
}

function entriesOf(state: string, taskId: string): readonly JournalEntry[] {
  const journal = readJournal({ state });
  try {
    return journal?.entries(taskId) ?? [];
  } finally {
    journal?.close();
  }
}

const linesOf = (text: string): readonly string[] => toTerminal(text).split('\n').slice(0, MOST_LINES);
