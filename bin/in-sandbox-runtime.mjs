// Runs one command in the cage of @anthropic-ai/sandbox-runtime and ends with its exit code. The reason for a failed
// start is written to `not-started` in the scratch folder, which the command cannot write. The package runs in a
// process of its own, because it passes its environment and working folder to the command.
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [entry, parent, scratch, policy, closed, command] = process.argv.slice(2);
let child;

if (command === undefined) {
  console.error('andon starts this program itself; see andon --help');
  process.exit(2);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
// An orphan gets no signal, so it polls. Everything started below dies with this process.
const isOrphan = () => process.ppid !== Number(parent);
const looks = setInterval(() => isOrphan() && end(), 100);
// andon removes the scratch folder, unless it is dead.
process.on('exit', () => isOrphan() && rmSync(scratch, { recursive: true, force: true }));

try {
  const { SandboxManager } = await import(pathToFileURL(entry).href);
  // Without `initialize` there is no proxy: `allowedDomains: []` then means no network at all.
  const caged = await SandboxManager.wrapWithSandbox(command, 'sh', JSON.parse(policy));
  if (caged === command) throw new Error('it would run the command uncaged');
  const { mounts, filter } = JSON.parse(closed);
  child = spawn('/bin/sh', ['-c', `exec ${withMoreClosed(caged, mounts, filter)}`], {
    stdio: ['ignore', 'inherit', 'inherit', ...descriptors(filter)],
    detached: true,
  });
  child.stdio[3]?.on('error', () => {}); // a command that ends at once reads no filter; its exit code is enough
  child.stdio[3]?.end(Buffer.from(filter, 'base64'));
  child.on('error', refuse);
  child.on('exit', (code, signal) => {
    clearInterval(looks);
    SandboxManager.cleanupAfterCommand();
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
} catch (error) {
  refuse(error);
}

/**
 * The package shares memory and the host name with the machine, and leaves the kernel's settings to root. Mounts over
 * them must follow `--proc`; the filter is read from descriptor 3.
 */
function withMoreClosed(caged, mounts, filter) {
  if (process.platform !== 'linux') return caged;
  const [namespaces, proc] = [/^bwrap(?= --)/, / --proc \/proc(?= )/];
  if (!namespaces.test(caged) || !proc.test(caged))
    throw new Error(`it does not start bwrap as expected: ${caged.slice(0, 60)}`);
  const seccomp = filter === undefined ? '' : ' --seccomp 3';
  return caged
    .replace(proc, (words) => [words, ...mounts.map(quote)].join(' '))
    .replace(namespaces, `bwrap --unshare-ipc --unshare-uts --unshare-cgroup-try --json-status-fd 4${seccomp}`);
}

/** bwrap reads the filter from 3. It writes the end of the command into 4, which andon reads. */
function descriptors(filter) {
  const given = filter === undefined ? 'ignore' : 'pipe';
  return process.platform === 'linux' ? [given, 4] : [given];
}

function quote(word) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function refuse(error) {
  writeFileSync(join(scratch, 'not-started'), error instanceof Error ? error.message : String(error));
  process.exit(1);
}

/** The first process of the cage takes all others with it. Without it, only its group can be reached. */
function end() {
  if (child?.pid === undefined) process.exit(1);
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
}
