import { z } from 'zod';
import { check, checkSame, type DrillCheck } from './check.ts';
import { files, mergedOn, type Stage } from './acts.ts';

/** Further checks at the end, beyond status, figures and target files. */
export const furtherChecksSchema = () =>
  z.strictObject({
    /** Whole files of the checkout: the user's uncommitted work. */
    checkout: files().optional(),
    /** Of the merged contract. */
    requirements: z.array(z.string()).optional(),
    allow_deletes: z.boolean().optional(),
    allowed_paths: z.array(z.string()).optional(),
    /** From the edited version of the contract on disk; the journal keeps it. */
    edited_contract: z.string().optional(),
    /** The merged tree is the approved one. */
    approved_tree: z.literal('merged').optional(),
    /** Seconds since 1970: the end of the line's wait. */
    waited_until: z.number().optional(),
    waits: z.literal(false).optional(),
    /** Merged tasks in order. */
    merged_in_order: z.array(z.string()).optional(),
  });
type Also = z.infer<ReturnType<typeof furtherChecksSchema>>;

export const checkFurther = (also: Also | undefined, stage: Stage): readonly DrillCheck[] =>
  Object.entries(also ?? {}).flatMap(([name, expected]) =>
    (LOOKS[name as keyof Also] as (stage: Stage, expected: unknown) => readonly DrillCheck[])(stage, expected),
  );

const LOOKS: {
  readonly [Name in keyof Also]-?: (stage: Stage, expected: NonNullable<Also[Name]>) => readonly DrillCheck[];
} = {
  checkout: (stage, texts) =>
    Object.entries(texts).map(([path, text]) => checkSame(`the edit in ${path}`, text, stage.read(path) ?? null)),
  requirements: (stage, requirements) => [
    checkSame(
      'requirements of the merged contract',
      requirements.join('; '),
      contractOf(stage).specification.requirements.join('; '),
    ),
  ],
  allow_deletes: (stage, allowed) => [
    checkSame('allow_deletes of the merged contract', allowed, contractOf(stage).constraints.allowDeletes),
  ],
  allowed_paths: (stage, paths) => [
    checkSame(
      'allowed_paths of the merged contract',
      paths.join(', '),
      contractOf(stage).constraints.allowedPaths.join(', '),
    ),
  ],
  edited_contract(stage, part) {
    const edited = stage
      .entries()
      .flatMap((entry) => (entry.kind === 'moved' ? (entry.facts.tampered?.edited ?? '') : ''));
    const isKept = edited.some((text) => text.includes(part));
    return [check('the edited version is kept in the journal', isKept ? undefined : 'it is lost')];
  },
  approved_tree(stage) {
    const { change, grants } = stage.record();
    return [checkSame('the merged tree', grants.approved.map(({ tree }) => tree).join(', '), change?.tree)];
  },
  waited_until(stage, seconds) {
    const held = stage.entries().find((entry) => entry.kind === 'held');
    return [checkSame('the line waits until', new Date(seconds * 1000).toISOString(), held?.until)];
  },
  merged_in_order: (stage, tasks) => [checkSame('merged, in this order', tasks.join(', '), mergedOn(stage).join(', '))],
  waits: (stage) => [
    check('the waiting is over', stage.record().hold === undefined ? undefined : 'the line still waits'),
  ],
};

const contractOf = (stage: Stage) => stage.record().contract;
