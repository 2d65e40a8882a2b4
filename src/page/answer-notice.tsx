import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { currentRoute, go } from './current-route.ts';
import { chosen, findNext, hasPreview, openGroup } from './selection.ts';

/** An answer was given: what came of it, and the next halt at the same place for the thumb. */
export function AnswerNotice(props: {
  readonly said: string;
  /** The rows that were answered, and where they were in the list. */
  readonly keys: readonly string[];
  readonly from: number;
}) {
  const next = findNext(props.keys, props.from);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []); // the pressed button is gone
  return (
    <section class="decide answered" aria-label="Answered">
      <p role="status" class="good">
        <Icon name="merged" tone="good" /> {props.said}
      </p>
      <div class="choices">
        <button
          ref={button}
          class="main"
          onClick={() => {
            if (next !== undefined) openGroup(next);
            else if (currentRoute.value.kind !== '') go('/');
            else if (hasPreview.value) chosen.value = undefined;
            else go('/');
          }}
        >
          {next === undefined
            ? 'Back to the inbox'
            : `Next: ${next.rows.length > 1 ? `${next.rows.length} tasks` : next.rows[0].title} →`}
        </button>
      </div>
    </section>
  );
}
