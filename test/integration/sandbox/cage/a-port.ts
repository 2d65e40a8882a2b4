import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A port of this machine behind which somebody answers `reached` until the test ends. */
export async function aPort(): Promise<number> {
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A command that connects to a port, or ends with 7; the Node.js of this clone may lie where a cage hides it, so bash does. */
export const connecting = (port: number): string => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3' || exit 7`;
