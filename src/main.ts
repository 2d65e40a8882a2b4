import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { listenTo, onceSaid } from './surfaces/cli/output.ts';
import { VERSION } from './surfaces/cli/version.ts';

const words = process.argv.slice(2);
if (words.length === 1 && words[0] === '--version') {
  listenTo('stdout');
  process.stdout.write(`${VERSION}\n`); // without the parser, whose loading is most of the time it would take
  process.exitCode = await onceSaid(0);
} else {
  listenTo('stdout', 'stderr');
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  // Not below /tmp, as by default: compiled code that lies there could be anybody's.
  enableCompileCache(join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'andon', 'compiled'));
  const { runCli } = await import('./surfaces/cli/cli.ts');
  process.exitCode = await onceSaid(await runCli(words));
}
