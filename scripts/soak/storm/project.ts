import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepWatch } from '../../../src/line/daemon/keep-watch.ts';
import { readJournal } from '../../../src/line/journal/open-journal.ts';
import { loadWorkspace, type Workspace } from '../../../src/project/workspace/load-workspace.ts';
import type { LineEvent } from '../../../src/line/services/services.ts';
import type { Watchdog } from '../../../src/line/daemon/watchdog.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import { isDiskTrouble } from '../../../src/base/disk-trouble.ts';
import { FILES, HANDOFF, TERMINAL } from '../../../src/base/names.ts';
import { foldJournal } from '../../../src/line/core/fold-journal.ts';
import { scriptedAgents } from '../agents.ts';
import { contractOf, numberOf, taskId } from '../lives.ts';
import { Answers } from './answers.ts';
import { Seeded } from './seeded.ts';

const LOOK_MS = 25;
/** Events during a full disk or a kill were never sent: the journal is read this often. */
const REMEMBER_MS = 1000;
/** Maximum waiting contracts and open tasks. */
const MOST_WAITING = 2;
const MOST_OPEN = 5;

/** One repository in the storm: a real watchdog, and a human who drops contracts and answers halts when it suits him. */
export class StormProject {
  readonly #place: Workspace;
  readonly #number: number;
  readonly #broke: (reason: string) => void;
  readonly #answers: Answers;
  #dog: Watchdog | undefined;
  /** What is known of every task, by its id. */
  readonly #records = new Map<string, TaskRecord>();
  #rememberedAt = Number.NEGATIVE_INFINITY;
  /** The sentences that andon has said. */
  readonly #said: string[] = [];
  #isDraining = false;
  #isOver = false;

  private constructor(place: Workspace, number: number, seed: number, broke: (reason: string) => void) {
    [this.#place, this.#number, this.#broke] = [place, number, broke];
    this.#answers = new Answers(place, new Seeded(seed * 1000 + number));
  }

  static async open(
    folder: string,
    { number, seed }: { readonly number: number; readonly seed: number },
    broke: (reason: string) => void,
  ): Promise<StormProject> {
    const project = new StormProject(await loadWorkspace(folder, process.env), number, seed, broke);
    await project.start();
    return project;
  }

  /** Opens andon here; a disk that takes nothing, or a lock that a killed andon held, is tried again. */
  async start(): Promise<void> {
    while (this.#dog === undefined) {
      try {
        this.#remember();
        const agents = scriptedAgents(() => this.#working);
        const say = (news: LineEvent): void => {
          if (news.kind === 'entry') this.#records.set(news.record.taskId, news.record);
          if (news.kind === 'word') this.#said.push(`${new Date().toISOString()} ${news.text}`);
        };
        const dog = await keepWatch(this.#place, process.env, say, { projects: 8, agents });
        this.#dog = dog;
        void dog.broken.then((reason) => this.#ended(dog, reason));
      } catch (error) {
        if (!isDiskTrouble(wordsOf(error))) throw error;
        await sleep(300);
      }
    }
  }

  async stop(): Promise<void> {
    const dog = this.#dog;
    this.#dog = undefined;
    await dog?.stop();
  }

  /** From now on nothing new is dropped; true once nothing is under way. */
  drain(): boolean {
    this.#isDraining = true;
    return this.#isOver;
  }

  /** Its state, to find out why it does not end. */
  get standing(): string {
    const journal = readJournal(this.#place);
    const told = (journal?.since(Math.max(0, journal.head() - 4)) ?? []).map(({ entry }) => JSON.stringify(entry));
    journal?.close();
    const dog = this.#dog === undefined ? 'no watchdog' : 'a watchdog';
    const open = this.#open.map(
      ({ taskId: id, status, halt, parked }) =>
        `${id} is at ${status} (${halt?.trip.breaker ?? 'no halt'}, ${parked === undefined ? 'in the place' : 'parked'})`,
    );
    return `${this.#place.facts.root}: ${dog}; ${open.join(', ')}; there lie ${this.#lying().join(', ') || 'no contracts'}; the journal ends with ${told.map((entry) => entry.slice(0, 400)).join(' ')}; said: ${this.#said.slice(-5).join(' | ')}`;
  }

  /** What the human does, again and again; a disk that is full lets him try again. */
  async live(): Promise<never> {
    for (;;) {
      await sleep(LOOK_MS);
      if (this.#dog === undefined) continue;
      try {
        await this.#lookOnce();
      } catch (error) {
        if (!isDiskTrouble(wordsOf(error))) this.#broke(`${this.#place.facts.root}: ${wordsOf(error)}`);
      }
    }
  }

  async #lookOnce(): Promise<void> {
    if (performance.now() - this.#rememberedAt > REMEMBER_MS) this.#remember();
    const open = this.#open;
    const lying = this.#lying();
    const isStill = (): boolean => this.#dog !== undefined;
    const halted = open.filter(({ halt }) => halt !== undefined);
    if (await this.#answers.answer(halted, this.#isDraining, isStill)) return;
    this.#isOver = this.#isDraining && open.length === 0 && lying.length === 0;
    if (this.#isDraining || lying.length >= MOST_WAITING || open.length >= MOST_OPEN) return;
    this.#drop(1 + Math.max(0, ...[...this.#records.keys(), ...lying].map(numberOf)), open);
  }

  get #open(): readonly TaskRecord[] {
    return [...this.#records.values()].filter(({ status }) => !TERMINAL.includes(status));
  }

  /** The task whose agent was called last. */
  get #working(): TaskRecord | undefined {
    const calling = this.#open.filter(({ openCall }) => openCall !== undefined);
    return calling.toSorted((a, b) => (a.openCall?.at ?? '').localeCompare(b.openCall?.at ?? '')).at(-1);
  }

  /** Where it begins at once if that is free, else into the queue: then it begins when another one is halted or has ended. */
  #drop(number: number, open: readonly TaskRecord[]): void {
    mkdirSync(this.#file(FILES.queue), { recursive: true });
    const beside = this.#file('.drop.tmp');
    const id = taskId(this.#number, number);
    const contract = contractOf(id);
    // Each writes one file, so that most can go on while another one is parked.
    const constraints = { allowed_paths: [`notes/${number % 5}.txt`] };
    writeFileSync(beside, JSON.stringify({ ...contract, constraints }));
    const isFree = !open.some(({ parked }) => parked === undefined);
    const isEmpty = !existsSync(this.#file(FILES.contract)) && !existsSync(this.#file(FILES.lock));
    renameSync(beside, this.#file(isFree && isEmpty ? FILES.contract : `${FILES.queue}/${id}.json`));
  }

  /** The content of the journal, whatever was sent. */
  #remember(): void {
    this.#rememberedAt = performance.now();
    const journal = readJournal(this.#place);
    for (const id of journal?.taskIds() ?? []) {
      const known = this.#records.get(id);
      if (known !== undefined && TERMINAL.includes(known.status)) continue;
      const record = foldJournal(journal?.entries(id) ?? []);
      if (record !== undefined) this.#records.set(id, record);
    }
    journal?.close();
  }

  /** The ids of contracts that lie there and have not begun. */
  #lying(): readonly string[] {
    const queue = this.#file(FILES.queue);
    const queued = existsSync(queue) ? readdirSync(queue).filter((name) => /^[A-Z]+-\d+\b.*\.json$/.test(name)) : [];
    const contract = this.#file(FILES.contract);
    const [, placed] = /"task_id": ?"([A-Z]+-\d+)"/.exec(readIfThere(contract)) ?? [];
    const ids = [...queued.map((name) => name.slice(0, name.indexOf('.'))), ...(placed === undefined ? [] : [placed])];
    return ids.filter((id) => !this.#records.has(id));
  }

  /** A disk that came and went too often ends a watchdog; its service manager starts it again. */
  #ended(dog: Watchdog, reason: string): void {
    if (this.#dog !== dog) return;
    this.#dog = undefined;
    if (!isDiskTrouble(reason)) return this.#broke(`${this.#place.facts.root}: ${reason}`);
    void dog.stop().then(
      () => this.start(),
      () => this.start(),
    );
  }

  #file(name: string): string {
    return join(this.#place.facts.root, HANDOFF, name);
  }
}

/** A file that may be moved at any moment. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
