import { runCli } from '../../src/app/cli/run-cli.ts';

/** The bundle drops what its entries export, so the command line is left where `warm-andon.mjs` finds it. */
Object.assign(globalThis, { runCli });
