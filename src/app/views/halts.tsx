import type { HaltFacts } from '../../line/reports/task-report/list-halts.ts';
import type { ReportFacts } from '../../line/reports/task-report/task-details.ts';
import { formatDuration, millisecondsBetween } from '../../line/reports/task-report/format-figures.ts';
import { Chip, Items, Soft, When } from './parts.tsx';

export const Halts = ({ report }: { readonly report: ReportFacts }) =>
  report.halts.length === 0 ? (
    <p class="soft">This task never halted.</p>
  ) : (
    <>
      {report.halts.map((halt, at) => (
        <Halt key={halt.id} halt={halt} number={at + 1} to={report.to} />
      ))}
    </>
  );

/** What a person answered to the halt before, and said with it. */
export function LastAnswer({ halts }: { readonly halts: readonly HaltFacts[] }) {
  const last = halts.findLast(({ choice }) => choice !== null);
  if (last?.choice == null) return null;
  const { path, by, at, answer, comments, say } = last.choice;
  return (
    <div class="side before">
      <h3>
        {path === null ? answer : `${by} chose “${last.paths[path - 1]?.title ?? `path ${path}`}”`}, <When at={at} />
      </h3>
      <Items items={[...comments, ...(say === null ? [] : [say])]} />
    </div>
  );
}

function Halt({ halt, number, to }: { readonly halt: HaltFacts; readonly number: number; readonly to: string }) {
  const { id, at, trip, phrase, also, paths, steps, choice } = halt;
  return (
    <>
      <h3 id={`halt-${number}`}>
        {number}. {phrase} <Soft>{trip.breaker}</Soft>
      </h3>
      <p>{trip.reason}</p>
      <p class="soft small">
        <When at={at} />; it stood for {formatDuration(millisecondsBetween(at, choice?.at ?? to))}. Halt {id}.
      </p>
      {trip.sides.map(({ who, says }) => (
        <div key={who}>
          <p>
            <b>{who}</b> says:
          </p>
          <blockquote>{says.trim() === '' ? '(nothing)' : says}</blockquote>
        </div>
      ))}
      {also.length === 0 ? null : (
        <ul>
          {also.map(({ breaker, phrase, reason }) => (
            <li key={breaker}>
              Also: <b>{phrase}</b>: {reason}
            </li>
          ))}
        </ul>
      )}
      <div class="cards">
        {paths.map(({ title, does }, index) => (
          <div key={index} class={choice?.path === index + 1 ? 'card taken' : 'card'}>
            <b>
              Path {index + 1}: {title}
            </b>{' '}
            {choice?.path === index + 1 ? <Chip tone="human" text="chosen" /> : null}
            <p>{does}</p>
            <p class="soft">{steps[index]?.next}</p>
            {(steps[index]?.command ?? null) === null ? null : (
              <p>
                <code>{steps[index]?.command}</code>
              </p>
            )}
          </div>
        ))}
      </div>
      <Choice halt={halt} />
    </>
  );
}

const Choice = ({ halt: { at, choice } }: { readonly halt: HaltFacts }) =>
  choice === null ? (
    <p class="bad">No answer so far.</p>
  ) : (
    <>
      <p>
        {choice.answer}, <When at={choice.at} />, {formatDuration(millisecondsBetween(at, choice.at))} after the halt,
        by {choice.how}.
      </p>
      <Items items={choice.comments} />
    </>
  );
