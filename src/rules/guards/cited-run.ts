import type { ReviewRecords } from './review-records.ts';
import { thingOf } from './tokens.ts';

/** The hashes that a claim names, and the records hold none of; empty where it names none, or one of them is this task's. */
export function strangeHashes(claim: string, { commits }: ReviewRecords): readonly string[] {
  const named = claim.match(/[0-9a-f]{7,64}/g)?.filter((one) => thingOf(one) === 'hash') ?? [];
  if (commits === undefined || named.some((one) => commits.some((known) => known.startsWith(one)))) return [];
  return named;
}

/**
 * The command that a claim names, where the records show others of its kind and not this one: `cargo test` beside npm,
 * `npm run e2e` beside `npm test`. Undefined where it may be one of theirs under another name.
 */
export function strangeCommand(claim: string, { runs }: ReviewRecords): string | undefined {
  const ran = runs.map(({ command, output = '' }) => `${command}\n${output}`.toLowerCase());
  const known = ran.flatMap((text) => toolIn(text)?.trade ?? []);
  const said = toolIn(claim.toLowerCase());
  if (said === undefined || ran.length === 0 || ran.some((text) => text.includes(said.command))) return undefined;
  if (ran.some((text) => /(?<![\w-])(?:make|just|task|sh|bash|docker|nox|tox|bazel)(?![\w-])|\.sh(?!\w)/.test(text)))
    return undefined;
  const isOfTheirs = known.includes(said.trade);
  return known.length > 0 && (!isOfTheirs || said.isScript) ? said.command : undefined;
}

interface Tool {
  readonly command: string;
  readonly trade: string;
  /** A script of the project by its name: no other runs under it. */
  readonly isScript: boolean;
}

function toolIn(text: string): Tool | undefined {
  for (const [trade, pattern] of Object.entries(TRADES)) {
    const command = pattern.exec(text)?.[0];
    if (command !== undefined) return { command, trade, isScript: /^(?:npm|pnpm|yarn|bun) run /.test(command) };
  }
  return undefined;
}

/** What runs tests and checks, by whose it is; a program that a script may run inside stands for its trade alone. */
const TRADES: Readonly<Record<string, RegExp>> = {
  node: /(?<![\w.-])(?:(?:npm|pnpm|yarn|bun) run [\w:-]+|(?:npm|pnpm|yarn|bun) (?:test|t)(?!\w)|(?:npx|node|deno) \S+|vitest|jest|mocha|tsc|eslint)(?![\w-])/,
  python: /(?<![\w.-])(?:pytest|ruff|mypy|pyright|python3? -m \w+)(?![\w-])/,
  rust: /(?<![\w.-])cargo \w+/,
  go: /(?<![\w.-])go (?:test|vet|build|run)(?!\w)/,
  jvm: /(?<![\w.-])(?:\.\/)?(?:gradlew?|mvnw?) [\w:-]+/,
  dotnet: /(?<![\w.-])dotnet \w+/,
  ruby: /(?<![\w.-])(?:rspec|rake \w+|bundle exec \w+)(?![\w-])/,
};
