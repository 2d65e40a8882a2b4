import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The suite of the protocol's own makers; it is fetched when it runs, and is no package of andon's. */
const SUITE = '@modelcontextprotocol/conformance@0.1.16';
const ROOT = join(import.meta.dirname, '..');
const EXPECTED = join(ROOT, 'test/conformance/mcp-expected-failures.yml');

process.exitCode = await main();

/** Runs the conformance suite against `andon mcp --http` in a repository of its own: 0 well or not run, 1 an unexpected failure. */
async function main(): Promise<number> {
  const once = { ...process.env, npm_config_fetch_retries: '0' };
  const fetched = spawnSync('npx', ['--yes', SUITE, '--version'], { encoding: 'utf8', env: once });
  if (fetched.status !== 0) {
    console.log(`not run: ${SUITE} cannot be fetched (no network?)`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'andon-conformance-'));
  const andon = spawn(process.execPath, [join(ROOT, 'bin/andon.mjs'), 'mcp', '--http'], {
    cwd: repositoryIn(folder),
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const { port, token } = await listening(andon.stderr);
    const door = await openDoor(port, token);
    const suite = spawn('npx', ['--yes', SUITE, 'server', '--url', door.url, '--expected-failures', EXPECTED], {
      cwd: folder,
      stdio: 'inherit',
    });
    const code = await new Promise<number | null>((resolve) => suite.once('close', resolve));
    door.server.closeAllConnections();
    door.server.close();
    return code ?? 1;
  } finally {
    andon.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function repositoryIn(folder: string): string {
  const repo = join(folder, 'repo');
  mkdirSync(join(repo, '.andon/rules'), { recursive: true });
  writeFileSync(
    join(repo, '.andon/rules/app.yaml'),
    "rules:\n  - id: dynamic-code\n    severity: HIGH\n    match: { pattern: '\\beval\\(' }\n",
  );
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repo]);
  return repo;
}

/** Waits until andon has said where it listens and by which token. */
async function listening(stderr: NodeJS.ReadableStream): Promise<{ readonly port: string; readonly token: string }> {
  let said = '';
  for await (const chunk of stderr) {
    said += String(chunk);
    const [, port] = /127\.0\.0\.1:(\d+)\/mcp/.exec(said) ?? [];
    const [, token] = /Bearer (\S+)\n/.exec(said) ?? [];
    if (port !== undefined && token !== undefined) return { port, token };
  }
  throw new Error(`andon mcp did not start: ${said}`);
}

/** The suite brings no token: this door adds it, and hands on the other headers as they came, but for its own port. */
async function openDoor(port: string, token: string): Promise<{ readonly url: string; readonly server: Server }> {
  let own = '';
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const there = (value: string | undefined): string | undefined => value?.replace(`:${own}`, `:${port}`);
    const { host, origin } = incoming.headers;
    const named = { host: there(host), ...(origin === undefined ? {} : { origin: there(origin) }) };
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, ...named, authorization: `Bearer ${token}` };
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
    outgoing.on('close', () => asked.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  own = typeof address === 'object' && address !== null ? String(address.port) : '';
  return { url: `http://127.0.0.1:${own}/mcp`, server };
}
