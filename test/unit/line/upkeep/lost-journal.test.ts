import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findUnknownLock } from '../../../../src/line/upkeep/lost-journal.ts';
import { createHandoff } from '../../../../src/project/handoff/create-handoff.ts';
import { aContract } from '../../../support/contract.ts';
import { aFolder } from '../../../integration/sandbox/processes/a-runner.ts';

describe('a lock in _handoff/', () => {
  const says = (text: string | undefined, known?: readonly string[]): string | undefined => {
    const root = aFolder();
    mkdirSync(join(root, '_handoff'));
    if (text !== undefined) writeFileSync(join(root, '_handoff/TASK_CONTRACT.json.lock'), text);
    return findUnknownLock(createHandoff(root), known === undefined ? undefined : { taskIds: () => known });
  };
  const lock = JSON.stringify(aContract({ task_id: 'OLD-1', status: 'erik_consultation' }));

  it.each([[undefined], [[]], [['DOC-001']]])('is named as halted where the journal has only the tasks %j', (known) => {
    expect(says(lock, known)).toContain('says that OLD-1 is halted, but the journal does not know it');
  });

  it('is no news where the journal has its task, where it is no contract, and where there is none', () => {
    expect([says(lock, ['OLD-1']), says('{"task_id":"OLD-1"}'), says(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
