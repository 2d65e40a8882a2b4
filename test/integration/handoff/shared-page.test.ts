import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handoffFolder } from '../../../src/adapters/handoff/folder.ts';
import { openJournal } from '../../../src/adapters/journal/sqlite.ts';
import { atThePlace } from '../../../src/daemon/documents/papers-of.ts';
import type { Services } from '../../../src/wiring/services.ts';
import { AT, aHalt, admitted, moved } from '../../support/records.ts';

const HALT = aHalt();
/** The page as it is about the parked task. */
const page = (box: string): string =>
  `---\ntask: "DOC-001"\nhalt: "${HALT.id}"\n---\n\n- [${box}] Take path 1\n\n- [ ] Take path 2\n`;

/** A folder in which the shared page is about a task that is parked, as the task in the place sees it. */
function aFolder(text: string) {
  const root = mkdtempSync(join(tmpdir(), 'page-'));
  const journal = openJournal(join(root, 'journal.sqlite'));
  onTestFinished(() => {
    journal.close();
    rmSync(root, { recursive: true, force: true });
  });
  journal.append('DOC-001', [
    admitted(),
    moved('halt', 'pending_implementer', 'erik_consultation', { halt: HALT }),
    { kind: 'parked', at: AT, halt: HALT.id },
  ]);
  mkdirSync(join(root, '_handoff/tasks/DOC-001'), { recursive: true });
  const at = (name: string): string => join(root, '_handoff', name);
  writeFileSync(at('tasks/DOC-001/ERIK_HALT.md'), page(' '));
  writeFileSync(at('ERIK_HALT.md'), text);
  const services = atThePlace({ handoff: handoffFolder(root), journal } as Services);
  return { handoff: services.handoff, paper: (name: string): string => readFileSync(at(name), 'utf8') };
}

describe('the page that all halts share', () => {
  it('gives a tick that nobody has looked at yet to its task, when another halt is written over it', () => {
    const { handoff, paper } = aFolder(page('x'));
    expect(handoff.write('ERIK_HALT.md', 'another halt\n')).toBe(true);
    expect(paper('ERIK_HALT.md')).toBe('another halt\n');
    expect(paper('tasks/DOC-001/ERIK_HALT.md')).toBe(page('x'));
  });

  it('without a tick changes nothing of the report of its task', () => {
    const { handoff, paper } = aFolder(`${page(' ')}\n## One more halt stands\n`);
    expect(handoff.write('ERIK_HALT.md', 'another halt\n')).toBe(true);
    expect(paper('tasks/DOC-001/ERIK_HALT.md')).toBe(page(' '));
  });
});
