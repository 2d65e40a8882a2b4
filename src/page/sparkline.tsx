/** One bar; null = there is no value. */
interface Point {
  readonly label: string;
  readonly value: number | null;
}

/** Of one bar and its gap, in units of the picture. */
const [STEP, BAR] = [4, 3];
const HEIGHT = 40;
/** The trace of a day without a value. */
const TRACE = 1;

/** A row of bars, a day each. Its name says the numbers to those who do not see it; a bar has its own as a tooltip. */
export function Sparkline({
  name,
  points,
  most = Math.max(...points.map(({ value }) => value ?? 0)),
}: {
  readonly name: string;
  readonly points: readonly Point[];
  readonly most?: number;
}) {
  return (
    <svg
      class="spark"
      role="img"
      aria-label={name}
      viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {points.map(({ label, value }, at) => {
        const height = value === null || value === 0 || most === 0 ? TRACE : Math.max(2, (value / most) * HEIGHT);
        return (
          <rect
            key={label}
            class={height === TRACE ? 'trace' : undefined}
            x={at * STEP}
            y={HEIGHT - height}
            width={BAR}
            height={height}
          >
            <title>{label}</title>
          </rect>
        );
      })}
    </svg>
  );
}
