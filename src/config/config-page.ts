import { parse, stringify } from 'yaml';
import { configJsonSchemas } from './config-schema.ts';

/** The values of a configuration page by key. */
export type PageValues = Readonly<Record<string, unknown>>;

const ROOT = configJsonSchemas().project as {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
};

const INTRODUCTION = `# What this repository decides about its own line. It counts once it is committed.
# Every other setting has its default: see docs/configuration.md of andon.`;

/** The page `.andon/config.yaml`: the keys that are set, each with one line about it. */
export function renderConfigPage(values: PageValues): string {
  const settings = Object.entries(ROOT.properties).flatMap(([key, { description = '' }]) =>
    values[key] === undefined
      ? []
      : [`# ${firstSentence(description)}\n${stringify({ [key]: values[key] }, { lineWidth: 0 }).trimEnd()}`],
  );
  return `${[INTRODUCTION, ...settings].join('\n\n')}\n`;
}

/** The values on a page, to write it again with others. */
export const readPageValues = (page: string): PageValues => (parse(page, { maxAliasCount: 20 }) ?? {}) as PageValues;

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, ' ') ?? text;
