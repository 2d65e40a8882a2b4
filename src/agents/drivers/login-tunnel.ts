import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { NOTHING_COUNTED } from './event-rules.ts';
import type { ProxyState } from './proxy-budget.ts';
import { startListening, type ProxyConfig } from './model-proxy.ts';
import { createHelloGuard } from './tls-hello.ts';

interface TunnelPlan extends Pick<ProxyConfig, 'at' | 'idleMs'> {
  /** `host` or `host:port`; without a port 443. */
  readonly hosts: readonly string[];
  /** Aborted when the time of the call is over. */
  readonly ends?: AbortSignal | undefined;
}

/** A program greets at once; one that does not is no TLS client. */
const HELLO_MS = 15_000;

/**
 * The way out of a cage for a program with a login: TLS to a few hosts only. A connection is closed unless its greeting
 * names the requested host. andon does not see the content. All connections end with the budget or the time of the
 * call.
 */
export async function openLoginTunnel({ hosts, at, idleMs, ends }: TunnelPlan, state: ProxyState) {
  const allowed = new Set(hosts.map((host) => (host.includes(':') ? host : `${host}:443`)));
  const open = new Set<Duplex>();
  const endAll = (): void => open.forEach((side) => side.destroy());
  const track = (side: Duplex): void => {
    open.add(side);
    side.once('close', () => open.delete(side));
  };
  const isOver = (): boolean => ends?.aborted === true || state.closed() !== undefined;
  const endWhenClosed = (): void => (state.closed() === undefined ? state.onceSettled(endWhenClosed) : endAll());
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(403, { connection: 'close' }).end('andon: this way out takes only CONNECT\n');
  });
  server.on('connect', (incoming, inside: Duplex, head: Buffer) => {
    inside.on('error', () => inside.destroy());
    const target = (incoming.url ?? '').toLowerCase();
    const refuse = (status: string): void => void inside.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    if (isOver() || !allowed.has(target)) return refuse('403 Forbidden');
    const reserved = state.reserve('unseen');
    if (!reserved.ok) return refuse('403 Forbidden');
    const reservation = reserved.value;
    track(inside);
    const colon = target.lastIndexOf(':');
    const host = target.slice(0, colon);
    const outside = connect(Number(target.slice(colon + 1)), host);
    track(outside);
    let isOpen = false;
    const answers = (): void => reservation.answered(NOTHING_COUNTED, 0);
    const fails = (why: string): void => reservation.failed(0, why, undefined, undefined);
    const guard = createHelloGuard(host);
    const helloTimer = setTimeout(() => {
      if (!guard.isGreeted()) shut('it said nothing for too long');
    }, HELLO_MS);
    const shut = (why: string): void => {
      fails(`a connection through the tunnel to ${host} was closed: ${why}`);
      inside.destroy();
      outside.destroy();
    };
    const goesOut = (chunk: Buffer): void => {
      const passes = guard.pass(chunk);
      if (passes === undefined || isOver()) return shut(guard.why() ?? 'the call is over');
      if (passes.length > 0 && !outside.write(passes)) inside.pause();
      return undefined;
    };
    outside.once('connect', () => {
      isOpen = true;
      inside.write('HTTP/1.1 200 Connection established\r\n\r\n');
      outside.on('drain', () => inside.resume());
      inside.on('data', goesOut);
      inside.once('end', () => outside.end());
      if (head.length > 0) goesOut(head);
      outside.pipe(inside);
    });
    outside.on('data', (chunk: Buffer) => {
      answers();
      state.passed(chunk.length);
    });
    outside.setTimeout(idleMs, () => outside.destroy(new Error(`no byte for ${Math.round(idleMs / 1000)} s`)));
    outside.once('error', (error) => {
      fails(error.message);
      if (isOpen) inside.destroy();
      else refuse('502 Bad Gateway');
    });
    outside.once('close', () => {
      clearTimeout(helloTimer);
      answers();
      inside.end();
    });
    inside.once('close', () => outside.destroy());
    return undefined;
  });
  state.onceSettled(endWhenClosed);
  ends?.addEventListener('abort', endAll);
  return startListening(server, at, () => {
    ends?.removeEventListener('abort', endAll);
    endAll();
  });
}
