import { PROXY_VARIABLES } from '../../base/environment-variables.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Agent, AgentCall } from '../agent.ts';
import type { Ending } from '../../sandbox/processes/command.ts';
import type { RunProgram } from '../../sandbox/processes/run.ts';
import {
  describeEarlyEnd,
  followedCall,
  isUndecided,
  readIdentity,
  type AgentKind,
  type AgentProgram,
} from './agent-program.ts';
import { UPDATE_CLAUDE, readClaudeOutcome } from './claude-outcome.ts';
import { followClaudeStream } from './claude-stream.ts';
import { machineTime, type Now } from './reset-time.ts';

/** Turns of a review; a judge reads files and changes none. */
const MAX_TURNS = 60;
const QUESTION_MS = 30_000;

/** Environment of claude, in addition to the key: few retries of its own, no side traffic. */
const SETTINGS: Readonly<Record<string, string>> = {
  CLAUDE_CODE_MAX_RETRIES: '3',
  API_TIMEOUT_MS: '300000',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
};

export const claudeKind: AgentKind = {
  sees: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
    ...PROXY_VARIABLES,
    'NODE_EXTRA_CA_CERTS',
  ],
  open: (run, program) => createClaude(run, program),
};

/** Claude Code in print mode: read-only tools, nothing of any project's settings, the answer by a schema. */
export function createClaude(run: RunProgram, program: AgentProgram, now: () => Now = machineTime): Agent {
  const start = (args: readonly string[], cwd = '/') => ({
    program: program.program,
    args: [...program.args, ...args],
    cwd,
    env: { ...SETTINGS, ...program.env },
  });
  const ask = (...args: readonly string[]): Promise<Ending> =>
    run({ ...start(args), input: '', signal: new AbortController().signal, hardMs: QUESTION_MS });
  return {
    id: 'claude',
    capabilities: { billing: 'metered', takesBudget: true, hasWindow: false },
    worksAt: ['implementer', 'local-reviewer', 'judge'],
    async run(call) {
      const stream = followClaudeStream(call.show);
      const ending = await run({
        ...start(argumentsFor(call), call.folder),
        input: call.prompt,
        ...followedCall(call, stream, { first: 'SIGINT' }), // then it still prints its cost
      });
      return readClaudeOutcome(ending, stream.story(), call, now());
    },
    async fit() {
      const ending = await ask('--version');
      return isUndecided('claude', ending) ? success('of unknown version') : readVersion(ending);
    },
    async probe() {
      const questions = [ask('--version'), ask('--help'), ask('auth', 'status')] as const; // each starts Node.js
      const [ending, help, login] = await Promise.all(questions);
      const version = readVersion(ending);
      if (!version.ok) return version;
      const unknown = SHOWN_OPTIONS.find((option) => !help.stdout.includes(option));
      if (unknown !== undefined)
        return failure(`${version.value} does not know ${unknown}, which 2.1.330 does; ${UPDATE_CLAUDE}`);
      const early = describeEarlyEnd('claude', login);
      if (early) return failure(`claude auth status: ${early.detail}`);
      if (login.exit !== 0 || /"loggedIn":\s*false/.test(login.stdout))
        return failure('claude is not logged in; run `claude` once and log in, or set ANTHROPIC_API_KEY');
      return version;
    },
  };
}

/** Read-only tools, nothing of any project's settings, and signs of life during one long answer. */
const ALWAYS = [
  '--include-partial-messages',
  '--restricted',
  '--strict-mcp-config',
  '--no-session-persistence',
  '--tools',
  'Read,Glob,Grep',
  '--permission-mode',
  'dontAsk',
];

/** Required options that `claude --help` lists: without them the judge would be unsafe or unreadable. */
const SHOWN_OPTIONS = [...ALWAYS.filter((word) => word.startsWith('--')), '--max-budget-usd', '--json-schema'];

function argumentsFor(call: AgentCall): readonly string[] {
  return [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    ...ALWAYS,
    '--max-turns',
    String(MAX_TURNS),
    ...(call.maxUsd === undefined ? [] : ['--max-budget-usd', call.maxUsd.toFixed(4)]),
    ...(call.schema === undefined ? [] : ['--json-schema', JSON.stringify(call.schema)]),
    ...(call.model === '' ? [] : ['--model', call.model]),
  ];
}

/** The line by which Claude Code names itself; any other program is refused. */
function readVersion(ending: Ending): Outcome<string, string> {
  const remedy = '. Install it: `npm install -g @anthropic-ai/claude-code`';
  const isClaude = (line: string): boolean => /^\d+\.\d+\.\d+ .*Claude Code/.test(line);
  const read = readIdentity({ name: 'claude', title: 'Claude Code', remedy }, ending, isClaude);
  return read.ok || !ending.stderr.includes('unknown option') ? read : failure(`${read.why}; ${UPDATE_CLAUDE}`);
}
