import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { listenToOutput, onceSaid } from './surfaces/cli/output.ts';
import { VERSION } from './surfaces/cli/version.ts';

const words = process.argv.slice(2);
listenToOutput();
if (words.length === 1 && words[0] === '--version') {
  process.stdout.write(`${VERSION}\n`); // without the parser, whose loading is most of the time it would take
  process.exitCode = await onceSaid(0);
} else {
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  // Not below /tmp, as by default: compiled code that lies there could be anybody's.
  enableCompileCache(join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'andon', 'compiled'));
  const { runCli } = await import('./surfaces/cli/cli.ts');
  process.exitCode = await onceSaid(await runCli(words));
}
