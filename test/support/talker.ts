import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { aContract } from './contract.ts';
import { aScript } from './drivers.ts';
import { aFactory, type Factory } from './factory.ts';
import { FINAL } from './scenario.ts';

const ANSWER = `FILE: docs/auth_final.md\n\`\`\`\`text\n${FINAL}\`\`\`\`\n\nNOTES:\nAs asked.\n`;

/** An implementer that says when it writes what, until the file `go` is there; `first` is a shell command. */
export async function aTalker(first = 'true'): Promise<Factory> {
  const factory = await aFactory({ apart: true });
  const place = join(factory.folder, 'talker');
  mkdirSync(place);
  writeFileSync(join(place, 'answer'), ANSWER);
  const program = aScript(factory.folder, 'talker/talker', [
    'cat > /dev/null',
    first,
    `while [ ! -e ${place}/go ]; do echo "looked at $(date +%s%3N)"; sleep 0.1; done`,
    `cat ${place}/answer`,
  ]);
  const file = join(factory.folder, 'config/andon/config.yaml');
  const config = parse(readFileSync(file, 'utf8')) as { agents: object };
  const driver = { program, calls: { text: { args: [] } }, output: { format: 'text' } };
  writeFileSync(file, stringify({ ...config, agents: { ...config.agents, talker: driver } }));
  factory.write('.andon/agents/talker-one.yaml', stringify({ driver: 'talker', model: 'm1' }));
  return factory;
}

/** A task for it. */
export const TALKERS_TASK = aContract({ 'roles.implementer': 'talker-one' });
/** Lets it answer. */
export const letAnswer = (factory: Factory): void => writeFileSync(join(factory.folder, 'talker/go'), '');
