/** The shapes of the icons, on a grid of 16. */
const SHAPES = {
  halt: 'M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5zM8 4.5v4M8 11v.5',
  decision: 'M8 1.5 14.5 8 8 14.5 1.5 8z',
  fault: 'M8 2 15 14H1zM8 6v4M8 11.8v.4',
  working: 'M8 1.5a6.5 6.5 0 1 0 0 13zM8 1.5a6.5 6.5 0 0 1 0 13',
  waiting: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M8 4.5V8l2.5 2',
  merged: 'M2 8.5 6 12.5 14 3.5',
  ended: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  inbox: 'M1.5 9.5 4 2.5h8l2.5 7v4h-13zM1.5 9.5H5l1 2h4l1-2h3.5',
  tasks: 'M5.5 3.5h9M5.5 8h9M5.5 12.5h9M1.5 3.5h1M1.5 8h1M1.5 12.5h1',
  queue: 'M5 13.5v-11M5 2.5 2.5 5M5 2.5 7.5 5M11 2.5v11M11 13.5 8.5 11M11 13.5l2.5-2.5',
  insights: 'M2 14V9M6 14V5M10 14V8M14 14V2',
} as const;

export type IconName = keyof typeof SHAPES;

/** A small picture beside words; it says nothing by itself. */
export const Icon = ({ name, tone = '' }: { readonly name: IconName; readonly tone?: string }) => (
  <svg class={`icon ${tone}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={SHAPES[name]} />
  </svg>
);

export const Mark = () => (
  <svg class="mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
    <path d="M1 3.5h18M10 3.5v7.5" />
    <path class="pull" d="M10 11a3 3 0 0 1 3 3v1.5a3 3 0 0 1-6 0V14a3 3 0 0 1 3-3z" />
  </svg>
);
