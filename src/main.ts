import { enableCompileCache } from 'node:module';
import { VERSION } from './surfaces/cli/version.ts';

const words = process.argv.slice(2);
if (words.length === 1 && words[0] === '--version') {
  process.stdout.write(`${VERSION}\n`); // without the parser, whose loading is most of the time it would take
} else {
  enableCompileCache();
  const { runCli } = await import('./surfaces/cli/cli.ts');
  process.exitCode = await runCli(words);
}
