import { DigestRows, isKept, useDigest } from './digest.tsx';
import { board, now } from './live.ts';

/** Local hours between which the inbox begins with the night. */
const [FROM, UNTIL] = [5, 11];
/** The hour of the day before at which a night begins. */
const EVENING = 18;
/** Merged tasks that leave room for what needs you on a phone. */
const MOST_MERGED = 3;

export function isMorning(): boolean {
  const hour = new Date(now.value).getHours();
  return hour >= FROM && hour < UNTIL;
}

/** What was merged since the evening, and what it cost; nothing where nothing ran. */
export function Morning() {
  const evening = new Date(now.value);
  evening.setDate(evening.getDate() - 1);
  evening.setHours(EVENING, 0, 0, 0);
  const since = evening.toISOString();
  const { value } = useDigest(since, board.value?.lanes.ended.length);
  if (value === undefined || (value.digest.spent.together.calls === 0 && value.digest.merged.length === 0)) return null;
  const { digest, spent } = value;
  return (
    <section class="digest" aria-labelledby="night">
      <h2 id="night" class="lane">
        Last night
      </h2>
      <p class="notes">
        {digest.merged.filter(isKept).length} merged, {spent} spent.{' '}
        <a href={`/digest?since=${since}`}>The whole digest</a>
      </p>
      <DigestRows
        id="merged"
        title="Merged"
        of={value}
        most={MOST_MERGED}
        rest={(count) => <a href={`/digest?since=${since}`}>{count} more</a>}
      />
    </section>
  );
}
