import { describe, expect, it } from 'vitest';
import { STANDARD_MESSAGES } from '../../../../src/rule-model/message-settings.ts';
import { openTodo } from '../../../../src/rules/messages/open-todo.ts';
import { aRecord } from '../../../support/records.ts';

const record = aRecord();
const [requirement = ''] = record.contract.specification.requirements;
const said = (notes: string) => ({ kind: 'change', notes, edits: [] }) as const;

describe('an implementer whose notes', () => {
  it('say that a requirement is not done is asked for the rest, in the words of the layer', () => {
    const why = openTodo.check(said(`${requirement}: not done yet.`), record, { kept: 0 });
    expect(why).toContain(`[SYSTEM] Remaining: 1 items. Next: ${requirement}`);
  });

  it.each(['As asked.', '', `${requirement}: done.`, 'The cache is not shared between workers.'])(
    'say %j is heard',
    (notes) => {
      expect(openTodo.check(said(notes), record, { kept: 0 })).toBeUndefined();
    },
  );

  it('say so again and again is heard after two refusals, and always where nothing is tracked', () => {
    const message = said(`${requirement}: not done yet.`);
    const off = { ...STANDARD_MESSAGES, todoTracker: { enabled: false, reminderOnIncomplete: true } };
    expect(openTodo.check(message, { ...record, refusedAnswers: 2 }, { kept: 0 })).toBeUndefined();
    expect(openTodo.check(message, record, { kept: 0, settings: off })).toBeUndefined();
  });
});
