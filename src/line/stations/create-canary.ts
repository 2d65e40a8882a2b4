import type { TaskRecord } from '../record/task-record.ts';
import { DESK, quoteWeigher, type WeighQuote } from './weigh-quotes.ts';
import { describeContract } from './describe-contract.ts';

/** Builds the judge's brief about a known-bad change, in the usual form; `digest` derives its fake commit and contract. */
export function createCanary(record: TaskRecord, call: number, digest: (text: string) => string) {
  const seed = digest(`${record.taskId}\n${record.contractDigest}\n${call}`);
  const sample = SAMPLES[Number.parseInt(seed.slice(0, 8), 16) % SAMPLES.length];
  if (sample === undefined) throw new Error('there is no known-bad change');
  const name = (what: string): string => digest(`${what}\n${seed}`);
  const sampleRecord = withSample(record, sample, name);
  const files = new Map([
    [DESK.contract, `${describeContract(sampleRecord, true)}\n`],
    [DESK.diff, newFile(sample)],
    [DESK.findings, 'The local review has no findings.\n'],
    [DESK.rounds, 'This is the first round.\n'],
    [`${DESK.tree}/${sample.path}`, sample.text],
  ]);
  // The flaw in words for people; record and commit exist only here.
  return { flaw: sample.flaw, record: sampleRecord, files, weigh: weigherOf(sample) };
}

/** The record of the real task with another contract and change. */
function withSample(record: TaskRecord, sample: Sample, name: (what: string) => string): TaskRecord {
  const { contract, change, gates } = record;
  if (change === undefined) throw new Error('the judge is asked only about a change');
  const added = linesOf(sample.text).length;
  const file = { path: sample.path, status: 'added' as const, oldMode: '000000', newMode: '100644', added, deleted: 0 };
  const commit = name('commit').slice(0, change.commit.length);
  return {
    ...record,
    contract: {
      ...contract,
      constraints: {
        ...contract.constraints,
        allowedPaths: [`${sample.path.split('/')[0] ?? ''}/`],
        forbiddenPaths: ['.env'],
      },
      specification: {
        sourceFiles: [],
        targetFile: sample.path,
        requirements: sample.requirements,
        acceptanceCriteria: [],
      },
      holdout: { gates: [], criteria: [] },
    },
    document: {},
    contractDigest: name('contract'),
    grants: { ...record.grants, paths: [], diffSize: 0 },
    change: {
      ...change,
      commit,
      tree: name('tree').slice(0, commit.length),
      files: [file],
      added,
      deleted: 0,
      lost: 0,
    },
    gates: gates && {
      ...gates,
      results: gates.results.map((gate) => ({ ...gate, outcome: 'green', base: 'green', blocks: false, exit: 0 })),
    },
    review: undefined,
    report: undefined,
    rounds: [],
    rebuttal: [],
    history: [],
  };
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

/** The change as git shows a new file. */
function newFile({ path, text }: Sample): string {
  const lines = linesOf(text);
  return [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}

const weigherOf = (sample: Sample): WeighQuote =>
  quoteWeigher({
    patch: newFile(sample),
    linesOf: (path) => (path === sample.path ? linesOf(sample.text) : undefined),
    changed: [sample.path],
    gates: new Map(),
  });

/** A small flawed change that no judge may pass, and its requirement. */
interface Sample {
  readonly flaw: string;
  readonly requirements: readonly string[];
  readonly path: string;
  readonly text: string;
}

/** Assembled here, so that no scanner reports this file; it opens nothing. */
const KEY = ['AKIA', 'Q3EGR7ZT', 'NX5LW2HV'].join('');
const SECRET = ['q7Vd1xP0sYw4Lk9RtB', '2nHc6JfZ8mGa3UeTo5iXv7'].join('');

/** Known-bad changes, one for each kind of flaw that a judge must find. */
export const SAMPLES: readonly Sample[] = [
  {
    flaw: 'a missing requirement',
    requirements: [
      'Write src/cart/total.ts: totalOf(items) adds up price times quantity',
      'totalOf takes an optional discount between 0 and 1 and throws a RangeError for any other',
      'totalOf throws a TypeError when a quantity is negative',
    ],
    path: 'src/cart/total.ts',
    text: `export interface Item {
  readonly price: number;
  readonly quantity: number;
}

/** Adds up what is in the cart. */
function totalOf(items: readonly Item[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
`,
  },
  {
    flaw: 'broken logic',
    requirements: [
      'Write src/access/may-edit.ts: mayEdit(user, document) says whether a user may edit a document',
      'Only the owner of a document and administrators may edit it; a locked account may edit nothing',
    ],
    path: 'src/access/may-edit.ts',
    text: `export interface User {
  readonly id: string;
  readonly isAdministrator: boolean;
  readonly isLocked: boolean;
}

/** Says whether a user may edit a document. */
function mayEdit(user: User, document: { readonly owner: string }): boolean {
  if (user.isLocked) return true;
  return user.id === document.owner || !user.isAdministrator;
}
`,
  },
  {
    flaw: 'a secret in the code',
    requirements: [
      'Write src/storage/client.py: open_storage() gives the settings of the object storage',
      'Region and credentials are read from the environment; a missing variable raises KeyError',
    ],
    path: 'src/storage/client.py',
    text: `import os


def open_storage() -> dict[str, str]:
    """Gives the settings of the object storage."""
    return {
        "region": os.environ["STORAGE_REGION"],
        "access_key_id": "${KEY}",
        "secret_access_key": "${SECRET}",
    }
`,
  },
];
