/** @module-tag thorough */
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { expect, describe, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';

/** The built program, with a shell around it that says where its streams lead. */
const led = (script: string) => aFactory({ through: () => ['/bin/bash', '-o', 'pipefail', '-c', script, 'bash'] });

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a client', version: '1' } },
});

const SHOWING = [
  '--version',
  '--help',
  'status --help',
  'status',
  'status --json',
  'list',
  'logs',
  'cost',
  'digest --all',
  'verify --json',
  'rules list',
  'check --json --staged',
  'ci --format sarif',
  'completion bash',
  'init --print --yes',
];

describe.skipIf(!existsSync('/dev/full'))('output that cannot be written', () => {
  test('is no success: every command says so in one sentence and ends with 1', async () => {
    const factory = await led('"$@" > /dev/full');
    const wrong: unknown[] = [];
    for (const command of SHOWING) {
      const { code, stderr } = await factory.andon(...command.split(' '));
      const isSaid =
        /^andon: The output cannot be written to standard output .*ENOSPC: no space left on device.*\n$/m.test(stderr);
      if (code !== 1 || !isSaid || /\n\s+at /.test(stderr)) wrong.push([command, code, stderr]);
    }
    expect(wrong).toEqual([]);
  });

  test('keeps the exit code of a command that was not content anyway', async () => {
    const factory = await led('"$@" > /dev/full');
    expect((await factory.andon('show', 'NOPE')).code).toBe(2);
  });

  test('is no success on standard error either, where nobody can be told', async () => {
    const factory = await led('exec "$@" 2> /dev/full');
    const { child, ended, output } = factory.start(['mcp', '--http']);
    await eventually(() => listensOn(child.pid ?? 0), 'it serves, and says on standard error where');
    child.kill('SIGINT');
    expect([(await ended).code, output()]).toEqual([1, '']);
  });

  test('ends an MCP server that nobody can hear', async () => {
    const factory = await led(
      `exec "$@" > /dev/full < <(printf '%s\\n' '${INITIALIZE}'; exec sleep 60 > /dev/null 2>&1)`,
    );
    expect(await factory.andon('mcp')).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') });
  });

  test('does not end the daemon, whose work goes on', async () => {
    const factory = await led('exec "$@" > /dev/full');
    const dog = factory.start(['watch']);
    factory.drop(aContract());
    await eventually(() => factory.isMerged(), 'the task is merged');
    dog.child.kill('SIGINT');
    expect(await dog.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') });
  });
});

describe('a reader who has left', () => {
  test.each(['--version', '--help', 'status', 'list', 'rules list', 'completion bash'])(
    'ends %s quietly',
    async (command) => {
      const factory = await led('"$@" | true');
      expect(await factory.andon(...command.split(' '))).toMatchObject({ code: 0, stderr: '' });
    },
  );
});

/** Whether a process has a socket that waits for visitors. */
function listensOn(pid: number): boolean {
  const listening = ['tcp', 'tcp6'].flatMap((kind) => readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').split('\n'));
  const own = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return listening.some((row) => {
    const [, , , state, , , , , , inode] = row.trim().split(/\s+/);
    return state === '0A' && own.includes(`socket:[${inode}]`);
  });
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // it was closed meanwhile
  }
}
