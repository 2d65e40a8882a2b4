import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { prepareEnvironment } from './app/cli/environment.ts';
import { watchStream, flushed } from './app/cli/output.ts';
import { VERSION } from './app/cli/version.ts';

const words = process.argv.slice(2);
/** Commands whose process lives long, or parses much; a command without words is `watch`. */
const STAYING = [undefined, 'watch', 'web', 'mcp', 'night'];

if (words.length === 1 && words[0] === '--version') {
  watchStream('stdout');
  process.stdout.write(`${VERSION}\n`); // without the parser, whose loading is most of the time it would take
  process.exitCode = await flushed(0);
} else {
  watchStream('stdout', 'stderr');
  const problem = await prepareEnvironment();
  const { HOME = '/', XDG_CACHE_HOME = join(HOME, '.cache') } = process.env;
  // Not below /tmp, as by default: compiled code that lies there could be anybody's.
  if (problem === undefined) enableCompileCache(join(XDG_CACHE_HOME, 'andon', 'compiled'));
  if (!STAYING.includes(words[0])) parseWithoutCompiling();
  const { runCli, printProblem } = await import('./app/cli/cli.ts');
  process.exitCode = await flushed(problem === undefined ? await runCli(words) : printProblem(problem));
}

/**
 * zod compiles a parser for each schema at its first use. A short command parses little, and spends a fifth of its time
 * on that. This is where zod looks when it is loaded.
 */
function parseWithoutCompiling(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
