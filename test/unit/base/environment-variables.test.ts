import { describe, expect, it } from 'vitest';
import { FOLDER_VARIABLES, resolveBaseFolder, cleanEnvironment } from '../../../src/base/environment-variables.ts';
import { Problem } from '../../../src/base/problem.ts';

const HOME = (): string => '/home/erik';
const CLEAN = { HOME: '/home/erik', PATH: '/usr/bin:/bin' };

describe('the environment', () => {
  it.each(FOLDER_VARIABLES)('is refused where %s is relative, with the variable and its value', (name) => {
    for (const value of ['.', './state', 'state', '~/state', ' /state'])
      expect(() => cleanEnvironment({ ...CLEAN, [name]: value }, HOME)).toThrow(
        expect.objectContaining({
          message: `${name} is ${JSON.stringify(value)}, which is not an absolute path`,
          exitCode: 2,
        }) as Problem,
      );
  });

  it.each(FOLDER_VARIABLES.filter((name) => name !== 'HOME'))('reads an empty %s as one that is not set', (name) => {
    expect(cleanEnvironment({ ...CLEAN, [name]: '' }, HOME)).toEqual(CLEAN);
    expect(resolveBaseFolder({ [name]: '' }, name, () => '/usual')).toBe('/usual');
  });

  it.each([undefined, ''])('takes the home folder of the account where HOME is %j', (value) => {
    expect(cleanEnvironment({ ...CLEAN, HOME: value }, HOME)).toEqual(CLEAN);
  });

  it('keeps absolute folders and everything else as they are', () => {
    const env = { ...CLEAN, XDG_STATE_HOME: '/var/state', TMPDIR: '/tmp/x', LANG: 'C', EMPTY: '' };
    expect(cleanEnvironment(env, HOME)).toEqual(env);
  });

  it.each([
    [':/usr/bin:/bin', '/usr/bin:/bin'],
    ['/usr/bin::/bin', '/usr/bin:/bin'],
    ['/usr/bin:/bin:', '/usr/bin:/bin'],
    ['.:/usr/bin', '/usr/bin'],
    ['./node_modules/.bin:node_modules/.bin:../bin:/usr/bin', '/usr/bin'],
    ['~/bin:/usr/bin', '/usr/bin'],
    ['.', '/usr/local/bin:/usr/bin:/bin'],
    ['', '/usr/local/bin:/usr/bin:/bin'],
    [undefined, '/usr/local/bin:/usr/bin:/bin'],
  ])('makes of the PATH %j one of absolute folders', (path, cleaned) => {
    expect(cleanEnvironment({ HOME: '/home/erik', PATH: path }, HOME)['PATH']).toBe(cleaned);
    expect(cleanEnvironment({ ...CLEAN, ANDON_PATH: path }, HOME)['ANDON_PATH']).toBe(
      cleaned.includes('/local/') ? undefined : cleaned,
    );
  });
});
