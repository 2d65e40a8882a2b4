import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Agent } from '../../src/agents/agent.ts';
import { createDrivenAgent } from '../../src/agents/drivers/driven-agent.ts';
import { makePrivateFolder } from '../../src/agents/drivers/private-folder.ts';
import type { Now } from '../../src/agents/drivers/reset-time.ts';
import { createEnclosure } from '../../src/sandbox/cage/enclose.ts';
import type { RunProgram } from '../../src/sandbox/processes/run.ts';
import { readDriver, type Driver, type DriverSources } from '../../src/project/config/read-driver.ts';
import type { WrittenDriver } from '../../src/project/config/driver-schema.ts';
import type { Factory } from './factory.ts';
import { aScenario, type Call, type Stations } from './scenario.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A shipped driver as it is written. */
export const readWrittenDriver = (name: string): WrittenDriver =>
  parse(readFileSync(join(ROOT, `shipped/drivers/${name}.yaml`), 'utf8')) as WrittenDriver;

/** The programs that andon brings a driver along for. */
export const DRIVEN = ['codex', 'gemini', 'qwen', 'opencode', 'copilot'] as const;
export type Driven = (typeof DRIVEN)[number];

/** A program that is started with this environment and no other. */
interface Started {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The shipped driver of claude, without a line around it; private folders are made in one that is gone afterwards. */
export function openClaude(run: RunProgram, { program, env }: Started, now?: () => Now): Agent {
  const state = mkdtempSync(join(tmpdir(), 'andon-claude-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  return createDrivenAgent(aDriver('claude', { program, env: { ...env } }), {
    run,
    env: {},
    privateFolder: () => makePrivateFolder(state),
    enclosure: createEnclosure('none', run, { home: state, environment: {}, hide: [], read: [] }),
    ...(now === undefined ? {} : { now }),
  });
}

/** The drivers in `shipped/`, with what a user says of any. */
export const sourcesWith = (own: Readonly<Record<string, WrittenDriver>> = {}): DriverSources => ({
  shipped: (name) =>
    [...DRIVEN, 'claude', 'claude-code'].includes(name)
      ? { name: `shipped/drivers/${name}.yaml`, text: readFileSync(join(ROOT, `shipped/drivers/${name}.yaml`), 'utf8') }
      : undefined,
  shippedNames: ['claude', ...DRIVEN],
  own,
  userFile: 'config.yaml',
});

/** A driver as it counts when the user says this of it; throws the faults. */
export function aDriver(name: string, own?: WrittenDriver): Driver {
  const read = readDriver(name, sourcesWith(own === undefined ? {} : { [name]: own }));
  if (!read.ok) throw new Error(read.why.join('\n'));
  if ('url' in read.value) throw new Error(`${name} is a server`);
  return read.value;
}

/** The keys that the programs want to see; none of them is one. */
export const KEYS = { GEMINI_API_KEY: 'not-a-key', OPENAI_API_KEY: 'not-a-key' };

/** Lets the stand-in of a program work for a factory: its driver in the user's configuration, a profile that names it. */
export function driveBy(
  factory: Factory,
  program: Driven,
  { own = {}, profile = {}, name = `${program}-one` }: { own?: WrittenDriver; profile?: object; name?: string } = {},
): string {
  const file = join(factory.folder, 'config/andon/config.yaml');
  const config = parse(readFileSync(file, 'utf8')) as { agents: Record<string, object> };
  const driver = {
    program: join(ROOT, 'stand-ins', program),
    ...own,
    env: { ANDON_SCENARIO: join(factory.folder, 'agents/scenario.json'), ...KEYS, ...own.env },
  };
  writeFileSync(file, stringify({ ...config, agents: { ...config.agents, [program]: driver } }));
  factory.write(`.andon/agents/${name}.yaml`, stringify({ driver: program, model: 'm1', ...profile }));
  return name;
}

/** Scripts what a program answers; the other stations do their work at the first try. */
export function scriptDriven(
  factory: Factory,
  program: Driven,
  calls: readonly Call[],
  stations: Stations = {},
  more: object = {},
): void {
  const file = join(factory.folder, 'agents/scenario.json');
  writeFileSync(file, JSON.stringify({ ...aScenario(stations), [program]: calls, ...more }));
}

/** A call without the model that the usual stations are told apart by. */
export const byAnyModel = (call: Call): Call => ({ ...call, when: {} });

/** A shell script as a program of a user's own; gives back its path. */
export function aScript(folder: string, name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
  return file;
}
