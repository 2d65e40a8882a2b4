import { isLoopback } from '../../base/is-loopback.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { WrittenDriver } from './driver-schema.ts';
import { resolvePrices, type Priced } from './resolve-prices.ts';

/** A server that speaks OpenAI's protocol. */
export interface ServerDriver extends Priced {
  readonly name: string;
  readonly model: string | undefined;
  /** Up to and including `/v1`. */
  readonly url: string;
  readonly keyEnv: string | undefined;
  /** Set by the user; undefined: reported by the server. */
  readonly window: number | undefined;
}

/** Keys of a server, in addition to its address. */
const OF_SERVERS: readonly string[] = ['server', 'model', 'billing', 'usd_per_million'];

/** Reads a driver that is a server; `where` is the place in faults. */
export function readServer(
  name: string,
  { env, home_files: files, ...written }: WrittenDriver,
  { url, key_env: keyEnv, window, remote }: NonNullable<WrittenDriver['server']>,
  where: string,
): Outcome<ServerDriver, readonly string[]> {
  const given = { ...written, ...(empty(env) ? {} : { env }), ...(empty(files) ? {} : { home_files: files }) };
  const faults = Object.keys(given)
    .filter((key) => !OF_SERVERS.includes(key))
    .map((key) => `${where}: ${key}: a server takes only ${OF_SERVERS.join(', ')}`);
  const { hostname, username } = new URL(url);
  if (remote !== true && !isLoopback(hostname))
    faults.push(
      `${where}: server.url: ${hostname} is not this machine; what is asked would leave it. Say \`remote: true\` where that is meant`,
    );
  if (username !== '')
    faults.push(`${where}: server.url: a key does not belong into an address; name its variable as key_env`);
  if (faults.length > 0) return failure(faults);
  return success({
    name,
    url: url.replace(/\/+$/, ''),
    keyEnv,
    window,
    model: written.model,
    ...resolvePrices(written, false),
  });
}

const empty = (map: object | undefined): boolean => Object.keys(map ?? {}).length === 0;
