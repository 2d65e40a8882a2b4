import { join } from 'node:path';
import { placeOfAndon } from '../wiring/own-files.ts';

/** Runs the hook that was there, then the rules; an andon that is gone stops the commit, for nothing was checked. */
export const hookText = (): string =>
  textFor(quoted(process.execPath), quoted(join(placeOfAndon(), 'bin', 'andon.mjs')));

/** Whether a hook says that it is andon's. */
export const isMarked = (text: string): boolean => text.split('\n')[1]?.startsWith(MARK) === true;

/** Whether a hook is as andon wrote it, wherever Node.js and andon lay then. */
export const isUnedited = (text: string): boolean =>
  text.replace(PROGRAMS, '') === textFor("''", "''").replace(PROGRAMS, '');

const MARK = '# andon pre-commit hook';
const PROGRAMS = /^(?:node|andon)='.*'$/gm;

const textFor = (node: string, andon: string): string => `#!/bin/sh
${MARK}: checks what is staged. \`andon hook remove\` takes it away again.
before="$0.before-andon"
if [ -x "$before" ]; then "$before" "$@" || exit $?; fi
node=${node}
andon=${andon}
if [ -x "$node" ] && [ -f "$andon" ]; then ANDON_CWD="$PWD" exec "$node" "$andon" check --staged; fi
if command -v andon >/dev/null 2>&1; then exec andon check --staged; fi
echo "andon: the hook finds no andon, so nothing was checked; andon hook install mends it, git commit --no-verify goes past it" >&2
exit 2
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
