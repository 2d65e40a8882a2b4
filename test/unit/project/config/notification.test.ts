import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/project/config/read-settings.ts';
import {
  NOTIFICATION_EVENTS,
  selectChannels,
  toNotifications,
  type EventId,
} from '../../../../src/project/config/notification.ts';

const ALL = { desktop: true, command: ['hook'], webhook: { url: 'https://example.org', secret: 'long enough' } };
const at = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const told = (event: EventId, written: object, time = '12:00') =>
  selectChannels(event, toNotifications({ ...ALL, ...written }), at(time));

describe('the channels of an event', () => {
  it.each([
    ['halt', ['bell', 'title', 'desktop', 'push', 'command', 'webhook']],
    ['refused', ['bell', 'title', 'desktop', 'push', 'command', 'webhook']],
    ['broken', ['bell', 'title', 'desktop', 'push', 'command', 'webhook']],
    ['hold', ['title', 'desktop', 'command', 'webhook']],
    ['merged', ['title', 'desktop', 'command', 'webhook']],
    ['budget', ['title', 'desktop', 'command', 'webhook']],
    ['abandoned', ['title', 'command', 'webhook']],
  ] as const)('of %s are those its priority reaches', (event, channels) => {
    expect(told(event, {}).channels).toEqual(channels);
  });

  it.each([
    [
      'a channel that is switched off',
      { bell: false, title: false, desktop: false, push: false },
      'halt',
      ['command', 'webhook'],
    ],
    ['a bell for everything', { from: { bell: 'low' } }, 'abandoned', ['bell', 'title', 'command', 'webhook']],
    ['a webhook for what is urgent only', { from: { webhook: 'high' } }, 'merged', ['title', 'desktop', 'command']],
    [
      'no command, no webhook',
      { command: undefined, webhook: undefined },
      'halt',
      ['bell', 'title', 'desktop', 'push'],
    ],
    ['a desktop where there is one', { desktop: 'auto' }, 'merged', ['title', 'desktop', 'command', 'webhook']],
  ] as const)('follow %s', (_, written, event, channels) => {
    expect(told(event, written).channels).toEqual(channels);
  });

  it.each([
    ['22:00-07:00', '21:59', false],
    ['22:00-07:00', '22:00', true],
    ['22:00-07:00', '23:59', true],
    ['22:00-07:00', '00:00', true],
    ['22:00-07:00', '06:59', true],
    ['22:00-07:00', '07:00', false],
    ['22:00-07:00', '12:00', false],
    ['12:30-13:30', '12:29', false],
    ['12:30-13:30', '12:30', true],
    ['12:30-13:30', '13:29', true],
    ['12:30-13:30', '13:30', false],
    ['08:00-08:00', '08:00', false],
    ['00:00-23:59', '00:00', true],
    [undefined, '03:00', false],
  ])('with quiet hours %s at %s: quiet is %s, but for the silent title', (quiet_hours, time, isQuiet) => {
    const calm = told('merged', quiet_hours === undefined ? {} : { quiet_hours }, time);
    expect(calm.isQuiet).toBe(isQuiet);
    expect(calm.channels).toEqual(isQuiet ? ['title'] : ['title', 'desktop', 'command', 'webhook']);
  });

  it('of a halt get through quiet hours, unless that was switched off', () => {
    const night = { quiet_hours: '22:00-07:00' };
    expect(told('halt', night, '03:00')).toMatchObject({ isQuiet: false, channels: expect.arrayContaining(['bell']) });
    expect(told('halt', { ...night, quiet_allow_high: false }, '03:00')).toEqual({
      isQuiet: true,
      channels: ['title'],
    });
  });

  it('are known for every event', () => {
    for (const event of Object.keys(NOTIFICATION_EVENTS) as EventId[])
      expect(told(event, {}).channels).toContain('webhook');
  });
});

const read = (user: object, project: object = {}) =>
  readSettings(
    { name: '.andon/config.yaml', text: JSON.stringify(project) },
    { name: 'config.yaml', text: JSON.stringify(user) },
    '/project',
  );
const faults = (notifications: object): readonly string[] => {
  const settings = read({ notifications });
  return settings.ok ? [] : settings.why;
};

describe('notifications in a configuration', () => {
  it('of a repository are ignored, and it is told so', () => {
    const settings = read({}, { notifications: { command: ['sh', '-c', 'curl example.org'] } });
    expect(settings).toMatchObject({ ok: true, value: { notifications: toNotifications() } });
    expect(settings.ok && settings.value.notices).toEqual([
      expect.stringContaining('sets `notifications`, which a repository may not decide; it is ignored'),
    ]);
  });

  it('may be said for one project, which then stands in place of the general part', () => {
    const settings = read({
      notifications: { bell: false },
      projects: { '/project': { notifications: { title: false } } },
    });
    expect(settings).toMatchObject({ ok: true, value: { notifications: { bell: true, title: false } } });
  });

  it.each([
    ['https://example.org/hook'],
    ['http://127.0.0.1:8080/hook'],
    ['http://localhost/hook'],
    ['http://[::1]:9/hook'],
  ])('may name the address %s', (url) => {
    expect(faults({ webhook: { url, secret_env: 'HOOK_SECRET' } })).toEqual([]);
  });

  it.each([
    [
      'an address in the open',
      { webhook: { url: 'http://example.org', secret_env: 'S' } },
      'expected an https: address',
    ],
    ['a loopback look-alike', { webhook: { url: 'http://127.0.0.1.example.org', secret_env: 'S' } }, 'https:'],
    ['a file', { webhook: { url: 'file:///etc/passwd', secret_env: 'S' } }, 'expected an https: address'],
    ['no address', { webhook: { url: 'hook', secret_env: 'S' } }, 'expected an https: address'],
    ['a password in the address', { webhook: { url: 'https://a:b@example.org', secret_env: 'S' } }, 'without user'],
    ['no secret', { webhook: { url: 'https://example.org' } }, 'either `secret_env` or `secret`'],
    ['two secrets', { webhook: { url: 'https://example.org', secret: '12345678', secret_env: 'S' } }, 'either'],
    ['half a time', { quiet_hours: '22-7' }, 'expected two times such as 22:00-07:00'],
    ['a 25th hour', { quiet_hours: '22:00-25:00' }, 'expected two times'],
    ['a program beside the repository', { command: ['./hook'] }, 'expected a program on PATH, or its whole path'],
    ['a path into nowhere', { command: ['hooks/hook'] }, 'expected a program on PATH'],
    ['no program', { command: [] }, 'notifications.command'],
    ['an unknown priority', { from: { bell: 'loud' } }, 'notifications.from.bell'],
    ['an unknown key', { pager: true }, 'pager'],
  ])('cannot hold %s', (_, written, words) => {
    expect(faults(written).join('\n')).toContain(words);
  });
});
