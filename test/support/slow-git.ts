import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFactory, type Factory, type Options } from './factory.ts';

/** A world in which git can be made slow for the daemon, so that what needs git can be caught half done. */
export interface SlowGit {
  readonly factory: Factory;
  /** From now on git takes two seconds, for programs that were started before. */
  readonly slowDown: () => void;
  readonly speedUp: () => void;
  /** Whether git was called since it is slow. */
  readonly isCalled: () => boolean;
}

export async function aSlowGit(options: Options = {}): Promise<SlowGit> {
  const factory = await aFactory({ apart: true, ...options });
  const bin = join(factory.folder, 'bin');
  const [slow, called] = [join(factory.folder, 'slow'), join(factory.folder, 'called')];
  const git = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\nif [ -e ${slow} ]; then touch ${called}; sleep 2; fi\nexec ${git} "$@"\n`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  const usual = factory.env['PATH'] ?? '';
  factory.env['PATH'] = `${bin}:${usual}`;
  return {
    factory,
    slowDown() {
      factory.env['PATH'] = usual;
      writeFileSync(slow, '');
    },
    speedUp: () => rmSync(slow, { force: true }),
    isCalled: () => existsSync(called),
  };
}
