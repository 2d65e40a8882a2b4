import { aContract, type Contract } from './contract.ts';
import { aFactory, type Factory, type Options, type Watchdog } from './factory.ts';
import { FINAL, judges, reviewPasses, writes, type Stations } from './scenario.ts';

/** A contract that writes a note of its own, in a folder that no other task touches. */
export const aNote = (id: string, changes: Readonly<Record<string, unknown>> = {}): Contract =>
  aContract({
    task_id: id,
    'constraints.allowed_paths': [`notes/${id}/`],
    'specification.target_file': `notes/${id}/note.md`,
    'specification.requirements': [`Write the note of ${id}`],
    ...changes,
  });

const quoteOf = (id: string): string => `This is the note of ${id}, and it is complete.`;

/** Agents that write the notes of these tasks, and the document of `DOC-001`. */
export function notesOf(ids: readonly string[], first: Stations = {}): Stations {
  const implementer = ids.map((id) =>
    writes(
      { [`notes/${id}/note.md`]: `# ${id}\n\n${quoteOf(id)}\n` },
      { when: { model: 'qwen2.5-coder', includes: [`Write the note of ${id}`] } },
    ),
  );
  const judge = ids.map((id) =>
    judges(
      'PASS',
      { evidence: [{ file: `notes/${id}/note.md`, line: null, quote: quoteOf(id) }] },
      { when: { includes: [`task_id: ${id}`] } },
    ),
  );
  return {
    implementer: [...implementer, ...(first.implementer ?? [writes({ 'docs/auth_final.md': FINAL })])],
    reviewer: first.reviewer ?? [reviewPasses()],
    judge: [...judge, ...(first.judge ?? [judges('PASS')])],
  };
}

/** Halts by `destructive_action`: what it writes is longer than this. */
export const TOO_LARGE = { 'constraints.max_diff_size': 2 };

/** A factory whose agents know these notes. */
export const aNightOf = (ids: readonly string[], options: Options & { readonly first?: Stations } = {}) => {
  const { first, ...others } = options;
  const files = Object.fromEntries(ids.map((id) => [`notes/${id}/README.md`, `# ${id}\n`]));
  return aFactory({ ...others, files: { ...files, ...options.files }, scenario: notesOf(ids, first) });
};

/** `DOC-001` is parked, and `DOC-002` merged meanwhile. */
export async function aParked(
  options: Parameters<typeof aNightOf>[1] = {},
  halts: Readonly<Record<string, unknown>> = TOO_LARGE,
): Promise<{ factory: Factory; dog: Watchdog }> {
  const factory = await aNightOf(['DOC-002', 'DOC-003', 'DOC-004'], options);
  const dog = await factory.begin(aContract(halts));
  await dog.until(() => factory.isHalted());
  factory.drop(aNote('DOC-002'));
  await dog.until(() => factory.isMerged('DOC-002'));
  return { factory, dog };
}

/** Where a paper of a parked task lies, below `_handoff/`. */
export const aside = (id: string, name: string): string => `tasks/${id}/${name}`;

/** `DECISION.json` about the halt that a report is about. */
export const decisionOn = (factory: Factory, paper: string, path: 1 | 2): object => ({
  task_id: headIn(factory, paper, 'task_id'),
  halt: headIn(factory, paper, 'halt'),
  nonce: headIn(factory, paper, 'nonce'),
  path,
});

/** What a report says for programs, under a key. */
export const headIn = (factory: Factory, paper: string, key: string): string =>
  new RegExp(`^<!-- .*"${key}":"([^"]*)".* -->$`, 'm').exec(factory.paper(paper) ?? '')?.[1] ?? '';
