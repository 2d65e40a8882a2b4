import { describe, expect, it } from 'vitest';
import { formatRuleSource } from '../../../../src/project/config/rule-fault.ts';
import { readWaivers } from '../../../../src/rules/load/waiver-file.ts';

const good = { rule: 'R-1', reason: 'until the rewrite', owner: 'ann', expires: '2027-01-31' };
const yaml = (entry: Readonly<Record<string, unknown>>): string =>
  `waivers:\n  - ${Object.entries(entry)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n    ')}\n`;
const faultOf = (text: string): string =>
  readWaivers('w.yaml', text)
    .faults.map(({ source, path, message }) => `${formatRuleSource(source)} ${path}: ${message}`)
    .join('\n');

describe('a file of waivers', () => {
  it('gives its waivers, as a list or under `waivers`', () => {
    expect(readWaivers('w.yaml', yaml(good))).toEqual({ waivers: [good], faults: [] });
    expect(
      readWaivers(
        'w.yaml',
        `- { rule: R-1, reason: x, owner: ann, expires: 2027-01-31, path: 'docs/**', signed_by: Ann Lee }\n`,
      ).faults,
    ).toEqual([]);
    const timed = { ...good, expires: '2027-01-31T18:00:00+02:00' };
    expect(readWaivers('w.yaml', yaml(timed))).toEqual({ waivers: [timed], faults: [] });
    expect(readWaivers('w.yaml', '')).toEqual({ waivers: [], faults: [] });
  });

  it.each([
    ['no owner', { ...good, owner: undefined }, 'owner'],
    ['no expiry', { ...good, expires: undefined }, 'expires'],
    ['no reason', { ...good, reason: undefined }, 'reason'],
    ['an empty rule', { ...good, rule: '' }, 'rule'],
    ['a day that is none', { ...good, expires: 'someday' }, 'YYYY-MM-DD'],
    ['a day that does not exist', { ...good, expires: '2026-02-30' }, 'YYYY-MM-DD'],
    ['a time without a zone', { ...good, expires: '2027-01-31T18:00:00' }, 'YYYY-MM-DD'],
    ['a time that does not exist', { ...good, expires: '2027-01-31T25:00:00Z' }, 'YYYY-MM-DD'],
    ['a key that nobody knows', { ...good, expire: '2027-01-01' }, 'expire'],
    ['a path that leads out', { ...good, path: '../x' }, 'glob'],
  ])('with %s waives nothing and is a fault that names it', (_, entry, word) => {
    const written = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
    expect(readWaivers('w.yaml', yaml(written)).waivers).toEqual([]);
    expect(faultOf(yaml(written))).toContain(word);
  });

  it('names the line of a fault, and refuses what is no YAML', () => {
    expect(faultOf(yaml({ ...good, expires: 'never' }))).toContain('w.yaml:5 $.waivers[0].expires');
    expect(faultOf('waivers: [\n')).toContain('not valid YAML');
    expect(faultOf('just words')).toContain('found "just words"; expected a map of keys');
    expect(faultOf('other: 1')).toContain('$.waivers: found nothing; expected a list');
    expect(faultOf('waivers: soon')).toContain('$.waivers: found "soon"; expected a list');
  });
});
