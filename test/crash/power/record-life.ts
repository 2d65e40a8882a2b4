import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { aFactory, type Factory } from '../../support/factory.ts';
import { liveOnce } from '../live.ts';
import type { Goal, Life } from '../lives.ts';
import { endOf, type End } from '../look-at-life.ts';
import { diskOf } from './disk.ts';
import { CALLS, readRecording, type Recording, type Saved } from './recording.ts';

/** A life that was lived once, undisturbed, and all that its processes (git's and the agents' too) did to the disk. */
export interface RecordedLife {
  readonly factory: Factory;
  readonly before: Readonly<Record<string, string>>;
  readonly recording: Recording;
  readonly end: End;
  /** For each number of effects that were done: how many goals were reached by then. */
  readonly goalsAfter: (effects: number) => number;
}

/** Lives a life under strace. */
export async function recordLife(life: Life): Promise<RecordedLife> {
  const logs = mkdtempSync(join(tmpdir(), 'andon-strace-'));
  onTestFinished(() => rmSync(logs, { recursive: true, force: true }));
  let count = 0;
  const through = (): readonly string[] => {
    count += 1;
    const options = ['-D', '-f', '-q', '-y', '-xx', '-ttt', '-s', '16777216', '--seccomp-bpf'];
    return ['strace', ...options, '-o', join(logs, `${count}.log`), '-e', `trace=${CALLS.join(',')}`];
  };
  let isRecording = true;
  const factory = await aFactory({ ...life.options, through: () => (isRecording ? through() : []) });
  life.before?.(factory);
  const before = factory.snapshot();
  const first = diskOf(factory.folder);
  const saved: Saved[] = [];
  const reached: number[] = [];
  const goals = life.goals.map((goal) => ({ ...goal, act: (own: Factory) => watched(own, goal, saved) }));
  const drop = (): void => {
    const text = `${JSON.stringify(life.contract, null, 2)}\n`;
    factory.drop(text);
    saved.push({ time: Date.now() / 1000, path: 'Project-A/_handoff/TASK_CONTRACT.json', text });
  };
  await liveOnce({ ...life, goals }, { ...factory, drop }, () => reached.push(Date.now() / 1000));
  isRecording = false;
  const end = endOf(factory);
  const texts = await whole(logs);
  const recording = readRecording(first, factory.folder, texts, saved);
  const { effects } = recording;
  const goalsAfter = (done: number): number => {
    const time = effects[done - 1]?.time ?? 0;
    return reached.filter((at) => at <= time).length;
  };
  return { factory, before, recording, end, goalsAfter };
}

/** A decision that you write by hand is noted; strace sees only what andon does. */
function watched(factory: Factory, goal: Goal, saved: Saved[]): ReturnType<NonNullable<Goal['act']>> {
  const before = factory.paper('DECISION.json');
  const acting = goal.act?.(factory);
  const text = factory.paper('DECISION.json');
  if (acting === undefined && text !== undefined && text !== before)
    saved.push({ time: Date.now() / 1000, path: 'Project-A/_handoff/DECISION.json', text });
  return acting;
}

/** The logs once every tracer has said that its processes ended. */
async function whole(folder: string): Promise<readonly string[]> {
  for (let tries = 0; ; tries += 1) {
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    if (texts.every((text) => isWhole(text))) return texts;
    if (tries === 200 || !existsSync(folder)) throw new Error('strace does not end');
    await sleep(50);
  }
}

const isWhole = (text: string): boolean =>
  /^\d+ +\S+ \+\+\+ (?:exited|killed)[^\n]*\n$/.test(text.slice(text.lastIndexOf('\n', text.length - 2) + 1));
