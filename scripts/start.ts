import { runCli } from '../src/app/cli/run-cli.ts';

// `npm start` alone shows the line at work; `npm start -- …` is `andon …`.
const typed = process.argv.slice(2);
process.exitCode = await runCli(typed.length === 0 ? ['demo'] : typed);
