import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';

const KEEP_WATCHING = 'andon night --stop --keep-watching';

test('a night stopped in one repository is named by every command in another one that was watched before', async () => {
  const first = await aFactory();
  const { dog } = await first.run(aContract({ 'constraints.max_diff_size': 3 }));
  const second = await aFactory({ repoName: 'Project-B' });
  second.env['XDG_STATE_HOME'] = first.env['XDG_STATE_HOME'] ?? '';
  const night = second.startWarm(['night', '--until', new Date(Date.now() + 6 * 3_600_000).toISOString()], second.repo);
  await eventually(() => night.output().includes('Project-B (cage'), 'it watches');
  night.signal('SIGINT');
  expect((await night.ended).stdout).toContain(
    `${first.repo} is still watched: its andon begins nothing; \`${KEEP_WATCHING}\` lets it go on`,
  );

  const stopped = /the night was stopped at \S+; `andon night --stop --keep-watching` lets it go on/;
  const said = async (...args: string[]) => (await first.andon(...args)).stdout.replaceAll(/\s+/g, ' ');
  expect(await said('resume', 'DOC-001', '--path', '1')).toMatch(
    new RegExp(String.raw`DOC-001 goes on\. .*Nothing starts now: ${stopped.source}\.`),
  );
  const added = await said('new', '--id', 'DOC-002', '--allow', 'docs/', '--require', 'It is so', '--yes');
  expect(added).toMatch(new RegExp(`Nothing starts now: ${stopped.source}`));
  expect(await said('status')).toMatch(new RegExp(`${stopped.source} ${KEEP_WATCHING}`));
  expect(await said('queue')).toMatch(new RegExp(`nothing starts: ${stopped.source}`));
  expect(await said('digest')).toMatch(stopped);
  expect(JSON.parse((await first.andon('status', '--json')).stdout)).toMatchObject({
    blocked: expect.stringMatching(stopped) as string,
    needs_you: expect.arrayContaining([
      expect.objectContaining({ ways: [expect.objectContaining({ command: KEEP_WATCHING })] }),
    ]) as unknown,
  });

  expect((await second.andon('night', '--stop', '--keep-watching')).code).toBe(0);
  await dog.until(() => first.isMerged('DOC-001'));
  expect(await said('status')).not.toContain('the night was stopped');
});
