import { check, checkSame, type DrillCheck } from './check.ts';
import { mergedOn } from './acts.ts';
import type { FurtherChecks } from './drill.ts';
import type { OpenStage } from './stage.ts';

export const checkFurther = (also: FurtherChecks | undefined, stage: OpenStage): readonly DrillCheck[] =>
  Object.entries(also ?? {}).flatMap(([name, expected]) =>
    (LOOKS[name as keyof FurtherChecks] as (stage: OpenStage, expected: unknown) => readonly DrillCheck[])(
      stage,
      expected,
    ),
  );

const LOOKS: {
  readonly [Name in keyof FurtherChecks]-?: (
    stage: OpenStage,
    expected: NonNullable<FurtherChecks[Name]>,
  ) => readonly DrillCheck[];
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

const contractOf = (stage: OpenStage) => stage.record().contract;
