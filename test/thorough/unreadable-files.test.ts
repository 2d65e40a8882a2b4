/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Factory } from '../support/factory.ts';
import { forbids, ruleFile } from '../support/rule-files.ts';
import { EVIL, asked, ruled, type Report } from '../support/ruled.ts';

const TOKEN = ['ghp', 'x9Kd83mQpL2vRt7YbNc4WzAe6SfHu1Jg0TqB'].join('_');
const SECRETS = { title: 'No secrets', severity: 'CRITICAL', match: undefined, checks: [{ type: 'secrets' }] };
const RULES = ruleFile(forbids('dynamic-code', 'eval'), forbids('no-secrets', 'x', SECRETS));

const places = ({ findings }: Report): readonly string[] =>
  findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`);

/** Bytes as compressed pictures have them, the same each time. */
function noise(length: number): Buffer {
  let state = 7;
  const bytes = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.from(bytes)]);
}

async function staged(files: Readonly<Record<string, Buffer>>, before: Readonly<Record<string, string>> = {}) {
  const factory = await ruled({ files: before }, 'strict', RULES);
  put(factory, files);
  factory.git('add', '--all');
  return factory;
}

function put({ repo, write }: Factory, files: Readonly<Record<string, Buffer>>): void {
  for (const [path, bytes] of Object.entries(files)) {
    write(path, '');
    writeFileSync(join(repo, path), bytes);
  }
}

describe('a file that is no plain text', () => {
  test.each([
    ['has a zero byte', Buffer.from(`ok();\n// \0\n${EVIL}const t = '${TOKEN}';\n`), [3, 4]],
    ['is UTF-16', Buffer.from(`\ufeffok();\n${EVIL}const t = '${TOKEN}';\n`, 'utf16le'), [2, 3]],
    ['is UTF-16 without a mark', Buffer.from(`ok();\n${EVIL}const t = '${TOKEN}';\n`, 'utf16le'), [2, 3]],
  ])('is looked at line by line when it %s', async (_, bytes, [first, second]) => {
    const factory = await staged({ 'src/a.ts': bytes }, { 'src/a.ts': 'ok();\n' });
    const wanted = [`dynamic-code src/a.ts:${first}`, `no-secrets src/a.ts:${second}`];
    const report = await asked(factory, 'check', '--staged');
    expect(places(report)).toEqual(wanted);
    expect(report.exit).toBe(1);
    expect(places(await asked(factory, 'check', '--file', 'src/a.ts'))).toEqual(wanted);
    factory.git('checkout', '--quiet', '-b', 'feature');
    factory.git('commit', '--quiet', '--message=A change');
    expect(places(await asked(factory, 'ci'))).toEqual(wanted);
  });

  test('is looked at by its new lines only when a part of it was there before', async () => {
    const factory = await staged({ 'src/a.ts': Buffer.from(`\0\n${EVIL}`) });
    factory.git('commit', '--quiet', '--message=Before');
    put(factory, { 'src/a.ts': Buffer.from(`\0\n${EVIL}fine();\n`) });
    factory.git('add', '--all');
    expect(await asked(factory, 'check', '--staged')).toMatchObject({ exit: 0, findings: [] });
  });

  test('is looked at as strings when it is a picture or a program, and passes when nothing is in it', async () => {
    const factory = await staged({ 'logo.png': noise(300_000) });
    const clean = await asked(factory, 'check', '--staged');
    expect(clean).toMatchObject({ exit: 0, findings: [] });
    expect(clean.warnings.join('\n')).toContain('checked as strings, being binary: logo.png');
    const secret = Buffer.concat([noise(90_000), Buffer.from(`\0${TOKEN}\0`), noise(90_000)]);
    put(factory, { 'logo.png': secret });
    factory.git('add', '--all');
    expect(places(await asked(factory, 'check', '--staged'))).toEqual([
      expect.stringMatching(/^no-secrets logo\.png:/),
    ]);
    expect(await asked(factory, 'check', '--file', 'logo.png')).toMatchObject({ exit: 1 });
  });

  test('cannot be checked when it comes as a patch without its bytes', async () => {
    const factory = await ruled({}, 'strict', RULES);
    const rows = ['diff --git a/a.ts b/a.ts', 'index 1..2 100644', 'Binary files a/a.ts and b/a.ts differ', ''];
    writeFileSync(join(factory.folder, 'x.patch'), rows.join('\n'));
    const ended = await factory.andon('check', '--diff', '../x.patch');
    expect(ended.code).toBe(2);
    expect(ended.stdout).toContain('a.ts (binary, which a patch does not show)');
  });

  test('is named and never read when it is too large, and does no harm to rules about other files', async () => {
    const factory = await staged({ 'big.ts': Buffer.alloc(6_000_000, 'x\n'), 'src/a.ts': Buffer.from(EVIL) });
    const report = await asked(factory, 'check', '--staged');
    expect(report.exit).toBe(2);
    expect(JSON.stringify(report)).toContain('big.ts (larger than 5 MB)');
    expect(places(report)).toContain('dynamic-code src/a.ts:1');
    factory.git('commit', '--quiet', '--no-verify', '--message=Large');
    factory.git('rm', '--quiet', 'big.ts');
    expect(await asked(factory, 'check', '--staged')).toMatchObject({ exit: 0, findings: [] });
    factory.write('big.ts', EVIL);
    factory.git('add', '--all');
    expect(places(await asked(factory, 'check', '--staged'))).toEqual(['dynamic-code big.ts:1']);
  });

  test('is refused within seconds when a change is beyond all measure', async () => {
    const part = Buffer.alloc(4_900_000, 'some words of a line\n');
    const names = Array.from({ length: 8 }, (_, at) => [`data/${at}.txt`, Buffer.concat([part, Buffer.from(`${at}`)])]);
    const factory = await staged(Object.fromEntries(names) as Record<string, Buffer>);
    const ended = await factory.andon('check', '--staged');
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('the change holds 40 MB') });
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: factory.repo }).toString()).toContain('A  data/0.txt');
  });

  test.runIf(process.platform === 'linux')('is not called too large when its name is what cannot be read', async () => {
    const factory = await staged({ 'src/a.ts': Buffer.from('ok();\n') });
    writeFileSync(Buffer.from(`${factory.repo}/caf\xe9.ts`, 'latin1'), 'ok();\n');
    factory.git('add', '--all');
    const report = await asked(factory, 'check', '--staged');
    expect(report.exit).toBe(2);
    expect(report.warnings.join()).toContain('its name is not UTF-8');
    expect(report.warnings.join()).not.toContain('larger than');
  });

  test('is named when it is a submodule, and counts once when it becomes a link', async () => {
    const factory = await staged({}, { 'was.ts': 'ok();\n', 'to.ts': 'ok();\n' });
    factory.git('rm', '--quiet', 'was.ts');
    symlinkSync('to.ts', join(factory.repo, 'was.ts'));
    const head = factory.git('rev-parse', 'HEAD').trim();
    factory.git('add', 'was.ts');
    factory.git('update-index', '--add', '--cacheinfo', `160000,${head},parts`);
    const report = await asked(factory, 'check', '--staged');
    expect(report.subject).toContain('2 files');
    expect(report.warnings.join()).toContain('none of its files: parts');
  });
});
