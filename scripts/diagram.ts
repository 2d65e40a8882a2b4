import { lineMachine } from '../src/line/core/machine.ts';

/** The parts of a machine's definition that the diagram shows. */
interface Arrow {
  readonly target?: unknown;
  readonly guard?: unknown;
}
interface State {
  readonly always?: Arrow | readonly Arrow[];
  readonly on?: Readonly<Record<string, Arrow | readonly Arrow[]>>;
  readonly invoke?: { readonly onDone?: Arrow | readonly Arrow[] };
}

/** The line's machine as a Mermaid state diagram; the first guard of a list that holds is the one that is taken. */
export function diagram(): string {
  const states = Object.entries(lineMachine.config.states ?? {}) as [string, State][];
  const rows = states
    .filter(([name]) => name !== 'routing')
    .flatMap(([name, state]) => [
      ...listOf(state.invoke?.onDone).map((arrow) => row(name, arrow, 'otherwise')),
      ...Object.entries(state.on ?? {}).flatMap(([event, arrows]) =>
        listOf(arrows)
          .filter(({ target }) => target !== undefined)
          .map((arrow) => row(name, arrow, event)),
      ),
    ]);
  const working = states.filter(([, state]) => listOf(state.invoke?.onDone).length > 0).map(([name]) => name);
  const ends = states
    .filter(([name, state]) => name !== 'routing' && listOf(state.invoke?.onDone).length === 0 && !has(state.on))
    .map(([name]) => `  ${name} --> [*]`);
  const halts = Object.keys(lineMachine.config.on ?? {}).flatMap((event) =>
    working.map((name) => `  ${name} --> erik_consultation: ${event}`),
  );
  return ['stateDiagram-v2', `  [*] --> ${working[0] ?? ''}`, ...new Set([...rows, ...halts, ...ends])].join('\n');
}

const has = (on: State['on']): boolean =>
  Object.values(on ?? {}).some((arrows) => listOf(arrows).some(({ target }) => target !== undefined));

function row(from: string, arrow: Arrow, otherwise: string): string {
  return `  ${from} --> ${targetOf(arrow)}: ${guardOf(arrow) ?? otherwise}`;
}

const targetOf = ({ target }: Arrow): string => String(target).replace('#line.', '');

/** A guard's name; of one with a parameter the event it belongs to says enough. */
function guardOf({ guard }: Arrow): string | undefined {
  const { type, params } = (guard ?? {}) as { readonly type?: string; readonly params?: unknown };
  return params === undefined ? type : undefined;
}

const listOf = (arrows: Arrow | readonly Arrow[] | undefined): readonly Arrow[] =>
  arrows === undefined ? [] : Array.isArray(arrows) ? (arrows as readonly Arrow[]) : [arrows as Arrow];
