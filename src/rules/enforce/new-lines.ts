import type { Subject, SubjectFile } from '../../rule-model/inspection.ts';

/** The lines that a change wrote; empty for files that are checked whole. */
export class NewLines {
  readonly #files: ReadonlyMap<string, SubjectFile>;
  readonly #added = new Map<string, ReadonlyMap<number, string>>();
  readonly #kept = new Map<string, ReadonlyMap<string, number>>();

  constructor({ files }: Subject) {
    this.#files = new Map(files.filter(({ change }) => change !== 'whole').map((file) => [file.path, file]));
  }

  has(file: string, line: number): boolean {
    return this.#addedTo(file).has(line);
  }

  /** How many lines that the change left alone read, but for their spacing, like one that it wrote. */
  keptLike(file: string, line: number): number {
    const text = this.#addedTo(file).get(line);
    return text === undefined ? 0 : (this.#keptIn(file).get(normal(text)) ?? 0);
  }

  #addedTo(path: string): ReadonlyMap<number, string> {
    const known = this.#added.get(path);
    if (known !== undefined) return known;
    const added = new Map((this.#files.get(path)?.added ?? []).map(({ line, text }) => [line, text]));
    this.#added.set(path, added);
    return added;
  }

  #keptIn(path: string): ReadonlyMap<string, number> {
    const known = this.#kept.get(path);
    if (known !== undefined) return known;
    const added = this.#addedTo(path);
    const lines = (this.#files.get(path)?.content ?? '').split('\n');
    const kept = new Map<string, number>();
    for (const text of lines.filter((_, at) => !added.has(at + 1)).map(normal))
      kept.set(text, (kept.get(text) ?? 0) + 1);
    this.#kept.set(path, kept);
    return kept;
  }
}

const normal = (text: string): string => text.replace(/\s+/g, ' ').trim();
