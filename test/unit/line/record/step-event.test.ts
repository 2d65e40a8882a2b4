import { expect, it } from 'vitest';
import { classifyEvent, type StepEvent } from '../../../../src/line/record/step-event.ts';
import { readEntry } from '../../../../src/line/record/read-entry.ts';
import { moved } from '../../../support/records.ts';

it.each(['implemented', 'constructor', '__proto__', ''])(
  'keeps a name of another version, "%s", without a class',
  (name) => {
    const row = { ...moved('fault', 'pending_implementer', 'pending_implementer'), event: name };
    expect(readEntry(1, JSON.stringify(row))).toEqual(row);
    expect(classifyEvent(name as StepEvent)).toEqual({});
  },
);
