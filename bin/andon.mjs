#!/usr/bin/env node
// The `andon` command. Plain JavaScript, so that a Node.js that is too old can start it and install a newer one.
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Not imported: an import of node:fs loads all its streams as well, a tenth of the time in which Node.js starts.
const { existsSync, readFileSync, writeSync } = process.getBuiltinModule?.('node:fs') ?? (await import('node:fs'));
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'dist', 'main.js');
const source = join(root, 'src', 'main.ts');
const bootstrap = join(root, 'scripts', 'run.mjs');
const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number);
const fits =
  major >= 26 || (major === 24 && minor >= 15) || (major === 22 && (minor > 22 || (minor === 22 && patch >= 2)));

/**
 * V8 grows its young generation for speed, and glibc keeps memory per thread. A daemon mostly waits, so a small
 * footprint matters more.
 */
const DAEMON_FLAG = '--max-semi-space-size=2';
/** Code that runs a few times per task does not repay an optimising compiler. A V8 without them says so and goes on. */
const COMPILER_FLAGS = ['--invocation-count-for-maglev=20000', '--invocation-count-for-turbofan=100000'];
const DAEMON_ENV = { MALLOC_ARENA_MAX: '1' };

/** `wait` returns early on a signal, while the child still runs. */
const INIT = `
"$@" <&0 & child=$!
for signal in TERM INT HUP; do trap "kill -$signal $child" $signal; done
while :; do
  wait "$child"; code=$?
  kill -0 "$child" 2>/dev/null || exit "$code"
done`;

try {
  process.cwd();
} catch {
  console.error('andon: the folder you are in is not there any more\n       cd to one that is');
  process.exit(2);
}
const inClone = existsSync(source);
// npm writes this mark last: without it packages are missing or incomplete.
const isInstalled = existsSync(join(root, 'node_modules', '.package-lock.json'));
if (fits && process.argv.length === 3 && process.argv[2] === '--version' && saidVersion()) {
} else if (!inClone && !existsSync(built)) {
  console.error(
    'andon: this copy was not built (a git address is not enough)\n       in a clone: npm pack && npm i -g ./andon-*.tgz',
  );
  process.exitCode = 1;
} else if (fits && (!inClone || isInstalled)) {
  quietWarnings();
  if (process.pid === 1) runUnderInit();
  if (isDaemon(process.argv.slice(2))) becomeSmall();
  keepCompiledCode();
  await import(pathToFileURL(inClone ? source : built).href);
} else {
  // The bootstrap installs a missing Node.js, and in a clone the packages; in this process, so that the caller waits for
  // one program.
  process.env.INIT_CWD = process.cwd();
  process.argv.splice(1, 1, bootstrap, 'node', '--disable-warning=ExperimentalWarning', inClone ? source : built);
  await import(pathToFileURL(bootstrap).href);
}

/** Prints the version. Returns false on failure; the full program then reports the reason. */
function saidVersion() {
  try {
    const text = `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`;
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

/**
 * The first process of a container inherits every orphan and must reap it, which Node.js cannot. A shell takes its
 * place: it starts andon as its child, passes signals on, reaps, and ends with the same exit code.
 */
function runUnderInit() {
  if (process.platform !== 'linux' || process.execve === undefined || !existsSync('/bin/sh')) return;
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve('/bin/sh', ['sh', '-c', INIT, 'andon-init', ...words], process.env);
}

/** Whether the command is the daemon: `andon watch`, or `andon` without a command. */
function isDaemon(words) {
  return words.length === 0 || words[0] === 'watch';
}

/** Restarts in the same process with the daemon's flag, which V8 reads only at its start; then sets the other flags. */
function becomeSmall() {
  if (process.platform !== 'win32' && process.execve !== undefined && !process.execArgv.includes(DAEMON_FLAG)) {
    const words = [process.execPath, ...process.execArgv, DAEMON_FLAG, ...process.argv.slice(1)];
    process.execve(process.execPath, words, { ...DAEMON_ENV, ...process.env });
  }
  for (const flag of COMPILER_FLAGS) process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}

/** Not below /tmp, as by default: compiled code there could be anybody's. */
function keepCompiledCode() {
  const { HOME = '', XDG_CACHE_HOME } = process.env;
  const caches = XDG_CACHE_HOME || join(HOME, '.cache');
  if (isAbsolute(caches)) process.getBuiltinModule('node:module').enableCompileCache(join(caches, 'andon', 'compiled'));
}

/** Node.js calls its SQLite (22) and the replacing of a process experimental, in a warning at every start. */
function quietWarnings() {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    if (!/^(?:SQLite|process\.execve) is an experimental/.test(String(warning))) emit(warning, ...rest);
  };
}
