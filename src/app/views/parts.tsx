import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { formatMoment } from '../../line/reports/task-report/format-figures.ts';

/** How moments are written: in UTC in a file, in local time on a board. */
export const TimeFormat = createContext<(at: string) => string>(formatMoment);

export const When = ({ at }: { readonly at: string }) => <time dateTime={at}>{useContext(TimeFormat)(at)}</time>;

export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly body: ComponentChildren;
}

export const SectionPart = ({ id, title, body }: PageSection) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {body}
  </section>
);

/** A sentence of andon; text in backticks is code. */
export const Words = ({ text }: { readonly text: string }) => (
  <>{text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);

/** More columns than this do not fit on a phone: a row becomes lines there. */
const FEW_COLUMNS = 3;

/** A table that scrolls by itself where it is too wide. A head that ends with `#` is of numbers, with `*` of long texts. */
export const Sheet = (props: {
  readonly name: string;
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}) => (
  <div
    class={props.heads.length > FEW_COLUMNS ? 'sheet stacked' : 'sheet'}
    role="region"
    aria-label={props.name}
    tabIndex={0}
  >
    <table>
      {props.heads.length === 0 ? null : (
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th key={head} scope="col" class={toCellClass(head)}>
                {toColumnName(head)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{props.children}</tbody>
    </table>
  </div>
);

const toCellClass = (head: string): string | undefined =>
  head.endsWith('#') ? 'n' : head.endsWith('*') ? 'w' : undefined;

const toColumnName = (head: string): string => head.replace(/[#*]$/, '');

type Cells = readonly ComponentChildren[];

export const RowCells = ({ heads, cells }: { readonly heads: readonly string[]; readonly cells: Cells }) => (
  <>
    {cells.map((cell, at) => (
      <td
        key={at}
        class={toCellClass(heads[at] ?? '')}
        data-head={toColumnName(heads[at] ?? '') || undefined}
        data-zero={cell === 0 || undefined}
      >
        {cell}
      </td>
    ))}
  </>
);

export const Table = (props: {
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly Cells[];
}) => (
  <Sheet name={props.name} heads={props.heads}>
    {props.rows.map((cells, at) => (
      <tr key={at}>
        <RowCells heads={props.heads} cells={cells} />
      </tr>
    ))}
  </Sheet>
);

export const FactSheet = (props: {
  readonly name: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}) => (
  <Sheet name={props.name} heads={[]}>
    {props.facts.map(([fact, value]) => (
      <tr key={fact}>
        <th scope="row">{fact}</th>
        <td class="w">
          <code>{value}</code>
        </td>
      </tr>
    ))}
  </Sheet>
);

export const Items = ({ items }: { readonly items: readonly string[] }) =>
  items.length === 0 ? null : (
    <ul>
      {items.map((item, at) => (
        <li key={at}>{item}</li>
      ))}
    </ul>
  );

export const TitledList = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) =>
  items.length === 0 ? null : (
    <>
      <p class="soft small">{title}</p>
      <Items items={items} />
    </>
  );

export const Chip = ({ tone, text }: { readonly tone: string; readonly text: string }) => (
  <span class={`chip ${tone}`}>{text}</span>
);

export const Soft = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="soft small">{children}</span>
);
