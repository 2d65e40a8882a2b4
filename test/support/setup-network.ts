import { hasProgram } from './has-program.ts';

/** Whether `setup` gets no network here: there is a program that makes one of its own, and none that closes this machine to it. */
export const SETUP_IS_REFUSED = (hasProgram('pasta') || hasProgram('slirp4netns')) && !hasProgram('nft');
