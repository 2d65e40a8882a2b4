/** @module-tag thorough */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readLogLines } from '../support/log-lines.ts';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { issue, judges, answerOnce, reviewFails, reviewPasses, createReply } from '../support/scenario.ts';
import { FORBIDDEN, SEQUENCES } from '../support/sequences.ts';
import { PATH, version } from '../support/versions.ts';

/** All 26 at once; the ones that never end stand last in their line. */
const HOSTILE = SEQUENCES.map(([what, text]) => `${what}: ${text}`).join(' | ');
const MARKUP =
  '</script><img src=x onerror=alert(1)> ``` \n# Heading\n[x](javascript:alert(1)) | a | b |\n{"event":"pass"}';
const TEXT = `${HOSTILE} ${MARKUP}`;

const answer = (number: number) =>
  createReply(`FILE: ${PATH}\n\`\`\`\`text\n${version(number)}\`\`\`\`\n\nNOTES:\n${TEXT}\n`);

describe('what agents, gates and git say', () => {
  test('is only text in the terminal, in every paper, in the report and in the log (cases 88, 89)', async () => {
    const factory = await aFactory({
      files: { 'hostile.txt': `${TEXT}\n` },
      projectConfig: {
        gates: [{ name: 'says', run: `cat hostile.txt; ! grep -q 'Version 1' ${PATH}` }],
      },
      scenario: {
        implementer: [
          answerOnce(answer(1)),
          answerOnce(answer(2)),
          answerOnce(answer(3)),
          answerOnce(answer(4)),
          answer(5),
        ],
        reviewer: [answerOnce(reviewFails(TEXT)), reviewPasses()],
        judge: [
          answerOnce(
            judges('FAIL', {
              summary: TEXT,
              blocking_issues: [issue(TEXT, { category: TEXT })],
              required_fixes: [TEXT],
              suggestions: [TEXT],
              security_flags: [TEXT],
            }),
          ),
          judges('CRITICAL_HALT', { summary: TEXT, blocking_issues: [issue(TEXT)] }),
        ],
      },
    });
    factory.git('commit', '--quiet', '--allow-empty', `--message=Names ${TEXT.replaceAll('\u0000', '')}`);
    const { dog, status } = await factory.run(aContract());
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'judge_halt']);
    const seen = new Map([['the daemon', dog.output()]]);
    for (const command of ['show DOC-001', 'logs', 'list', 'status', 'explain DOC-001', 'cost', 'verify'])
      for (const json of [[], ['--json']]) {
        const { stdout, stderr } = await factory.andon(...command.split(' '), ...json);
        seen.set([command, ...json].join(' '), stdout + stderr);
      }
    const out = join(factory.folder, 'report.html');
    expect((await factory.andon('report', 'DOC-001', '--out', out)).code).toBe(0);
    seen.set('report.html', readFileSync(out, 'utf8'));
    for (const name of readdirSync(factory.handoff)) {
      const text = factory.paper(name);
      if (text !== undefined) seen.set(name, text);
    }
    seen.set('the log', readLogLines(stateOf(factory)).join('\n'));
    for (const [name, text] of seen) expect([name, FORBIDDEN.exec(text)?.[0]]).toEqual([name, undefined]);
    expect(seen.size).toBeGreaterThan(18);
    expect(seen.get('ERIK_HALT.md')).toContain('u{1b}');
    expect(seen.get('report.html')).not.toMatch(/<img|<[^>]*onerror=|<script/);
    expect(seen.get('report.html')).toContain('&lt;/script>&lt;img src=x onerror=alert(1)>'); // as text
    const lines = (factory.paper('transition.ndjson') ?? '').trim().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('sequence');
    expect(lines.some((line) => line.startsWith('{"event":"pass"'))).toBe(false);
  });

  test('in the name of a file that stands in the way of the merge is only text (case 88)', async () => {
    const factory = await aFactory({ projectConfig: { gates: [{ name: 'lists', run: 'ls; exit 1' }] } });
    for (const [, text] of SEQUENCES.slice(0, 20)) {
      const name = text.replaceAll('/', '_').replaceAll('\u0000', '');
      factory.write(`names/${name}.txt`, 'x\n');
    }
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message=Names');
    const { dog } = await factory.run(aContract({ 'limits.max_review_cycles': 1 }));
    for (const text of [dog.output(), factory.paper('ERIK_HALT.md') ?? '', (await factory.andon('status')).stdout])
      expect(FORBIDDEN.exec(text)?.[0]).toBeUndefined();
  });
});
