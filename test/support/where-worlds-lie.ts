import { expect, inject } from 'vitest';

/** A cage has a /dev of its own, so that what lies in the machine's is not there; and other users may try nothing in this folder. */
const ON_DISK =
  /\/test\/(?:integration\/sandbox\/cage\/|end-to-end\/cage\.test\.ts$|thorough\/sandbox-runtime\.test\.ts$)/;

// Before each file of tests, because one worker runs several: all of them ask for the folder of temporary files by TMPDIR.
const worlds = inject('worlds');
if (worlds !== undefined) {
  if (ON_DISK.test(expect.getState().testPath ?? '')) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = worlds;
}
