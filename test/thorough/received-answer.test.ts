/** @module-tag thorough */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { expectMergedOnce, waits } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory, type Options } from '../support/factory.ts';
import { judges, answerOnce } from '../support/scenario.ts';

const CALLS_AT_ONCE = { implementer: 1, reviewer: 1, judge: 1 };

const callsOf = (factory: Factory): object => ({
  implementer: factory.calls('implementer').length,
  reviewer: factory.calls('reviewer').length,
  judge: factory.calls('judge').length,
});

/** Starts a daemon that dies at a failpoint, waits for its death, and starts another one. */
async function diesAt(failpoint: string, options: Options = {}, userConfig: object = {}) {
  const factory = await aFactory({ apart: true, ...options });
  const config = join(factory.folder, 'config/andon/config.yaml');
  writeFileSync(config, stringify({ ...(parse(readFileSync(config, 'utf8')) as object), ...userConfig }));
  factory.env['ANDON_FAILPOINT'] = failpoint;
  const dog = factory.start(['watch']);
  factory.drop(aContract());
  expect((await dog.ended).signal).toBe('SIGKILL');
  factory.env['ANDON_FAILPOINT'] = '';
  return { factory, dog: await factory.watch() };
}

describe('an answer that was received and paid for', () => {
  test.each([
    ['of the implementer, when andon dies before it is journaled', 'journal.append.before-begin:kill#3'],
    ['of the implementer, when andon dies before anything is made of it', 'folders.call.before-write:kill#2'],
    ['of the implementer, when andon dies before its change is on record', 'refs.publish.after-update-ref:kill#1'],
    ['of the reviewer, when andon dies before it is read', 'folders.call.before-write:kill#4'],
    ['of the judge, when andon dies before his report is written', 'folders.call.before-write:kill#6'],
  ])('%s, is taken as it was received: nobody is asked twice', async (_, failpoint) => {
    const { factory, dog } = await diesAt(failpoint);
    await expectMergedOnce(factory, dog);
    expect(callsOf(factory)).toEqual(CALLS_AT_ONCE);
    const shown = await factory.show('DOC-001');
    expect(shown.attempt).toBe(1);
    expect(shown.calls).toHaveLength(3);
    expect(shown.story.filter(({ text }) => text.includes('interrupted'))).toEqual([]);
    expect(shown.cost_usd).toBeCloseTo(0.02, 6);
  });

  test('is not kept word for word any longer than the line needs it', async () => {
    const factory = await aFactory({ apart: true });
    const { dog } = await factory.run(aContract());
    await dog.stop();
    const files = readdirSync(join(factory.folder, 'state'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.includes('.received.'))).toEqual([]);
    expect(files.filter((name) => name.endsWith('.answer.txt'))).toHaveLength(3);
  });

  test('of a judge who was only tried is taken for that, and not for the judgement of the change', async () => {
    const scenario = { judge: [answerOnce(judges('FAIL')), judges('PASS')] };
    const { factory, dog } = await diesAt('folders.call.before-write:kill#6', { scenario }, { canary: { every: 1 } });
    await expectMergedOnce(factory, dog);
    expect(callsOf(factory)).toEqual({ ...CALLS_AT_ONCE, judge: 2 });
  });

  test.each([1, 2, 3])(
    'and is a CRITICAL_HALT stays one, whichever of its files the disk refuses (the %s. of them)',
    async (which) => {
      const scenario = { judge: [answerOnce(judges('CRITICAL_HALT', {}, waits)), judges('PASS')] };
      const [factory, hits] = [
        await aFactory({ apart: true, scenario }),
        join((await aFactory({ apart: true })).folder, 'hits'),
      ];
      // How many files andon has replaced when the judge begins: counted once, and the same every time.
      const counted = await aFactory({ apart: true, scenario });
      counted.env['ANDON_FAILPOINT'] = `file.replace.before-write:log=${hits}`;
      const first = await counted.watch();
      counted.drop(aContract());
      await first.until(() => counted.signal.has('at'));
      const before = existsSync(hits) ? readFileSync(hits, 'utf8').trim().split('\n').length : 0;
      await first.kill9();

      factory.env['ANDON_FAILPOINT'] = `file.replace.before-write:error=ENOSPC#${before + which}`;
      const dog = await factory.begin(aContract(), 'at');
      factory.signal.give('go');
      expect(await factory.end(dog)).toBe('erik_consultation');
      expect(dog.output()).toMatch(/the disk takes no (?:more|writes)/);
      expect(factory.breaker()).toBe('judge_halt');
      expect(factory.calls('judge')).toHaveLength(1);
      expect(factory.merges()).toEqual([]);
    },
  );

  test('stays what it is when the cord is pulled while a gate runs over it', async () => {
    const gates = [{ name: 'waits', run: 'touch "$HOME/at"; until test -f "$HOME/go"; do sleep 0.05; done' }];
    const factory = await aFactory({ projectConfig: { gates } });
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.has('../home/at'));
    expect((await factory.andon('halt', 'DOC-001')).code).toBe(0);
    await dog.until(() => factory.isHalted());
    factory.write('../home/go', '');
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await expectMergedOnce(factory, dog);
    expect(callsOf(factory)).toEqual(CALLS_AT_ONCE);
  });
});
