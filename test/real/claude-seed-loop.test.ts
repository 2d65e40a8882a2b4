import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { runLoop } from '../support/seed-loop.ts';
import { FINAL } from '../support/scenario.ts';
import { installClaude } from './install-claude.ts';
import { aMessagesApi, type ApiRequest } from './messages-api.ts';
import { aFactoryWithClaude, uses } from './real-factory.ts';

const claude = installClaude();
const name = claude.ok ? 'the real claude' : `not run: ${claude.why}`;

const REPORT = {
  grade: 'PASS',
  blocking_issues: [],
  required_fixes: [],
  evidence: ['A token is valid for 15 minutes and can be renewed once. See [login](#login).'],
};
const folderIn = ({ text }: ApiRequest): string => /Primary working directory: (.+)$/m.exec(text)?.[1] ?? '';
const commandIn = ({ text }: ApiRequest): string => /`(git diff --no-ext-diff \w+ \w+)`/.exec(text)?.[1] ?? 'false';
const writes = (file: string, content: string) => (request: ApiRequest) =>
  uses('Write', { file_path: `${folderIn(request)}/${file}`, content });

describe.skipIf(!claude.ok)(`${name} in the blueprint's loop`, () => {
  test('looks at the change, writes both reports into the root, and the task is merged', async () => {
    const api = await aMessagesApi(
      (request) => uses('Bash', { command: commandIn(request), description: 'Show the change' }),
      writes('JUDGE_REPORT.md', '# Fine\n'),
      writes('JUDGE_REPORT.json', JSON.stringify(REPORT)),
      writes('docs/auth_final.md', 'not mine to write\n'),
      { kind: 'text', text: 'Done.' },
    );
    const factory = await aFactoryWithClaude(claude.ok ? claude.value : '', api, {
      projectConfig: { judge: 'external' },
    });
    runLoop(factory, claude.ok ? claude.value : '', factory.claudeEnv);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
    expect(factory.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(factory.paper('archive/DOC-001/JUDGE_REPORT.md')).toBe('# Fine\n');
    const [first, second] = api.turns();
    expect(first?.text).toContain('# Review request: DOC-001');
    expect(second?.text).toContain('new file mode'); // what git showed, beside the request
    expect(second?.text.split('+A token is valid for 15 minutes').length).toBe(3);
  });
});
