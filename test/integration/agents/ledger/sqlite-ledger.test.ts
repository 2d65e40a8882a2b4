import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeLedger, openLedger } from '../../../../src/agents/ledger/sqlite-ledger.ts';
import type { LedgerClaim, LedgerReserve, Sums } from '../../../../src/agents/ledger.ts';
import { Problem } from '../../../../src/base/problem.ts';
import { failure, success } from '../../../../src/base/outcome.ts';

const OWNER = { pid: 1, startTime: '1', boot: 'b' };
const DAY = { from: '2026-01-16T00:00:00.000Z', to: '2026-01-17T00:00:00.000Z' };
const NOT_KNOWN = { unknownUsd: 0, unknownTokens: 0 };

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'ledger.sqlite');
}

function aLedger(file = aFile()) {
  if (!existsSync(file)) makeLedger(file);
  const ledger = openLedger(file, OWNER);
  onTestFinished(() => {
    try {
      ledger.close();
    } catch {
      // the test closed it
    }
  });
  return ledger;
}

const claim = (changes: Partial<LedgerClaim> = {}): LedgerClaim => ({
  state: 'shop-1',
  task: 'DOC-001',
  call: 1,
  at: '2026-01-16T12:00:00.000Z',
  station: 'judge',
  account: 'claude',
  ...changes,
});
const always =
  (reserve: Partial<LedgerReserve> = {}) =>
  () =>
    success({ usd: 1, tokens: 1000, minutes: 60, ...reserve });

describe('what is set aside', () => {
  it('counts as used until it is settled, and then what it came to counts', () => {
    const ledger = aLedger();
    ledger.reserve(claim(), always());
    expect(ledger.sums(DAY)).toMatchObject({ calls: 1, usd: 1, tokens: 1000, open: { calls: 1, usd: 1 } });
    ledger.settle(claim(), { usd: 0.25, tokens: 300, minutes: 2, ...NOT_KNOWN });
    expect(ledger.sums(DAY)).toMatchObject({
      calls: 1,
      usd: 0.25,
      tokens: 300,
      minutes: 2,
      open: { calls: 0, usd: 0 },
    });
  });

  it('is there for whoever opens the ledger next, without a word of whoever set it aside', () => {
    const file = aFile();
    aLedger(file).reserve(claim(), always());
    expect(aLedger(file).sums(DAY)).toMatchObject({ usd: 1, open: { calls: 1 } });
    expect(aLedger(file).open('shop-1')).toEqual([{ ...claim(), owner: OWNER }]);
    expect(aLedger(file).open('other')).toEqual([]);
  });

  it('is settled once: whoever comes later with another figure changes nothing', () => {
    const ledger = aLedger();
    ledger.reserve(claim(), always());
    ledger.settle(claim(), { usd: 0.5, tokens: 1, minutes: 1, ...NOT_KNOWN });
    ledger.settle(claim(), { usd: 0, tokens: 0, minutes: 0, ...NOT_KNOWN });
    expect(ledger.sums(DAY).usd).toBe(0.5);
  });

  it('is gone when the call was never made', () => {
    const ledger = aLedger();
    ledger.reserve(claim(), always());
    ledger.release(claim());
    expect(ledger.sums(DAY).calls).toBe(0);
  });

  it('is nothing where the decision was no', () => {
    const ledger = aLedger();
    expect(ledger.reserve(claim(), () => failure('too dear'))).toEqual({ ok: false, why: 'too dear' });
    expect(ledger.sums(DAY).calls).toBe(0);
  });

  it('is told apart by the account and by when the call began', () => {
    const ledger = aLedger();
    ledger.reserve(claim(), always());
    ledger.reserve(claim({ account: 'ollama', call: 2 }), always({ usd: 0 }));
    ledger.reserve(claim({ call: 3, at: DAY.to }), always());
    expect(ledger.sums({ ...DAY, account: 'claude' })).toMatchObject({ calls: 1, usd: 1 });
    expect(ledger.sums(DAY)).toMatchObject({ calls: 2, usd: 1 });
  });

  it('without a known price or tokens is said to be unknown', () => {
    const ledger = aLedger();
    ledger.reserve(claim(), always({ usd: null, tokens: null }));
    expect(ledger.sums(DAY)).toMatchObject({ calls: 1, usd: 0, unknownUsd: 1, unknownTokens: 1 });
  });

  it('is never a sum that is too small: parts of a millionth count whole', () => {
    const ledger = aLedger();
    for (let call = 1; call <= 10; call += 1) {
      ledger.reserve(claim({ call }), always({ usd: 0.1 }));
      ledger.settle(claim({ call }), { usd: 0.1000001, tokens: 0, minutes: 0, ...NOT_KNOWN });
    }
    expect(ledger.sums(DAY).usd).toBe(1.00001);
  });
});

describe('two daemons at once', () => {
  it('never set aside the same dollar: whoever decides sees what the other has', () => {
    const file = aFile();
    const [one, two] = [aLedger(file), aLedger(file)];
    const left = (sums: (over: typeof DAY) => Sums) => {
      const rest = 10 - sums(DAY).usd;
      return rest < 0.01 ? failure('nothing left') : success({ usd: Math.min(rest, 4), tokens: null, minutes: 1 });
    };
    const reserved = [one, two, one, two].map((ledger, index) => ledger.reserve(claim({ call: index + 1 }), left));
    expect(reserved.map((one) => (one.ok ? one.value.usd : one.why))).toEqual([4, 4, 2, 'nothing left']);
  });
});

describe('a decision that fails', () => {
  it('sets nothing aside, and the ledger goes on', () => {
    const ledger = aLedger();
    expect(() =>
      ledger.reserve(claim(), () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    ledger.reserve(claim(), always());
    expect(ledger.sums(DAY).calls).toBe(1);
  });
});

function opened(ledger: ReturnType<typeof aLedger>) {
  const night = ledger.openNight({ from: DAY.from, until: DAY.to, usd: 10, tokens: null });
  if (night === undefined) throw new Error('no night was opened');
  return night;
}

describe('nights', () => {
  it('are known to whoever opens the ledger, until they are over or ended', () => {
    const file = aFile();
    const night = opened(aLedger(file));
    const other = aLedger(file);
    expect(other.nights(DAY.from)).toEqual([night]);
    expect(other.nights(DAY.to)).toEqual([]);
    other.endNight(night.id, '2026-01-16T03:00:00.000Z', 'stopped');
    expect(other.nights(DAY.from)).toEqual([{ ...night, ended: '2026-01-16T03:00:00.000Z', how: 'stopped' }]);
    expect(other.nights('2026-01-16T04:00:00.000Z')).toEqual([]);
  });

  it('are never two at once: of two processes that open one at the same moment only one does', () => {
    const file = aFile();
    const night = opened(aLedger(file));
    const other = aLedger(file);
    expect(
      other.openNight({ from: '2026-01-16T01:00:00.000Z', until: DAY.to, usd: null, tokens: null }),
    ).toBeUndefined();
    expect(other.nights(DAY.from)).toEqual([night]);
    other.endNight(night.id, '2026-01-16T03:00:00.000Z', 'stopped');
    expect(other.openNight({ from: '2026-01-16T04:00:00.000Z', until: DAY.to, usd: 3, tokens: null })).toBeDefined();
  });

  it('go on with one other process where their opener is gone, as long as they have not ended', () => {
    const file = aFile();
    const night = opened(aLedger(file));
    const heir = { pid: 2, startTime: '2', boot: 'b' };
    const other = openLedger(file, heir);
    onTestFinished(() => other.close());
    expect(other.takeNight(night)).toBe(true);
    expect(aLedger(file).takeNight(night)).toBe(false);
    expect(other.nights(DAY.from)).toEqual([{ ...night, owner: heir }]);
    other.endNight(night.id, '2026-01-16T03:00:00.000Z', 'stopped');
    expect(aLedger(file).takeNight({ ...night, owner: heir })).toBe(false);
  });
});

describe('a ledger that is damaged', () => {
  it('is a Problem that says what to do, and nothing is counted from it', () => {
    const file = aFile();
    writeFileSync(
      file,
      'this is no database, but it is long enough to be looked at as one by whoever opens it'.repeat(20),
    );
    expect(() => openLedger(file, OWNER)).toThrow(Problem);
    expect(() => openLedger(file, OWNER, { readOnly: true }).sums(DAY)).toThrow(/ledger .* cannot be read/);
  });

  /** A ledger of many calls, closed, and the sums of it. */
  const aFullOne = () => {
    const file = aFile();
    const ledger = aLedger(file);
    for (let call = 1; call <= 300; call += 1) ledger.reserve(claim({ call }), always({ usd: 0.01 }));
    const sums = ledger.sums(DAY);
    ledger.close();
    return { file, sums };
  };
  const sumsOf = (file: string) => {
    const ledger = openLedger(file, OWNER);
    try {
      return ledger.sums(DAY);
    } finally {
      ledger.close();
    }
  };

  it('is never read as one in which less was used: cut off anywhere, or with a page of zeros', () => {
    const { file, sums } = aFullOne();
    const whole = readFileSync(file);
    const page = whole.readUInt16BE(16);
    const torn = join(file, '../torn.sqlite');
    for (let at = 0; at * page < whole.length; at += 1) {
      copyFileSync(file, torn);
      truncateSync(torn, Math.max(1, at * page));
      expect(() => sumsOf(torn), `cut off after ${at} pages`).toThrow(Problem);
      const zeroed = Buffer.from(whole);
      zeroed.fill(0, at * page, (at + 1) * page);
      writeFileSync(torn, zeroed);
      let read;
      try {
        read = sumsOf(torn);
      } catch (error) {
        expect(error, `page ${at} is gone`).toBeInstanceOf(Problem);
      }
      // A page that is not looked at for these sums may be gone.
      if (read !== undefined) expect(read, `page ${at} is gone`).toEqual(sums);
    }
  });

  it('is no ledger that is not there: nobody makes one by opening it', () => {
    const file = aFile();
    expect(() => openLedger(file, OWNER)).toThrow('unable to open');
    expect(existsSync(file)).toBe(false);
  });

  it('that was emptied is a Problem too: nothing is begun anew without a word', () => {
    const { file } = aFullOne();
    truncateSync(file, 0);
    expect(() => sumsOf(file)).toThrow(/ledger .* cannot be read: it is empty/);
  });
});
