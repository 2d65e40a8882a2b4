import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { aFactory, type Options } from '../support/factory.ts';
import type { ApiRequest, MessagesApi, Reply, Step } from './messages-api.ts';

const STAND_INS = join(import.meta.dirname, '../../stand-ins');
export const KEY = 'dummy-key-of-the-tests';

/** A factory whose judge is the real Claude Code, with a home of its own, that speaks to the given server. */
export async function aFactoryWithClaude(program: string, api: MessagesApi, options: Options = {}) {
  const factory = await aFactory(options);
  const home = join(factory.folder, 'home of claude');
  mkdirSync(home);
  const { PATH = '' } = factory.env;
  const claudeEnv = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY, HOME: home, PATH };
  const agents = {
    ollama: {
      program: join(STAND_INS, 'ollama'),
      env: { ANDON_SCENARIO: join(factory.folder, 'agents/scenario.json'), PATH },
    },
    claude: { program, env: claudeEnv },
  };
  writeFileSync(join(factory.folder, 'config/andon/config.yaml'), stringify({ cage: 'none', agents }));
  return {
    ...factory,
    /** What the judge's program is given by the user's own configuration. */
    claudeEnv,
    /** How every judge that lives was started, word by word; empty where there is no /proc. */
    judgesAtWork: (): readonly (readonly string[])[] =>
      factory
        .processes()
        .map(({ pid }) => commandOf(pid))
        .filter(([first]) => first === program),
  };
}

function commandOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

export const uses = (name: string, input: object): Reply => ({ kind: 'tool', name, input });

/** The judge reads a file of its desk, by the absolute path that it makes of what it is told. */
export const reads =
  (name: string): Step =>
  (request) =>
    uses('Read', { file_path: `${deskIn(request)}/${name}` });

export const deskIn = ({ text }: ApiRequest): string => /Primary working directory: (.+)$/m.exec(text)?.[1] ?? '';

/** A whole report through the tool that the schema of the answer becomes, bound to what it was asked about. */
export const reports =
  (verdict: string, more: object = {}): Step =>
  (request) =>
    uses('StructuredOutput', {
      task_id: asked('task_id', request),
      commit: asked('commit', request),
      contract_digest: asked('contract_digest', request),
      verdict,
      summary: `The judge says ${verdict}.`,
      blocking_issues: [],
      required_fixes: [],
      suggestions: [],
      security_flags: [],
      evidence: [{ file: 'docs/auth_final.md', line: 1, quote: '# Authentication' }],
      ...more,
    });

const asked = (name: string, { text }: ApiRequest): string =>
  new RegExp(`^${name}: (\\S+)$`, 'm').exec(text)?.[1] ?? '';
