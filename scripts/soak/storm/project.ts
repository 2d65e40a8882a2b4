import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepWatch } from '../../../src/daemon/watch/keep-watch.ts';
import { readJournal } from '../../../src/daemon/wiring/open-journal.ts';
import { findPlace } from '../../../src/daemon/wiring/open-place.ts';
import type { Place } from '../../../src/daemon/wiring/open-place.ts';
import type { News } from '../../../src/daemon/wiring/services.ts';
import type { Watchdog } from '../../../src/daemon/watch/watchdog.ts';
import type { LineRecord } from '../../../src/record/line-record.ts';
import { isDiskTrouble } from '../../../src/base/disk-trouble.ts';
import { FILES, HANDOFF, TERMINAL } from '../../../src/base/names.ts';
import { foldJournal } from '../../../src/line/record.ts';
import { scriptedAgents } from '../agents.ts';
import { contractOf, lifeOf, taskId } from '../lives.ts';

const LOOK_MS = 25;
/** Who has answered so many halts of one task gives it up. */
const MOST_HALTS = 8;

/** One repository in the storm: a real watchdog, and a human who drops contracts and answers every halt. */
export class StormProject {
  readonly #place: Place;
  readonly #number: number;
  readonly #broke: (reason: string) => void;
  #dog: Watchdog | undefined;
  #record: LineRecord | undefined;
  /** The sentences that andon has said. */
  readonly #said: string[] = [];
  /** The last task that was dropped. */
  #dropped = 0;
  #isDraining = false;
  #isOver = false;

  private constructor(place: Place, number: number, broke: (reason: string) => void) {
    [this.#place, this.#number, this.#broke] = [place, number, broke];
  }

  static async open(folder: string, number: number, broke: (reason: string) => void): Promise<StormProject> {
    const project = new StormProject(await findPlace(folder, process.env), number, broke);
    project.#remember();
    await project.start();
    return project;
  }

  /** Opens andon here; a disk that takes nothing, or a lock that a killed andon held, is tried again. */
  async start(): Promise<void> {
    while (this.#dog === undefined) {
      try {
        this.#remember();
        const agents = scriptedAgents(() => this.#record);
        const say = (news: News): void => {
          if (news.kind === 'entry') this.#record = news.record;
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

  /** Where it stands, for whoever looks for what keeps it from its end. */
  get standing(): string {
    const { taskId: id, status, halt, history } = this.#record ?? {};
    const journal = readJournal(this.#place);
    const told = (journal?.since(Math.max(0, journal.head() - 4)) ?? []).map(({ entry }) => JSON.stringify(entry));
    journal?.close();
    const waits = existsSync(this.#file(FILES.contract)) ? 'a contract lies there' : 'no contract lies there';
    const dog = this.#dog === undefined ? 'no watchdog' : 'a watchdog';
    return `${this.#place.facts.root}: ${dog}, task ${this.#dropped} was dropped, ${waits}; ${id ?? 'no task'} is at ${status ?? 'nothing'} (${halt?.trip.breaker ?? 'no halt'}), last ${JSON.stringify(history?.at(-1))}; the journal ends with ${told.map((entry) => entry.slice(0, 400)).join(' ')}; said: ${this.#said.slice(-5).join(' | ')}`;
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
    const lies = (name: string): boolean => existsSync(this.#file(name));
    // What was noted while the disk was full was told to nobody; the folder shows that something was.
    const isHeardOf = lies(FILES.lock) ? this.#record?.halt !== undefined : lies(FILES.contract);
    if (this.#isUnderWay && !isHeardOf) this.#remember();
    const record = this.#record;
    if (record?.halt !== undefined && lies(FILES.lock)) return this.#answer(record);
    const hasEnded = !this.#isUnderWay && !lies(FILES.contract);
    this.#isOver = this.#isDraining && hasEnded;
    if (hasEnded && !this.#isDraining) this.#drop(this.#dropped + 1);
  }

  /** As far as was told: what was noted when the disk filled up, or andon was killed, was told to nobody. */
  get #isUnderWay(): boolean {
    if (this.#dropped === 0) return false;
    const { taskId: id, status } = this.#record ?? {};
    return id !== taskId(this.#number, this.#dropped) || status === undefined || !TERMINAL.includes(status);
  }

  /** The scripted path; at a halt that is not scripted the first one, and after too many the task is given up. */
  async #answer({ taskId: id, halt, halts }: LineRecord): Promise<void> {
    const isStill = (): boolean => this.#dog !== undefined && this.#record?.halt?.id === halt?.id;
    const by = 'a human';
    const path = lifeOf(id).path ?? 1;
    await this.#place.requests.ask(
      halts > MOST_HALTS
        ? { do: 'abandon', taskId: id, by }
        : { do: 'resume', taskId: id, path, haltId: halt?.id ?? '', confirm: id, reason: 'a storm', by, how: 'storm' },
      5000,
      isStill,
    );
  }

  #drop(number: number): void {
    mkdirSync(this.#file(''), { recursive: true });
    const beside = this.#file('.drop.tmp');
    writeFileSync(beside, JSON.stringify(contractOf(taskId(this.#number, number))));
    renameSync(beside, this.#file(FILES.contract));
    this.#dropped = number;
  }

  /** What the journal and the folder know of, whatever was told. */
  #remember(): void {
    const journal = readJournal(this.#place);
    const ids = journal?.taskIds() ?? [];
    const last = ids.at(-1);
    this.#record = last === undefined ? undefined : foldJournal(journal?.entries(last) ?? []);
    journal?.close();
    const next = taskId(this.#number, ids.length + 1);
    this.#dropped = Math.max(this.#dropped, ids.length + (this.#lies(next) ? 1 : 0));
  }

  #lies(id: string): boolean {
    const contract = this.#file(FILES.contract);
    return existsSync(contract) && readFileSync(contract, 'utf8').includes(`"${id}"`);
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

const wordsOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
