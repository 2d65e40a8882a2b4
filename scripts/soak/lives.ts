import type { TaskRecord } from '../../src/line/record/task-record.ts';
import type { StationId } from '../../src/base/names.ts';

/** What a scripted agent does when it is called. */
export type Act = 'well' | 'crash' | 'nothing' | 'no change' | 'red' | 'object' | 'invent' | 'unproven' | 'away';

/** One way a task goes through the line: what its agents do, what a human answers, and how it must end. */
export interface Life {
  readonly ends: 'merged' | 'abandoned';
  /** The transitions in its journal, however often andon was stopped or killed on the way. */
  readonly transitions: number;
  readonly contract?: object;
  /** What an agent does, decided from the record alone, so that a restart changes nothing. */
  readonly act?: (station: StationId, record: TaskRecord) => Act;
  /** The path a human takes at the halt. */
  readonly path?: 1 | 2;
}

const happened = ({ history }: TaskRecord, event: string): number =>
  history.filter((step) => step.event === event).length;

/** The first line of a note that the gate turns down. */
export const RED = 'This note is red.';

/** Every scripted life by the first part of its tasks' ids. */
export const LIVES: Readonly<Record<string, Life>> = {
  PLAIN: { ends: 'merged', transitions: 5 },
  REWORK: {
    ends: 'merged',
    transitions: 10,
    act: (station, { rounds }) => (station === 'judge' && rounds.length === 0 ? 'object' : 'well'),
  },
  REBUT: {
    ends: 'merged',
    transitions: 11,
    act: (station, { rounds }) => (station === 'judge' && rounds.length < 2 ? 'invent' : 'well'),
  },
  UNREAD: {
    ends: 'merged',
    transitions: 11,
    act(station, record) {
      if (station === 'judge') return happened(record, 'report_unproven') < 2 ? 'unproven' : 'well';
      const event = station === 'implementer' ? 'strike' : 'review_unreadable';
      return happened(record, event) === 0 ? 'nothing' : 'well';
    },
  },
  TALK: {
    ends: 'merged',
    transitions: 19,
    act(station, record) {
      if (station === 'implementer') return happened(record, 'answer_refused') < 3 ? 'no change' : 'well';
      if (station === 'local-reviewer') return happened(record, 'review_unreadable') === 0 ? 'nothing' : 'well';
      if (happened(record, 'report_unproven') < 2) return 'unproven';
      return record.rounds.length < 2 ? 'invent' : 'well';
    },
  },
  DEBATE: {
    ends: 'merged',
    transitions: 41,
    contract: { limits: { max_rebuttals: 12 } },
    act: (station, { rounds }) => (station === 'judge' && rounds.length < 12 ? 'invent' : 'well'),
  },
  REFUSED: {
    ends: 'merged',
    transitions: 8,
    act: (station, record) =>
      station === 'implementer' && happened(record, 'answer_refused') < 3 ? 'no change' : 'well',
  },
  LOCAL: {
    ends: 'merged',
    transitions: 9,
    act: (station, record) => (station === 'local-reviewer' && happened(record, 'local_fail') < 2 ? 'object' : 'well'),
  },
  HELD: {
    ends: 'merged',
    transitions: 5,
    act: (station, { hold }) => (station === 'judge' && (hold?.tries ?? 0) < 2 ? 'away' : 'well'),
  },
  GATE: {
    ends: 'merged',
    transitions: 6,
    contract: { gates: [{ name: 'green', run: `! grep -q '${RED}' notes/*.txt` }] },
    act: (station, record) => (station === 'implementer' && happened(record, 'gate_red') === 0 ? 'red' : 'well'),
  },
  OVERRULE: {
    ends: 'merged',
    transitions: 7,
    contract: { limits: { max_rebuttals: 0 } },
    act: (station) => (station === 'judge' ? 'invent' : 'well'),
    path: 1,
  },
  GIVEUP: { ends: 'abandoned', transitions: 3, act: () => 'crash', path: 2 },
  LONG: {
    ends: 'merged',
    transitions: 30,
    act(station, record) {
      if (station === 'implementer') return 'well';
      if (station === 'judge') {
        if (happened(record, 'report_unproven') < 2) return 'unproven';
        return record.rounds.length < 2 ? 'invent' : record.rounds.length < 4 ? 'object' : 'well';
      }
      if (happened(record, 'review_unreadable') === 0) return 'nothing';
      return happened(record, 'local_fail') < 2 ? 'object' : 'well';
    },
  },
};

/** The order in which a project's tasks live; what happens every day comes more often. */
const TURNS =
  'PLAIN TALK REBUT DEBATE UNREAD LONG REFUSED TALK REWORK HELD LOCAL DEBATE GATE OVERRULE GIVEUP TALK UNREAD'.split(
    ' ',
  );

/** The id of a project's task of this number; the projects begin at different places. */
export function taskId(project: number, number: number): string {
  return `${TURNS[(project * 5 + number) % TURNS.length] ?? 'PLAIN'}-${String(number).padStart(5, '0')}`;
}

/** The life that an id names. */
export function lifeOf(id: string): Life {
  const life = LIVES[id.slice(0, id.indexOf('-'))];
  if (life === undefined) throw new Error(`no life is scripted for ${id}`);
  return life;
}

/** The number in an id. */
export const numberOf = (id: string): number => Number(id.slice(id.indexOf('-') + 1));

/** The contract of a task: it rewrites one of a few small files. */
export function contractOf(id: string): object {
  return {
    schema_version: '1.0',
    task_id: id,
    project: 'soak',
    roles: { implementer: 'writer', local_reviewer: 'reviewer', judge: 'claude-code-cli' },
    constraints: { allowed_paths: ['notes/'] },
    specification: { target_file: `notes/${numberOf(id) % 5}.txt`, requirements: ['Rewrite the note'] },
    ...lifeOf(id).contract,
  };
}
