// Plays plain answers of the stand-ins for `ollama` and `claude` in one process, one after the other: a start of Node.js
// takes ten times as long as an answer. Told by lines `pid path` in the pipe that is named; see stand-ins/ask-host.sh.
import {
  closeSync,
  constants,
  createReadStream,
  openSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';

/** What a call may hold that is played here; whatever waits, writes or ends badly takes a process of its own. */
const PLAIN = new Set(['when', 'times', 'reply', 'reply_lines', 'structured', 'thoughts', 'usage']);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const { pid: own } = process;
process.on('disconnect', () => process.kill(own, 'SIGKILL')); // whoever started it is gone; an exit would wait for the pipe
let jobs = 0;

const pipe = openSync(process.argv[2], constants.O_RDWR); // for writing as well, so that it never ends
for await (const line of createInterface({ input: createReadStream('', { fd: pipe }) })) {
  const space = line.indexOf(' ');
  const [pid, asked] = [Number(line.slice(0, space)), line.slice(space + 1)];
  let said = 'no';
  try {
    const job = jobOf(pid, asked);
    if (isPlain(job)) said = String(await play(job, asked));
  } catch {
    // Whoever asks plays it as a process, and says what is wrong.
  }
  process.chdir('/');
  answer(`${asked}.said`, `${said}\n`);
}

/** Whoever asked may have been ended meanwhile: then nobody reads, and nothing waits for that. */
function answer(file, text) {
  try {
    const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    writeSync(fd, text);
    closeSync(fd);
  } catch {
    // It is gone.
  }
}

function jobOf(pid, asked) {
  const [, script, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const rows = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, -1);
  const env = Object.fromEntries(rows.map((row) => [row.slice(0, row.indexOf('=')), row.slice(row.indexOf('=') + 1)]));
  const input = readFileSync(`${asked}.in`);
  const cwd = readlinkSync(`/proc/${pid}/cwd`);
  return { pid, script, args, env: { ...env, PWD: cwd }, cwd, input }; // the shell in between tells its folder as well
}

function isPlain({ script, args, env }) {
  if (args.includes('acceptEdits')) return false; // it works on files, and plays no scenario
  const scenario = JSON.parse(readFileSync(env['ANDON_SCENARIO'], 'utf8'));
  const calls = scenario[basename(script)] ?? [];
  return scenario.ollama_does === undefined && calls.every((call) => Object.keys(call).every((key) => PLAIN.has(key)));
}

/** Runs the program as if this were its process; what it prints after it has ended does not count. */
async function play({ pid, script, args, env, cwd, input }, asked) {
  let code;
  const printed = { stdout: [], stderr: [] };
  const sink = (name) =>
    new Writable({
      write(chunk, _, done) {
        if (code === undefined) printed[name].push(chunk);
        done();
      },
    });
  const program = join(dirname(readLink(script)), `${basename(script)}.mjs`);
  process.argv = [process.execPath, program, ...args];
  process.env = env;
  process.chdir(cwd);
  pretend({
    pid,
    stdin: Readable.from(input.length === 0 ? [] : [input]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
  });
  process.exit = (how = 0) => void (code ??= Number(how));
  jobs += 1;
  await import(`${program}?${jobs}`); // a file is run once by its name
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  writeFileSync(`${asked}.out`, Buffer.concat(printed.stdout));
  writeFileSync(`${asked}.err`, Buffer.concat(printed.stderr));
  return code ?? 0;
}

function pretend(values) {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(process, name, { value, configurable: true });
}

function readLink(script) {
  try {
    return readlinkSync(script);
  } catch {
    return script; // it is no link
  }
}
