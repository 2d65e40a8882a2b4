// Runs the command line of the built andon again and again in one small process, which its worker tells what to run; see
// warm-andon.ts.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

const running = new AsyncLocalStorage();
const listeners = new Map(); // of each command that runs: signal → those who listen
const inputs = new Map(); // of each command that was given one: its standard input
const { pid, stdin } = process;

for (const stream of ['stdout', 'stderr']) divert(stream);
Object.defineProperty(process, 'stdin', { get: () => inputs.get(running.getStore()) ?? stdin });
process.on('disconnect', () => process.kill(pid, 'SIGKILL')); // whoever started it is gone
process.on('uncaughtException', (error) => process.send({ fault: String(error?.stack ?? error) }));
await import(pathToFileURL(process.argv[2]).href);
const { runCli } = globalThis; // see expose-cli.ts
process.on('message', (told) => {
  if (told.signal === undefined) void run(told);
  else for (const listener of listeners.get(told.id)?.get(told.signal) ?? []) listener();
});
process.send({ isReady: true });

async function run({ id, args, cwd, env, seen, input }) {
  const own = new Map();
  listeners.set(id, own);
  const onSignal = (name, listener) => own.set(name, [...(own.get(name) ?? []), listener]);
  // git looks for its user's settings in the environment of the process; the tests of a worker run one after the other.
  for (const [name, value] of Object.entries(seen))
    if (value === null) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  if (input !== undefined) inputs.set(id, Readable.from([Buffer.from(input)]));
  let end;
  try {
    end = { code: await running.run(id, () => runCli(args, { cwd, env, onSignal })) };
  } catch (error) {
    end = { fault: String(error?.stack ?? error) };
  }
  listeners.delete(id);
  inputs.delete(id);
  process.send({ id, ...end });
}

/** What a command prints is told with its number; everything else goes where the worker's own words go. */
function divert(stream) {
  const write = process[stream].write.bind(process[stream]);
  process[stream].write = (text, ...rest) => {
    const id = running.getStore();
    if (id === undefined) return write(text, ...rest);
    process.send({ id, stream, text: typeof text === 'string' ? text : Buffer.from(text).toString('utf8') });
    const done = rest.find((one) => typeof one === 'function');
    if (done !== undefined) queueMicrotask(done);
    return true;
  };
}
