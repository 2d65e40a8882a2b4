// Runs in the cage, around an agent. It forwards the agent's requests at a loopback port to the one socket that leads
// out, where andon's model door listens. It starts the agent and ends with it.
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

const [socket, port, program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error('andon starts this program itself; see andon --help');
  process.exit(2);
}

const relay = createServer({ noDelay: true, allowHalfOpen: true }, (inside) => {
  const outside = connect({ path: socket, allowHalfOpen: true });
  const end = () => {
    inside.destroy();
    outside.destroy();
  };
  for (const side of [inside, outside]) side.on('error', end);
  inside.pipe(outside);
  outside.pipe(inside);
});
relay.on('error', (error) => refuse(error));
relay.listen(Number(port), '127.0.0.1', () => {
  const agent = spawn(program, args, { stdio: 'inherit' });
  agent.on('error', (error) => refuse(error));
  agent.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
});

function refuse(error) {
  console.error(`behind the model door: ${error.message}`);
  process.exit(127);
}
