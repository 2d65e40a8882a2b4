import { parse, stringify } from 'yaml';
import { configJsonSchemas } from './config-schema.ts';

/** The values of a configuration page by key; a missing key has its default. */
export type PageValues = Readonly<Record<string, unknown>>;

/** The page `.andon/config.yaml`: only the keys that are set, each with a comment. */
export function renderConfigPage(values: PageValues): string {
  const { properties } = configJsonSchemas().project as {
    readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  };
  const parts = Object.entries(properties).flatMap(([key, { description = '' }]) =>
    values[key] === undefined
      ? []
      : [`# ${firstSentence(description)} ${DOCS}\n${stringify({ [key]: values[key] }, { lineWidth: 0 })}`],
  );
  return [INTRODUCTION, ...parts].join('\n');
}

export const readPageValues = (page: string): PageValues => (parse(page, { maxAliasCount: 20 }) ?? {}) as PageValues;

const DOCS = 'docs/configuration.md#settings-of-a-repository';
const INTRODUCTION = `# Settings of this repository that differ from the defaults. Commit this file. All keys: ${DOCS} in andon's package.\n`;

/** The first sentence; a period within a file name does not end it. */
const firstSentence = (text: string): string => /^.*?[.](?=\s+[A-Z`]|$)/.exec(text)?.[0] ?? text;
