import { spawnSync } from 'node:child_process';

/** Why no cage can be built here, as the end of a title; empty where it can. */
export const NO_CAGE =
  spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', '--', '/bin/true'], { stdio: 'ignore' }).status === 0
    ? ''
    : ' (SKIPPED: bubblewrap cannot build a cage on this machine)';
