import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../src/line/record/facts.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { selectFiles } from '../../../../src/line/stations/files-in-question.ts';
import { computeRework } from '../../../../src/line/stations/rework.ts';
import { BASE, aChange, aContract, aFinding, aRecord, aReport, admitted, moved } from '../../../support/records.ts';

const partial: NonNullable<Facts['partial']> = {
  head: BASE,
  kept: [],
  failed: [{ path: 'docs/guide.md', search: 'a\n', replace: 'b\n', why: 'not there' }],
};
const refused = (facts: Facts = {}) =>
  moved('answer_refused', 'pending_implementer', 'pending_implementer', {
    strike: { station: 'implementer', kind: 'refused', why: 'no' },
    ...facts,
  });
const struck = (kind: 'crash' | 'stall' | 'too-long') =>
  moved('strike', 'pending_implementer', 'pending_implementer', {
    strike: { station: 'implementer', kind, why: 'it broke' },
  });
const answered = moved('resume', 'erik_consultation', 'pending_implementer', {
  choice: {
    halt: 'H-1',
    path: 1,
    by: 'me',
    how: 'cli',
    effect: { to: 'pending_implementer', paths: ['docs/auth.md'] },
  },
});
const fold = (...entries: Parameters<typeof foldJournal>[0]) => {
  const record = foldJournal([admitted(), ...entries]);
  if (record === undefined) throw new Error('an admission opens a record');
  return record;
};

describe('what was taken of an answer', () => {
  it('is in the record, survives a crash of the agent, and is gone with the next change', () => {
    expect(fold(refused({ partial })).partial).toEqual(partial);
    expect(fold(refused({ partial }), struck('crash')).partial).toEqual(partial);
    const change = moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange() });
    expect(fold(refused({ partial }), change).partial).toBeUndefined();
    expect(fold(refused({ partial }), refused()).partial).toBeUndefined();
  });

  it('counts as one refused answer', () => {
    expect(fold(refused({ partial }), refused({ partial })).refusedAnswers).toBe(2);
  });
});

describe('the next try', () => {
  it('is the first one, unless something failed', () => {
    expect(computeRework(fold(), BASE)).toEqual({
      neighbours: true,
      onlyTarget: false,
      share: 1,
      partial: undefined,
      givenUp: undefined,
      words: undefined,
    });
  });

  it('asks for the whole change once corrections of blocks were refused in vain', () => {
    const answers = (count: number) => Array.from({ length: count }, () => refused({ partial }));
    expect(computeRework(fold(...answers(2)), BASE).partial).toEqual(partial);
    expect(computeRework(fold(...answers(3)), BASE)).toMatchObject({
      partial: undefined,
      givenUp: partial,
      words: 'without related files, because the last answer was refused',
    });
  });

  it('does without neighbours after a strike, and with the target alone after the second', () => {
    expect(computeRework(fold(struck('stall')), BASE)).toMatchObject({
      neighbours: false,
      onlyTarget: false,
      share: 1,
    });
    expect(computeRework(fold(struck('stall'), struck('stall')), BASE)).toMatchObject({ onlyTarget: true });
  });

  it('shows as much as before after a crash, which is not about the length', () => {
    expect(computeRework(fold(struck('crash'), struck('crash'), struck('crash')), BASE)).toEqual(
      computeRework(fold(), BASE),
    );
  });

  it('shows everything again after the answer of a person, in the share of the window that was enough', () => {
    const stuck = [struck('stall'), struck('too-long'), refused()];
    expect(computeRework(fold(...stuck), BASE)).toMatchObject({ neighbours: false, onlyTarget: true });
    const { share, ...shown } = computeRework(fold(...stuck, answered), BASE);
    expect({ ...shown, share: 1 }).toEqual(computeRework(fold(), BASE));
    expect(share).toBe(0.5);
    expect(computeRework(fold(...stuck, answered, refused()), BASE).neighbours).toBe(false);
  });

  it('uses half of the window after each prompt that was too long', () => {
    expect(computeRework(fold(struck('too-long')), BASE)).toMatchObject({ onlyTarget: true, share: 0.5 });
    expect(computeRework(fold(struck('too-long'), struck('too-long')), BASE).share).toBe(0.25);
  });

  it('does without neighbours after a refused answer', () => {
    const { neighbours, words } = computeRework(fold(refused()), BASE);
    expect({ neighbours, words }).toEqual({
      neighbours: false,
      words: 'without related files, because the last answer was refused',
    });
  });

  it('knows what was taken only on the commit it was written for', () => {
    expect(computeRework(fold(refused({ partial })), BASE).partial).toEqual(partial);
    expect(computeRework(fold(refused({ partial })), 'f'.repeat(40)).partial).toBeUndefined();
  });
});

describe('files in question', () => {
  const tracked = new Set([
    'docs/auth.md',
    'docs/guide.md',
    'docs/secret/key.md',
    'src/a.ts',
    'check/hidden.sh',
    ...Array.from({ length: 9 }, (_, at) => `docs/part_${at}.md`),
  ]);
  const first = computeRework(fold(), BASE);

  it('are the target, what findings and the contract name; the rest of a large scope are neighbours', () => {
    const report = aReport({ blocking: [aFinding({ file: 'docs/part_3.md' })] });
    const { targets, others, isNeighbour } = selectFiles(aRecord({ report }), first, tracked);
    expect(targets).toEqual(['docs/guide.md', 'docs/part_3.md']);
    expect(others).toEqual(['docs/auth.md']);
    expect(['docs/part_1.md', 'src/a.ts', 'docs/auth.md'].map(isNeighbour)).toEqual([true, true, false]);
  });

  it('are in a large scope without a target what blocks were corrected for in vain, else neighbours', () => {
    const contract = aContract();
    const bare = { ...contract, specification: { ...contract.specification, targetFile: undefined, sourceFiles: [] } };
    const record = (count: number) => ({
      ...aRecord({ contract: bare }),
      partial,
      refusedAnswers: count,
    });
    const select = (one: ReturnType<typeof record>) => selectFiles(one, computeRework(one, BASE), tracked);
    expect(select(record(3)).targets).toEqual(['docs/guide.md']);
    const { targets, others, isNeighbour } = select({ ...record(3), partial: { ...partial, head: 'f'.repeat(40) } });
    expect([targets, others, isNeighbour('docs/part_1.md')]).toEqual([[], [], true]);
  });

  it('are without the target alone still the files of the change, and those that red gates name', () => {
    const record = aRecord({ change: aChange(), feedback: [{ from: 'gates', text: 'at it (/tmp/x1/src/a.ts:3:1)' }] });
    const stuck = { ...record, strikes: fold(struck('stall'), struck('stall')).strikes };
    const changed = aChange().files.map(({ path }) => path);
    const { targets, others, dropped } = selectFiles(stuck, computeRework(stuck, BASE), tracked);
    expect([...targets, ...others]).toEqual([...new Set(['docs/guide.md', ...changed, 'src/a.ts'])]);
    expect(dropped).toEqual(['docs/auth.md'].filter((path) => !changed.includes(path)));
  });

  it('are aimed at by findings and people, and not by a permission to change a file', () => {
    const record = fold(answered);
    expect(selectFiles(record, first, tracked).targets).toEqual(['docs/guide.md']);
    const said = { ...record, words: [{ by: 'me', at: '', text: 'a.ts is the file, not part_1.md' }] };
    expect(selectFiles(said, first, tracked).targets).toEqual(['docs/guide.md', 'src/a.ts']);
    const secret = { ...record, words: [{ by: 'me', at: '', text: 'see docs/secret/key.md' }] };
    expect(selectFiles(secret, first, tracked).targets).toEqual(['docs/guide.md']);
  });

  it('are all of a repository whose texts fit one prompt, code first, where no target is named', () => {
    const contract = aContract();
    const open = {
      ...contract,
      specification: { ...contract.specification, targetFile: undefined, sourceFiles: [] },
      constraints: { ...contract.constraints, allowedPaths: ['**'], forbiddenPaths: [] },
    };
    const notes = Array.from({ length: 12 }, (_, at) => `notes_${at}.md`);
    const repository = new Set(['README.md', 'index.js', 'package-lock.json', ...notes, 'test.js']);
    const bytesOf = (path: string): number => (path === 'package-lock.json' ? 115_000 : 2000);
    const select = (bytes: typeof bytesOf) =>
      selectFiles(aRecord({ contract: open }), first, repository, undefined, bytes).others;
    expect(select(bytesOf)).toEqual(['index.js', 'test.js', 'README.md', ...notes]);
    expect(select((path) => bytesOf(path) * 9)).toEqual([]);
  });

  it('are all files of a small scope', () => {
    const few = new Set(['docs/auth.md', 'docs/guide.md', 'docs/more.md', 'src/a.ts']);
    expect(selectFiles(aRecord(), first, few).others).toEqual(['docs/auth.md', 'docs/more.md']);
  });

  it('are never those that are forbidden, or run by a gate that is held back', () => {
    const gates = [{ name: 'hidden', run: 'sh check/hidden.sh', timeoutMinutes: 1, mustFailBefore: false }];
    const contract = { ...aContract(), holdout: { gates, criteria: [] } };
    const { others, isNeighbour } = selectFiles(aRecord({ contract }), first, tracked);
    for (const path of ['docs/secret/key.md', 'check/hidden.sh'])
      expect([others.includes(path), isNeighbour(path)]).toEqual([false, false]);
  });

  it('are only the files of the blocks that are asked again', () => {
    const record = fold(refused({ partial }));
    const { targets, others, dropped, isNeighbour } = selectFiles(record, computeRework(record, BASE), tracked);
    expect({ targets, others, dropped, neighbours: [...tracked].filter(isNeighbour) }).toEqual({
      targets: ['docs/guide.md'],
      others: [],
      dropped: ['docs/auth.md'],
      neighbours: [],
    });
  });
});
