import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/project/config/read-settings.ts';
import { aFactory } from '../support/factory.ts';

const ROOT = join(import.meta.dirname, '../..');

test(
  'what the page of the stand-ins shows brings a task to its end with a real andon',
  { tags: 'thorough' },
  async () => {
    const factory = await aFactory();
    const trial = join(factory.folder, 'trial');
    const [config = '', scenario = ''] = ['yaml', 'json'].map((kind) =>
      block(kind).replaceAll('/home/you/andon', ROOT).replaceAll('/tmp/trial', trial),
    );
    const read = readSettings({ name: '', text: undefined }, { name: 'user', text: config }, factory.repo);
    expect(read).toMatchObject({ ok: true, value: { notices: [] } });
    mkdirSync(join(trial, 'config/andon'), { recursive: true });
    writeFileSync(join(trial, 'config/andon/config.yaml'), config);
    writeFileSync(join(trial, 'scenario.json'), scenario);
    Object.assign(factory.env, { XDG_CONFIG_HOME: join(trial, 'config'), XDG_STATE_HOME: join(trial, 'state') });
    const [, words = ''] = /^andon (new .+)$/m.exec(page()) ?? [];
    const typed = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect((await factory.andon(...typed)).code).toBe(0);
    expect(await factory.end(await factory.watch(), 'TRY-1')).toBe('merged');
    expect(factory.git('show', 'main:hello.md')).toBe('Good morning.');
  },
);

const page = (): string => readFileSync(join(ROOT, 'stand-ins/README.md'), 'utf8');
const block = (kind: string): string => new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\``, 'ms').exec(page())?.[1] ?? '';
