import type { LineRecord } from '../formats/line-record.ts';
import { FILES } from '../formats/names.ts';
import { isUntouched, lostEdit } from './paperwork.ts';
import { SeenPaper } from './seen-paper.ts';
import type { World } from './world.ts';

/** Finds at a halt what a choice would overwrite (an edited lock, a contract beside it), so that it is said before one is made. */
export class EditedPapers {
  private readonly world: World;
  private readonly papers: readonly (readonly [string, SeenPaper])[];

  constructor(world: World) {
    this.world = world;
    this.papers = [FILES.lock, FILES.contract].map((name) => [name, new SeenPaper(world, name)]);
  }

  /** Each edit in words, once it has settled, and once. */
  look(record: LineRecord): readonly string[] {
    return this.papers.flatMap(([name, paper]) => {
      paper.look();
      if (paper.isRefused || !paper.isOld) return [];
      paper.refuse();
      return isUntouched(this.world, record, name) ? [] : [lostEdit(name)];
    });
  }
}
