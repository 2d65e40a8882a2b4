import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { formatMoment } from '../line/documents/task-report/words.ts';
import { splitCodeSpans } from './code-spans.ts';

/** How moments are written: in UTC in a file, in local time on a board. */
export const TimeFormat = createContext<(at: string) => string>(formatMoment);

export const When = ({ at }: { readonly at: string }) => <time dateTime={at}>{useContext(TimeFormat)(at)}</time>;

/** A part of a page under its heading. */
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
  <>{splitCodeSpans(text).map((one, at) => (one.isCode ? <code key={at}>{one.text}</code> : one.text))}</>
);

/** A table that scrolls by itself where it is too wide; a head that ends with `#` is of numbers. */
export const Sheet = ({
  name,
  heads,
  children,
}: {
  readonly name: string;
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}) => (
  <div class="sheet" role="region" aria-label={name} tabIndex={0}>
    <table>
      {heads.length === 0 ? null : (
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" class={head.endsWith('#') ? 'n' : ''}>
                {head.replace(/#$/, '')}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** A table of names and values. */
export const FactSheet = ({
  name,
  facts,
}: {
  readonly name: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}) => (
  <Sheet name={name} heads={[]}>
    {facts.map(([fact, value]) => (
      <tr key={fact}>
        <th scope="row">{fact}</th>
        <td class="w">
          <code>{value}</code>
        </td>
      </tr>
    ))}
  </Sheet>
);

/** A list under its title; empty where it has no items. */
export const TitledList = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) =>
  items.length === 0 ? null : (
    <>
      <p class="soft small">{title}</p>
      <ul>
        {items.map((item, at) => (
          <li key={at}>{item}</li>
        ))}
      </ul>
    </>
  );

export const Chip = ({ tone, text }: { readonly tone: string; readonly text: string }) => (
  <span class={`chip ${tone}`}>{text}</span>
);

/** `src/a.ts:3`. */
export const formatPlace = ({
  file,
  line,
}: {
  readonly file: string;
  readonly line?: number | null | undefined;
}): string => `${file}${line === undefined || line === null ? '' : `:${line}`}`;
