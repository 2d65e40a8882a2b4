import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { WrittenDriver } from '../../src/project/config/driver-schema.ts';
import type { Factory } from './factory.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The programs that are let at the files themselves, by their drivers, and the variable that holds the key of each. */
export const EDITING = {
  codex: 'CODEX_API_KEY',
  gemini: 'GEMINI_API_KEY',
  qwen: 'OPENAI_API_KEY',
  opencode: 'OPENAI_API_KEY',
  copilot: 'OPENAI_API_KEY',
  'claude-code': 'ANTHROPIC_API_KEY',
} as const;
export type EditingName = keyof typeof EDITING;
export const EDITING_NAMES = Object.keys(EDITING) as readonly EditingName[];

/** A key that must never be seen inside a cage. */
export const REAL_KEY = 'the-real-key-of-nobody';

/** Services that are asked below `/v1`, as OpenAI's are. */
const BELOW_V1: readonly EditingName[] = ['codex', 'qwen', 'opencode', 'copilot'];

/**
 * Lets a program work on the files of a factory itself: in the cage of bubblewrap, its model at `url`, a profile that says
 * `edits: true`.
 */
export function editBy(
  factory: Factory,
  name: EditingName,
  url: string,
  {
    program = join(ROOT, 'stand-ins', name === 'claude-code' ? 'claude' : name),
    own = {},
    profile = {},
    cage = {},
  }: Given = {},
): string {
  const driver = {
    program,
    door: { to: BELOW_V1.includes(name) ? `${url}/v1` : url, ...own.door },
    ...(own.calls === undefined ? {} : { calls: own.calls }),
    ...(own.usd_per_million === undefined ? {} : { usd_per_million: own.usd_per_million }),
    env: { [EDITING[name]]: REAL_KEY, ANDON_SCENARIO: join(factory.folder, 'agents/scenario.json'), ...own.env },
  };
  const caged = { driver: 'bubblewrap', read: [join(ROOT, 'stand-ins')], ...cage };
  addAgent(factory, name, driver, { cage: caged });
  const writer = `${name}-editor`;
  factory.write(`.andon/agents/${writer}.yaml`, stringify({ driver: name, model: 'm1', edits: true, ...profile }));
  return writer;
}

/** Writes a driver into the user's configuration, and what else is to stand there. */
export function addAgent(factory: Factory, name: string, driver: WrittenDriver, more: object = {}): void {
  const file = join(factory.folder, 'config/andon/config.yaml');
  const config = parse(readFileSync(file, 'utf8')) as { agents: Record<string, object> };
  writeFileSync(file, stringify({ ...config, ...more, agents: { ...config.agents, [name]: driver } }));
}

interface Given {
  readonly program?: string;
  readonly own?: WrittenDriver;
  readonly profile?: object;
  readonly cage?: object;
}
