import type { ChangedText } from './changed-text.ts';

/** What tells a checker to be silent, by the name under which it is counted. */
const MARKS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['@ts-ignore, @ts-nocheck or @ts-expect-error', /@ts-(?:ignore|nocheck|expect-error)\b/g],
  ['a type taken for any', /\bas (?:any|unknown as|never)\b|<any>|:\s*any\b/g],
  ['a linter that is disabled', /\b(?:eslint|oxlint|tslint|stylelint|biome|deno-lint)-(?:disable|ignore)\S*/g],
  ['a formatter that is disabled', /\b(?:prettier|rustfmt|fmt|dprint)(?:-|: ?|::)(?:ignore|off|skip)\b/g],
  ['coverage that is not counted', /\b(?:istanbul|c8|v8|node:coverage)\b[ :](?:ignore|disable)|pragma: no cover/g],
  [
    'a check of Python that is disabled',
    /#\s*(?:noqa|type:\s*ignore|mypy:|pylint:\s*disable|ruff:\s*noqa|nosec|pyright:\s*ignore)/g,
  ],
  [
    'a lint of Go or C that is disabled',
    /\bNOLINT\w*|\/\/\s*nolint\b|#pragma (?:GCC|clang) diagnostic ignored|#pragma warning\s*\(?\s*disable/g,
  ],
  ['a lint of Rust that is allowed', /#!?\[(?:allow|cfg_attr\([^)]*allow)\(/g],
  ['a warning that is suppressed', /@SuppressWarnings\b|@SuppressFBWarnings\b|@Suppress\(|NOSONAR|SuppressMessage\(/g],
  [
    'a check of Ruby, PHP or shell that is disabled',
    /rubocop:disable|:nocov:|@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable)|shellcheck disable/g,
  ],
];

/** Describes each kind of silencing mark that has become more frequent. It is a fact for reviewers, and no loss by itself. */
export function findSilencedCheckers(files: readonly ChangedText[]): readonly string[] {
  return MARKS.flatMap(([name, mark]) => {
    const more = files.flatMap(({ path, before, after }) => {
      const [was, is] = [count(before, mark), count(after, mark)];
      return is > was ? [`${path} (${was} -> ${is})`] : [];
    });
    return more.length === 0 ? [] : [`a checker is silenced in more places, ${name}: ${more.slice(0, 8).join(', ')}`];
  });
}

const count = (text: string | undefined, mark: RegExp): number => [...(text ?? '').matchAll(mark)].length;
