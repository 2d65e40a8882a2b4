import type { Head } from '../../src/rules/guards/second-opinion.ts';

/** A text as its sentences' features, and what is to be answered of it. */
export interface Lesson {
  readonly said: readonly (readonly number[])[];
  readonly shows: boolean;
  /** Whether every head is to say yes; otherwise at least one of them says no. */
  readonly isYes: boolean;
  /** What the first head is to say, where that is known of a text that is no yes. */
  readonly first?: boolean | undefined;
  /** How much it counts beside the others, 0 to 1. */
  readonly weight: number;
}

/**
 * Learns heads whose yeses together make a yes (logistic units, multiplied), by stochastic gradient descent with a step
 * of its own for each weight (AdaGrad). The same lessons give the same heads: the order is shuffled by a fixed seed.
 */
export function fit(lessons: readonly Lesson[], heads: number): readonly Head[] {
  const known = [...countTexts(lessons)].flatMap(([feature, texts]) => (texts < LEAST_TEXTS ? [] : [feature]));
  const learned = Array.from({ length: heads }, () => new Learner(known));
  const turns = lessons.map((_, at) => at);
  const random = seeded(SEED);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    shuffle(turns, random);
    for (const turn of turns) teach(learned, lessons[turn]);
  }
  return learned.map(({ head }) => head);
}

function teach(learned: readonly Learner[], lesson: Lesson | undefined): void {
  if (lesson === undefined) return;
  const answers = learned.map(({ head }) => chance(oddsOf(head, lesson)));
  const yes = Math.min(
    1 - 1e-6,
    answers.reduce((product, one) => product * one, 1),
  );
  for (const [at, learner] of learned.entries()) {
    const answer = answers[at] ?? 0;
    let wrong = lesson.isYes ? answer - 1 : (yes / (1 - yes)) * (1 - answer);
    if (at === 0 && lesson.first !== undefined) wrong += HINTED * (answer - Number(lesson.first));
    learner.correct(lesson, wrong * lesson.weight);
  }
}

const SEED = 7;
const EPOCHS = 20;
/** The first step of a weight; it grows shorter with every correction. */
const STEP = 0.15;
/** How strongly weights are drawn to 0 at each correction. */
const DECAY = 5e-4;
/** How much a hint of what the first head is to say counts beside the answer. */
const HINTED = 0.7;
/** A feature of a single text says nothing of others. */
const LEAST_TEXTS = 2;

/** What `read` of the second opinion says of a text, of features that are known already. */
export function oddsOf({ bias, shown, weights }: Head, { said, shows }: Pick<Lesson, 'said' | 'shows'>): number {
  const root = rootOf(said);
  return said.reduce(
    (odds, features) => {
      let sum = 0;
      for (const feature of features) sum += weights.get(feature) ?? 0;
      return odds + sum / Math.sqrt(features.length) / root;
    },
    bias + (shows ? shown : 0),
  );
}

const rootOf = (said: Lesson['said']): number => Math.sqrt(Math.max(1, said.length));

/** Where the squares of what is no feature are kept; no feature is negative. */
const BIAS = -1;
const SHOWN = -2;

/** One head while it learns. */
class Learner {
  private readonly weights: Map<number, number>;
  private readonly squares = new Map<number, number>();
  private bias = 0;
  private shown = 0;

  constructor(known: readonly number[]) {
    this.weights = new Map(known.map((feature) => [feature, 0]));
  }

  get head(): Head {
    return { bias: this.bias, shown: this.shown, weights: this.weights };
  }

  /** Moves every weight that bore on an answer against what was `wrong` with it. */
  correct({ said, shows }: Lesson, wrong: number): void {
    this.bias -= this.step(BIAS, wrong);
    if (shows) this.shown -= this.step(SHOWN, wrong);
    const root = rootOf(said);
    for (const features of said)
      for (const feature of features) {
        const weight = this.weights.get(feature);
        if (weight === undefined) continue;
        const slope = wrong / Math.sqrt(features.length) / root + DECAY * weight;
        this.weights.set(feature, weight - this.step(feature, slope));
      }
  }

  private step(feature: number, slope: number): number {
    const square = (this.squares.get(feature) ?? 0) + slope * slope;
    this.squares.set(feature, square);
    return (STEP * slope) / Math.sqrt(square + 1e-8);
  }
}

/** In how many texts each feature stands. */
export function countTexts(lessons: readonly Lesson[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { said } of lessons)
    for (const feature of new Set(said.flat())) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

const chance = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** Numbers from 0 to 1, always the same ones (a linear congruential generator, with the constants of Numerical Recipes). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Fisher and Yates. */
function shuffle(turns: number[], random: () => number): void {
  for (let at = turns.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [turns[at], turns[other]] = [turns[other] ?? 0, turns[at] ?? 0];
  }
}
