import { foldPath } from './path-spellings.ts';

/**
 * Files that control people's tools rather than the product, and why a task may change one only if its contract names
 * it.
 */
interface ProtectedKind {
  readonly why: string;
  readonly paths: readonly string[];
}

/** Changes to the list: patterns that a project adds, entries that a user removes. */
export interface ProtectedChange {
  readonly more: readonly string[];
  readonly less: readonly string[];
}

const kind = (why: string, ...lines: readonly string[]): ProtectedKind => ({
  why,
  paths: lines.flatMap((line) => line.split(' ')),
});

/** The list, by reasons. A name counts in any folder, with everything below it; a `*` matches any letters of a name. */
export const PROTECTED: readonly ProtectedKind[] = [
  kind('andon trusts these folders', '_handoff/ .andon/ .rulebound/'),
  kind('git runs, filters, hides or fetches with them', '.git*'),
  kind(
    'secrets, and files that direnv and similar tools run on entering the folder',
    '.env .env.* .envrc .direnv/',
    'mise.toml mise.local.toml .mise.toml .mise.local.toml .mise/ .rtx.toml devbox.json .netrc .pypirc',
  ),
  kind(
    'a host runs them with secrets and push rights, or they name who must approve',
    '.github/workflows/ .github/actions/ .github/dependabot.yml .github/dependabot.yaml .github/settings.yml .gitlab-ci.yml .gitlab/ .forgejo/ .gitea/',
    'CODEOWNERS .circleci/ circle.yml .travis.yml .appveyor.yml appveyor.yml Jenkinsfile Jenkinsfile.* azure-pipelines.yml azure-pipelines.yaml .azure-pipelines/ .azuredevops/',
    'bitbucket-pipelines.yml .buildkite/ .drone.yml .drone.star .woodpecker/ .woodpecker.yml .woodpecker.yaml .semaphore/ .teamcity/ .cirrus.yml .cirrus.star .builds/ .build.yml',
    'buildspec.yml buildspec.yaml cloudbuild.yaml cloudbuild.yml codemagic.yaml .tekton/ .mergify.yml .mergify/ renovate.json renovate.json5 .renovaterc .renovaterc.json',
  ),
  kind(
    'agents obey them, or start programs from them',
    'CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md AGENT.md GEMINI.md QWEN.md WARP.md copilot-instructions.md .claude/ .claude.json .mcp.json mcp.json .agents/ .agent/ .codex/ .gemini/ .qwen/',
    '.cursor/ .cursorrules .cursorignore .opencode/ opencode.json opencode.jsonc .aider* .continue/ .continuerules .windsurf/ .windsurfrules .clinerules .cline/ .roo/ .roorules* .roomodes .kilocode/ .kiro/',
    '.amazonq/ .augment/ .augment-guidelines .junie/ .goose/ .goosehints .trae/ .factory/ .devin/ .crush/ .crush.json crush.json .rules .ruler/ .rulesync/',
    '.github/instructions/ .github/prompts/ .github/chatmodes/ .github/agents/ .github/hooks/ .github/skills/',
  ),
  kind(
    'editors and hosted workspaces run their tasks on opening the folder',
    '.vscode/ .idea/ .zed/ .fleet/ .nova/ .vs/ .helix/ *.code-workspace *.sublime-project .exrc .nvimrc .nvim.lua .vimrc .lvimrc .dir-locals.el .dir-locals-2.el',
    '.devcontainer/ .devcontainer.json .gitpod.yml .gitpod.* .idx/ .replit .codesandbox/ .stackblitzrc .ona/',
  ),
  kind(
    'they run at the next commit or push in this clone',
    '.husky/ .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml prek.toml .lefthook/ lefthook.* .lefthook.* lefthook-local.* .lefthook-local.* .overcommit.yml',
    '.simple-git-hooks.* simple-git-hooks.* .lintstagedrc .lintstagedrc.* lint-staged.config.* .huskyrc .huskyrc.*',
  ),
  kind(
    'they name the source of packages and the scripts of their installation',
    '.npmrc .yarnrc .yarnrc.yml .yarn/ .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml bunfig.toml .bunfig.toml pip.conf pip.ini uv.toml .condarc .cargo/ .bundle/ NuGet.Config .mvn/ gradle-wrapper.properties gradle-wrapper.jar',
  ),
  kind(
    'their pins run with the next build, without a review line by line',
    'package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock poetry.lock uv.lock pdm.lock pixi.lock pylock.toml pylock.*.toml Pipfile.lock conda-lock.yml go.sum go.work.sum',
    'Gemfile.lock gems.locked composer.lock mix.lock rebar.lock pubspec.lock Podfile.lock Package.resolved Cartfile.resolved packages.lock.json gradle.lockfile buildscript-gradle.lockfile verification-metadata.xml flake.lock devbox.lock mise.lock',
    'stack.yaml.lock cabal.project.freeze cpanfile.snapshot conan.lock shard.lock MODULE.bazel.lock .terraform.lock.hcl Chart.lock',
  ),
];

/** Every entry of the list. */
export const PROTECTED_PATHS: readonly string[] = PROTECTED.flatMap(({ paths }) => paths);

/** Whether a spelling of a path (folded) matches an entry of the list; `less` are removed entries. */
export function isProtectedSpelling(spelling: string, less: readonly string[] = []): boolean {
  const segments = spelling.split('/');
  if (isNeverOpen(segments)) return true;
  const entries = entriesWithout(less);
  return segments.some((segment, at) => isProtectedName(segment, segments[at + 1], entries));
}

/** git's own, the line's and andon's: no contract and no configuration opens them. */
export const isNeverOpen = (segments: readonly string[]): boolean =>
  NEVER_OPEN.has(segments[0] ?? '') || segments.some(isDotGit);

/** `.git`, also by its short name on Windows. */
export const isDotGit = (segment: string): boolean => segment === '.git' || /^git~\d+$/.test(segment);

/** An entry for comparison: with and without a closing slash are the same. */
export const foldProtectedEntry = (entry: string): string => foldPath(entry.replace(/^\.\//, '').replace(/\/$/, ''));

interface Entries {
  readonly names: ReadonlySet<string>;
  /** `folder/name` */
  readonly pairs: ReadonlySet<string>;
  /** The text before and after the `*`. */
  readonly wild: readonly (readonly [before: string, behind: string])[];
}

function isProtectedName(segment: string, next: string | undefined, entries: Entries): boolean {
  if (SHORT_NAME.test(segment) || entries.names.has(segment)) return true;
  if (next !== undefined && entries.pairs.has(`${segment}/${next}`)) return true;
  // Most of `.github` is for people alone.
  if ((segment === '.github' && next !== undefined) || EXAMPLES.has(segment)) return false;
  return entries.wild.some(
    ([before, behind]) =>
      segment.length >= before.length + behind.length && segment.startsWith(before) && segment.endsWith(behind),
  );
}

function entriesWithout(less: readonly string[]): Entries {
  const known = COMPILED.get(less);
  if (known !== undefined) return known;
  const out = new Set(less.map(foldProtectedEntry));
  const kept = PROTECTED_PATHS.map(foldProtectedEntry).filter((entry) => !out.has(entry) && !NEVER_OPEN.has(entry));
  const wild = kept.filter((entry) => entry.includes('*'));
  const made = {
    names: new Set(kept.filter((entry) => !entry.includes('*') && !entry.includes('/'))),
    pairs: new Set(kept.filter((entry) => entry.includes('/'))),
    wild: wild.map((entry) => [entry.slice(0, entry.indexOf('*')), entry.slice(entry.indexOf('*') + 1)] as const),
  };
  COMPILED.set(less, made);
  return made;
}

const COMPILED = new WeakMap<readonly string[], Entries>();
const NEVER_OPEN: ReadonlySet<string> = new Set(['_handoff', '.andon']);
/** Meant to be read and copied by people. */
const EXAMPLES: ReadonlySet<string> = new Set(['.env.example', '.env.sample']);
/** Windows also opens a long name by its short one: `GITMOD~1` is `.gitmodules`. */
const SHORT_NAME = /^[^.~]{1,6}~\d/;
