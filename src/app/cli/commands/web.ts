import { styleText } from 'node:util';
import { isLoopback } from '../../../base/is-loopback.ts';
import { readUserSettings } from '../../../project/workspace/load-workspace.ts';
import { requestOrRun } from '../ask-watchdog.ts';
import { hasFlag, readNumberOption, readTextOption } from '../options.ts';
import { abortOnSignal } from '../signals.ts';
import { VERSION } from '../version.ts';
import { invalidValue } from '../usage-errors.ts';
import { getUserName, type Invocation } from '../command.ts';

/** A fixed port, so that links survive a restart of the machine. */
const PORT = 7390;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*)$/i;

/** `andon web`: the board of all repositories in a browser, for the browser that opens the printed link. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, env } = invocation;
  const port = readNumberOption(options, 'port', { from: 0, to: 65_535, example: `andon web --port ${PORT}` }) ?? PORT;
  const address = addressOf(readTextOption(options, 'bind'));
  const { url } = readUserSettings(env).web;
  const [{ serveWeb }, codes] = await Promise.all([import('../../web/serve-web.ts'), import('../../web/qr-code.ts')]);
  await serveWeb({
    env,
    version: VERSION,
    address,
    port,
    url,
    readOnly: explainReadOnly(options, address),
    asker: { by: getUserName(), ask: (root, request) => requestOrRun({ ...invocation, cwd: root }, request) },
    signal: abortOnSignal(invocation),
    say,
    draw: (link) => {
      if (process.stderr.isTTY) say(describeForPhone(link, codes));
    },
  });
  return 0;
}

const say = (text: string): void => void process.stderr.write(`andon web: ${text}\n`);

/** The link as a QR code, or why a phone cannot use it. */
function describeForPhone(link: string, codes: typeof import('../../web/qr-code.ts')): string {
  const { hostname } = new URL(link);
  if (!codes.canBeReached(link))
    return `a phone cannot reach ${hostname}: for one, type \`andon web --bind ADDRESS\` or set \`web.url\` (docs/board.md)`;
  const lines = codes.drawQrCode(link);
  if ((lines[0]?.length ?? 0) > process.stderr.columns) return 'widen this terminal to see the link as a QR code';
  const painted = lines.map((line) => styleText(['whiteBright', 'bgBlack'], line, { stream: process.stderr }));
  return ['or scan it with a phone, instead of opening it here:', ...painted].join('\n');
}

function explainReadOnly(options: Invocation['options'], address: string | undefined): string | undefined {
  if (hasFlag(options, 'readOnly')) return 'read-only: nothing can be asked for here, as --read-only says';
  if (address === undefined || isLoopback(address) || hasFlag(options, 'answers')) return undefined;
  return `read-only: what is sent to ${address} is not encrypted, and an eavesdropper could answer in your place; use a TLS proxy or ssh -L, or allow it with --answers`;
}

/** One address, not all of them: each name under which it is reached is one that a Host may say. */
function addressOf(written: string | undefined): string | undefined {
  if (written === undefined || (ADDRESS.test(written) && !['0.0.0.0', '::'].includes(written))) return written;
  throw invalidValue('--bind', written, 'one address of this machine', 'andon web --bind 192.168.1.20');
}
