import type { LineRecord } from '../../record/line-record.ts';
import { FILES } from '../../base/names.ts';
import { lostEdit } from '../documents/lost-edits.ts';
import { isUntouched } from '../documents/own-papers.ts';
import { SeenPaper } from './seen-paper.ts';
import type { Services } from '../../wiring/services.ts';

/** Finds at a halt what a choice would overwrite (an edited lock, a contract beside it), so that it is said before one is made. */
export class EditedPapers {
  private readonly services: Services;
  private readonly papers: readonly (readonly [string, SeenPaper])[];

  constructor(services: Services) {
    this.services = services;
    this.papers = [FILES.lock, FILES.contract].map((name) => [name, new SeenPaper(services, name)]);
  }

  /** Each edit in words, once it has settled, and once. */
  look(record: LineRecord): readonly string[] {
    return this.papers.flatMap(([name, paper]) => {
      paper.look();
      if (paper.isRefused || !paper.isOld) return [];
      paper.refuse();
      return isUntouched(this.services, record.taskId, name) ? [] : [lostEdit(this.services, name)];
    });
  }
}
