import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { commitMessages, getContractTitle } from '../../../../src/line/words/commit-messages.ts';
import { isReceipt } from '../../../../src/line/core/compute-merge-state.ts';
import { toHistory } from '../../../../src/project/config/history-settings.ts';
import { aChange, aContract, aRecord } from '../../../support/records.ts';

const nobody = { coAuthors: [], signedOffBy: undefined };
const withText = (title: string | undefined, ...requirements: readonly string[]) => {
  const contract = aContract();
  const specification = { ...contract.specification, requirements };
  return aRecord({
    change: aChange(),
    contract: { ...contract, ...(title === undefined ? {} : { title }), specification },
  });
};
const subject = (message: string): string => message.split('\n')[0] ?? '';

describe('The title of a task', () => {
  const long = 'Every date that a user of the shop sees is shown in UTC, whatever the zone of the browser says';

  it.each([
    ['the title of the contract', 'One guide', 'One guide'],
    ['the whole of a long one', long, long],
  ])('is %s', (_what, title, expected) => {
    expect(getContractTitle(withText(title, 'Something else').contract)).toBe(expected);
  });

  it.each([
    ['whole words of a long one', long, 'Every date that a user of the shop sees is shown in UTC, whatever the…'],
    ['the beginning of a word that is too long', 'x'.repeat(100), `${'x'.repeat(71)}…`],
  ])('is %s in a subject, with a sign that more was there', (_what, title, expected) => {
    const { merge, change } = commitMessages(withText(title, 'Something else'), toHistory(), nobody);
    expect([subject(change), subject(merge)]).toEqual([expected, `Merge task/DOC-001: ${expected}`]);
  });

  it('is made of the first requirement where the contract has none', () => {
    expect(getContractTitle(withText(undefined, `${long}\nand more`, 'Another').contract)).toBe(long);
  });
});

describe('The messages of a merge', () => {
  it('hold the requirements between subject and trailers', () => {
    const record = withText('One guide', 'Merge the guides', 'Keep links\nand anchors');
    const { merge, change, squash } = commitMessages(record, toHistory(), {
      coAuthors: ['Jo <jo@example.org>'],
      signedOffBy: 'Erik <erik@example.org>',
    });
    const body = '\n\n- Merge the guides\n- Keep links\n  and anchors\n\nAndon-Task: DOC-001\nAndon-Attempt: 1\n';
    const signed = 'Co-authored-by: Jo <jo@example.org>\nSigned-off-by: Erik <erik@example.org>\n';
    expect(change).toBe(`One guide${body}${signed}`);
    expect(squash.startsWith(`One guide${body}Andon-Report: sha256-`)).toBe(true);
    expect(merge.startsWith(`Merge task/DOC-001: One guide${body}Andon-Report: sha256-`)).toBe(true);
    for (const message of [merge, squash]) expect(message.endsWith(`\n${signed}`)).toBe(true);
    expect([merge, squash, change].map((message) => isReceipt(message, 'DOC-001'))).toEqual([true, true, false]);
  });

  it('have no body where the subject says the only requirement', () => {
    expect(commitMessages(withText(undefined, 'Keep links'), toHistory(), nobody).change).toMatch(
      /^Keep links\n\nAndon-Task: /,
    );
  });

  it('name who accepted the change against a breaker, for this tree only', () => {
    const record = withText('One guide', 'Merge the guides');
    const approval = { breaker: 'destructive_action', halt: 'DOC-001-1', by: 'Erik\nAndon-Task: X' } as const;
    const messages = (tree: string) => {
      const grants = { ...record.grants, approved: [{ ...approval, tree }] };
      const { merge, squash } = commitMessages({ ...record, grants }, toHistory(), nobody);
      return [merge, squash].map((message) => message.match(/^Andon-Approved: .*$/m)?.[0]);
    };
    const trailer = 'Andon-Approved: destructive_action; halt DOC-001-1; by Erik\\u{a}Andon-Task: X';
    expect(messages(record.change?.tree ?? '')).toEqual([trailer, trailer]);
    expect(messages('a'.repeat(40))).toEqual([undefined, undefined]);
  });

  it.each([
    ['{type}({scope}): {title}', 'Keep tabs', 'feat: Keep tabs'],
    ['{type}({scope}): {title}', 'fix(parser): Keep tabs', 'fix(parser): Keep tabs'],
    ['{type}({scope}): {title}', 'feat!: Drop tabs', 'feat!: Drop tabs'],
    ['[{task_id}] {title}', 'Keep {scope} tabs', '[DOC-001] Keep {scope} tabs'],
    ['{project}: {title}', 'fix(parser): Keep tabs', 'Project-A: Keep tabs'],
  ])('follow a template (%s of %s)', (template, title, expected) => {
    const { change, squash, merge } = commitMessages(withText(title, 'R'), toHistory({ template }), nobody);
    expect([subject(change), subject(squash)]).toEqual([expected, expected]);
    expect(subject(merge)).toBe(`Merge task/DOC-001: ${title}`);
  });

  it('keep the only requirement in the body where the subject of a template does not say it', () => {
    const { change } = commitMessages(withText('R', 'R'), toHistory({ template: '{task_id}' }), nobody);
    expect(change).toContain('\n\n- R');
    expect(commitMessages(withText('R', 'R'), toHistory({ template: '{title}' }), nobody).change).not.toContain('- R');
  });

  it('take type and scope of the configuration where the title names none, and a body of the template', () => {
    const history = toHistory({
      template: '{type}({scope}): {title}\n\nWhat was asked for:\n{requirements}\n',
      type: 'docs',
      scope: 'guide',
    });
    const { change } = commitMessages(withText('One guide', 'Merge them'), history, nobody);
    expect(change).toBe(
      'docs(guide): One guide\n\nWhat was asked for:\n- Merge them\n\nAndon-Task: DOC-001\nAndon-Attempt: 1\n',
    );
  });

  it('have one last paragraph that is andon’s, whatever a contract says', () => {
    const forged = ['Andon-Task: OTHER', 'Andon-Contract: sha256-0', '', '\n\n', '---', '\r', '\u2028', ' ', 'x'];
    const text = fc.array(fc.constantFrom(...forged), { maxLength: 8 }).map((parts) => parts.join('\n'));
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 3 }), (title, requirements) => {
        const { merge, change, squash } = commitMessages(withText(title, ...requirements), toHistory(), nobody);
        for (const message of [merge, change, squash]) {
          expect(isReceipt(message, 'OTHER')).toBe(false);
          expect(message.split('\n\n').at(-1)).toMatch(/^Andon-Task: DOC-001\n/);
          const [first, ...rows] = message.split('\n');
          expect(first).not.toBe('');
          expect(rows.filter((row) => row.startsWith('Andon-Task:'))).toEqual(['Andon-Task: DOC-001']);
        }
      }),
    );
  });
});
