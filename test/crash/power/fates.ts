import { chanceOf } from '../../support/seed.ts';
import { Disk, type Fate } from './disk.ts';
import type { Recorded, Recording } from './recording.ts';

/** What a power loss does: so many effects were done, and these of those that no sync had made durable had a fate. */
export interface PowerLoss {
  /** What was done last, and which of the fates for that moment it is: the same in every recording of the same life. */
  readonly name: string;
  readonly done: number;
  readonly fates: ReadonlyMap<number, Fate>;
}

/** What lies on the disk after a power loss; of `only` some effects, when the others do not matter. */
export function diskAfter(
  { first, effects }: Recording,
  { done, fates }: Omit<PowerLoss, 'name'>,
  only: readonly number[] = effects.map((_, at) => at),
): Disk {
  const disk = new Disk(first);
  for (const at of only) {
    if (at >= done) break;
    const recorded = effects[at];
    if (recorded !== undefined) disk.apply(recorded.effect, fates.get(at));
  }
  return disk;
}

/** Power losses after each effect that matters, each with fates of what matters and is not durable yet. */
export function lossesOf(recording: Recording, matters: (at: number) => boolean, most: number): readonly PowerLoss[] {
  const seen = new Map<string, number>();
  return [...pendingAfter(recording)].flatMap(([done, pending]) => {
    const last = recording.effects[done - 1];
    if (!matters(done - 1) || last === undefined || last.byHand) return [];
    const effect = withoutChance(last.say);
    const number = (seen.get(effect) ?? 0) + 1;
    seen.set(effect, number);
    const moment = `${effect} #${number}`;
    const fates = fatesOf(recording, pending.filter(matters), most, chanceOf(moment));
    return fates.map((one, at) => ({ name: `${moment}, fates ${at + 1}`, done, fates: one }));
  });
}

/** An effect without what differs from run to run: ids, digests, process ids, names that git and andon draw. */
const withoutChance = (said: string): string =>
  said
    .replace(/tmp_(obj|pack|idx)_[\w-]+/g, 'tmp_$1')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
    .replace(/objects\/[0-9a-f]{2}\/[0-9a-f]{38}/g, 'object')
    .replace(/objects\/[0-9a-f]{2}\b/g, 'objects')
    .replace(/[0-9a-f]{12,}/g, 'id')
    .replace(/\d{3,}/g, 'number');

/** A power loss by its name, for whoever chooses some. */
export const nameOf = ({ name }: PowerLoss): string => name;

/** A power loss as a human reads it. */
export function say({ effects }: Recording, { name, done, fates }: PowerLoss): string {
  const lost = [...fates].filter(([, fate]) => fate !== 'whole').map(([at, fate]) => `${fate}: ${effects[at]?.say}`);
  return `at "${name}", after effect ${done} (${effects[done - 1]?.say}) with ${lost.length === 0 ? 'nothing lost' : lost.slice(-MOST_SAID).join('; ')}${lost.length > MOST_SAID ? ` and ${lost.length - MOST_SAID} before` : ''}`;
}

const MOST_SAID = 20;

/** For each prefix of the effects, which of them no sync has made durable yet. */
function* pendingAfter({ effects }: Recording): Generator<readonly [done: number, pending: readonly number[]]> {
  let pending: readonly number[] = [];
  for (const [at, { effect, byHand }] of effects.entries()) {
    if (effect.kind === 'sync') pending = pending.filter((other) => !isSynced(effects[other], effect.thing));
    else if (!byHand) pending = [...pending, at];
    yield [at + 1, pending];
  }
}

/** A file's sync makes its content durable, a folder's its names; a rename is one step, whichever folder is synced. */
function isSynced(recorded: Recorded | undefined, thing: number): boolean {
  const effect = recorded?.effect;
  if (effect === undefined || effect.kind === 'sync') return false;
  return effect.kind === 'names' ? effect.names.some(({ folder }) => folder === thing) : effect.file === thing;
}

/** Every choice of fates for these effects when there are at most `most`; else the plainest, and others by chance. */
function fatesOf(
  recording: Recording,
  pending: readonly number[],
  most: number,
  chance: () => number,
): readonly ReadonlyMap<number, Fate>[] {
  const options = pending.map((at): readonly Fate[] =>
    recording.effects[at]?.effect.kind === 'data' ? ['lost', 'whole', 'half', 'zeros'] : ['lost', 'whole'],
  );
  const pick = (choose: (options: readonly Fate[], index: number) => Fate | undefined): ReadonlyMap<number, Fate> =>
    new Map(options.map((some, index) => [pending[index] ?? 0, choose(some, index) ?? 'whole']));
  const all = options.reduce((product, some) => product * some.length, 1);
  if (all <= most)
    return Array.from({ length: all }, (_, number) => {
      let rest = number;
      return pick((some) => {
        const fate = some[rest % some.length];
        rest = Math.floor(rest / some.length);
        return fate;
      });
    });
  const isData = (index: number): boolean => (options[index]?.length ?? 0) > 2;
  const plain = [
    pick(() => 'lost'),
    pick(() => 'whole'),
    pick((_, index) => (isData(index) ? 'lost' : 'whole')),
    pick((_, index) => (isData(index) ? 'zeros' : 'whole')),
    pick((_, index) => (isData(index) ? 'whole' : 'lost')),
  ];
  const random = Array.from({ length: Math.max(0, most - plain.length) }, () => {
    const losses = chance();
    return pick((some) => (chance() < losses ? some[Math.floor(chance() * some.length)] : 'whole'));
  });
  return [...plain, ...random];
}
