import { runCli, printProblem } from './app/cli/run-cli.ts';
import { prepareEnvironment } from './app/cli/prepare-environment.ts';
import { watchStream, flushed } from './app/cli/output.ts';

const words = process.argv.slice(2);
/** Commands whose process lives long, or parses much; a command without words is `watch`. */
const STAYING = [undefined, 'watch', 'web', 'mcp', 'night'];

watchStream('stdout', 'stderr');
const problem = await prepareEnvironment();
if (!STAYING.includes(words[0])) parseWithoutCompiling();
process.exitCode = await flushed(problem === undefined ? await runCli(words) : printProblem(problem));

/**
 * zod compiles a parser for each schema at its first use. A short command parses little, and spends a fifth of its time
 * on that. This is where zod looks when it is loaded.
 */
function parseWithoutCompiling(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
