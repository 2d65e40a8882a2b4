import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { DoorState } from './door-state.ts';
import { NOTHING_COUNTED } from './event-rules.ts';
import { readHelloName } from './tls-hello.ts';
import { listenAt } from './model-door.ts';
import type { DoorPlan, ModelDoor } from './model-door.ts';

/** Where a tunnel leads. */
export interface TunnelPlan extends Pick<DoorPlan, 'at' | 'idleMs'> {
  /** `host` or `host:port`; without a port 443. */
  readonly hosts: readonly string[];
}

/**
 * The way out of a cage for a program that works with a login: TLS connections to a few hosts and to nothing else. The name
 * in the hello must be that of the host, because one address answers for many sites; nothing is sent before that is known.
 * What follows is between the program and its service; andon sees that bytes come, and no more.
 */
export async function openLoginTunnel({ hosts, at, idleMs }: TunnelPlan, state: DoorState): Promise<ModelDoor> {
  const allowed = new Set(hosts.map((host) => (host.includes(':') ? host : `${host}:443`)));
  const open = new Set<Duplex>();
  const kept = (side: Duplex): void => {
    open.add(side);
    side.once('close', () => open.delete(side));
  };
  state.onClose(() => open.forEach((side) => side.destroy()));
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(403, { connection: 'close' }).end('andon: this way out takes only CONNECT\n');
  });
  server.on('connect', (incoming, inside: Duplex, head: Buffer) => {
    inside.on('error', () => inside.destroy());
    const asked = (incoming.url ?? '').toLowerCase();
    const refuse = (status: string): void => void inside.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    if (state.mayNotPass() !== undefined) return refuse('403 Forbidden');
    if (!allowed.has(asked)) return refuse('403 Forbidden');
    kept(inside);
    state.begins();
    const at = asked.lastIndexOf(':');
    const host = asked.slice(0, at);
    const outside = connect(Number(asked.slice(at + 1)), host);
    kept(outside);
    let [isOpen, isAnswered] = [false, false];
    const answers = (): void => {
      if (!isAnswered) state.answered(NOTHING_COUNTED, 0);
      isAnswered = true;
    };
    let said = head;
    const hear = (): void => {
      const hello = readHelloName(said);
      if (hello === 'more') return;
      inside.off('data', listen);
      if (hello === 'none' || hello.name !== host) {
        inside.destroy();
        outside.destroy();
        return;
      }
      inside.pause();
      outside.write(said);
      outside.pipe(inside).pipe(outside);
    };
    const listen = (chunk: Buffer): void => {
      said = Buffer.concat([said, chunk]);
      hear();
    };
    outside.once('connect', () => {
      isOpen = true;
      inside.write('HTTP/1.1 200 Connection established\r\n\r\n');
      inside.on('data', listen);
      hear();
    });
    outside.on('data', (chunk: Buffer) => {
      answers();
      state.passed(chunk.length);
    });
    outside.setTimeout(idleMs, () => outside.destroy(new Error(`no byte for ${Math.round(idleMs / 1000)} s`)));
    outside.once('error', (error) => {
      if (!isAnswered) state.failed(0, error.message, undefined);
      isAnswered = true;
      if (isOpen) inside.destroy();
      else refuse('502 Bad Gateway');
    });
    outside.once('close', () => {
      answers();
      inside.end();
    });
    inside.once('close', () => outside.destroy());
    return undefined;
  });
  return listenAt(server, at, () => open.forEach((side) => side.destroy()));
}
