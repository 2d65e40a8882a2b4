// Runs a command with the Node.js and the packages that andon needs, and installs them first where they are missing.
// Plain JavaScript that Node 18 can parse: it is what decides whether the Node at hand is good enough.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { takeSetupLock } from './setup-lock.mjs';
import { userPath } from './user-path.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const runtime = join(root, 'tools', 'runtime');
const windows = process.platform === 'win32';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const env = cleanEnvironment();
const pathKey = Object.keys(env).find((key) => key.toLowerCase() === 'path') ?? 'PATH';
env.ANDON_PATH = userPath(env[pathKey] ?? '', [root, runtime]);
// npm starts scripts in the project's folder; commands work in the folder where the user typed.
env.ANDON_CWD = process.env.INIT_CWD ?? process.cwd();
const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('usage: node scripts/run.mjs <command> [arguments]');
  process.exit(2);
}

const fits = nodeFits(process.versions.node);
// An installed package has no lock file: it needs no packages.
const folders = [...(fits ? [] : [runtime]), ...(existsSync(join(root, 'package-lock.json')) ? [root] : [])];
if (!folders.every(isInstalled)) await install();
for (const folder of fits ? [root] : [root, runtime]) prependPath(join(folder, 'node_modules', '.bin'));
run();

/** The range of `engines` in package.json: ^22.22.2 || ^24.15.0 || >=26.0.0. */
function nodeFits(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

/** The environment without what the outer npm said about itself; INIT_CWD (where the user typed) stays. */
function cleanEnvironment() {
  const dropped =
    /^(npm_package_.*|npm_lifecycle_.*|npm_command|npm_node_execpath|npm_config_local_prefix|npm_config_prefix|npm_config_global_prefix|npm_config_global|npm_config_location|node)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !dropped.test(key)));
}

function prependPath(folder) {
  env[pathKey] = folder + delimiter + (env[pathKey] ?? '');
}

/** Whether the packages of a folder are there exactly as its lock says; npm writes its own mark last. */
function isInstalled(folder) {
  const { lockFile, stampFile, stamp } = setupOf(folder);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true;
  const installed = join(folder, 'node_modules', '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs > statSync(lockFile).mtimeMs;
}

function setupOf(folder) {
  const lockFile = join(folder, 'package-lock.json');
  const stamp = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return { lockFile, stampFile: join(folder, 'node_modules', '.stamp'), stamp };
}

/** Installs what is missing; two first runs do not install over each other. */
async function install() {
  refuseForeignFolder();
  const lock = await takeSetupLock(root, (pid) => console.error(`[setup] waits for another first run (pid ${pid})`));
  process.once('exit', () => lock.release());
  for (const folder of folders) {
    if (!isInstalled(folder)) await npmCi(folder, lock);
    prependPath(join(folder, 'node_modules', '.bin'));
  }
  lock.release();
}

/** A package that another user installed cannot be added to. */
function refuseForeignFolder() {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    console.error(
      `andon needs Node.js 22.22.2, 24.15, 26 or newer; this is ${process.versions.node} (${process.execPath}), and ${root} is not yours\n       put a newer Node.js on PATH, or let its owner run \`andon --version\` once: that installs one for andon alone`,
    );
    process.exit(1);
  }
}

/** Ends with its npm at a signal, and not before: the next run repeats unfinished work. */
async function npmCi(folder, lock) {
  console.error(
    `[setup] npm ci in ${folder === root ? 'the project' : 'tools/runtime'} (first run, or the lock file changed)`,
  );
  const { stampFile, stamp } = setupOf(folder);
  rmSync(stampFile, { force: true });
  const npm = process.env.npm_execpath;
  const [program, first] = npm?.endsWith('.js') ? ['node', [npm]] : [windows ? 'npm.cmd' : 'npm', []];
  let asked;
  // Before npm is there: a signal that comes while it is started would end this process and leave npm behind.
  const stop = (signal) => {
    asked ??= signal;
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const child = spawn(program, [...first, 'ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: folder,
    env,
    stdio: ['ignore', 2, 2],
    shell: windows,
  });
  if (child.pid !== undefined) lock.uses(child.pid);
  const { code, signal, error } = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  for (const signal of SIGNALS) process.off(signal, stop);
  if (asked ?? SIGNALS.includes(signal)) {
    lock.release();
    await endBy(asked ?? signal);
  }
  if (code !== 0) {
    console.error(`[setup] npm ci failed${error ? `: ${error.message}` : ''}. Is the npm registry reachable?`);
    process.exit(code ?? 1);
  }
  writeFileSync(stampFile, stamp);
}

/** Runs the program in this process if this Node suits; otherwise spawns it and forwards signals. */
function run() {
  if (command === 'node' && fits && !windows && process.execve !== undefined) {
    process.execve(process.execPath, [process.execPath, ...args], env);
  }
  // A terminal sends Ctrl-C to the child as well. andon takes what comes twice for one request; another program may not.
  const isHeardTwice = command !== 'node' && [0, 1, 2].some((stream) => isatty(stream));
  process.on('SIGINT', () => void (isHeardTwice || child.kill('SIGINT')));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const child = spawn(command, args, { stdio: 'inherit', env, shell: windows });
  child.on('error', (error) => {
    console.error(`[setup] cannot start ${command}: ${error.message}`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    void endBy(signal);
  });
}

/** Ends this process by the signal, so that its parent sees the same. */
function endBy(signal) {
  process.kill(process.pid, signal);
  return new Promise(() => setTimeout(() => process.exit(1), 1000));
}
