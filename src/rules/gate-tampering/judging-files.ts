import { isConfiguration, lines, partOf } from './configurations.ts';
import type { GateFiles } from './gate-files.ts';
import { isSnapshot, isTestPath } from './test-paths.ts';

/** Whether Python would find an installed module of that name, were there no other before it. */
const isPythonModule = (name: string): boolean => name.startsWith('_') || MODULES.has(name);

/** `sys.stdlib_module_names` of Python 3.11 to 3.14 without private ones, and what tests are written with. */
const MODULES: ReadonlySet<string> = new Set(
  `
  abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
  concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
  decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp
  fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip
  hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
  lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
  multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib
  pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd
  py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
  sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
  sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
  symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit
  tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
  unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp
  zipfile zipimport zlib zoneinfo annotationlib compression string
  _pytest attr attrs coverage django faker flask freezegun hypothesis iniconfig mock mypy nose numpy packaging
  pandas pkg_resources pluggy py pytest pytest_asyncio pytest_cov pytest_mock requests respx responses ruff
  setuptools tomli tox xdist yaml
`
    .trim()
    .split(/\s+/),
);

/** A changed path, and whether the base has it. */
export interface ChangedPath {
  readonly path: string;
  readonly isNew: boolean;
}

export type JudgingGateFiles = Pick<GateFiles, 'definitions' | 'shadows' | 'named'>;

/** Whether a file judges the product instead of being it: a test, what a test reads, or what configures the run. */
export function isJudging({ path, isNew }: ChangedPath, gateFiles: JudgingGateFiles | undefined): boolean {
  return (
    isTestPath(path) ||
    isSnapshot(path) ||
    isConfiguration(path) ||
    GO_MODULE.test(path) ||
    gateFiles?.definitions.has(path) === true ||
    gateFiles?.shadows.has(path) === true ||
    gateFiles?.named.has(path) === true ||
    JUDGING.some((pattern) => pattern.test(path)) ||
    (isNew && shadowsModule(path))
  );
}

/** Whether the judging part of a file that is product as well is the same on both sides, so that the change's one may stay. */
export function hasSameJudgingPart(path: string, before: string, after: string): boolean {
  const part = GO_MODULE.test(path) ? goJudging : partOf(path);
  return part !== undefined && part(before) === part(after);
}

const GO_MODULE = /(?:^|\/)go\.mod$/;
/** A replaced module may be the one that tests assert with. */
const goJudging = lines(/replace|exclude|=>|toolchain|godebug/);

/** What runners load by name or place, one row a runner. */
const JUDGING: readonly RegExp[] = [
  // Data that tests read, and doubles that they load by name.
  /(?:^|\/)(?:fixtures?|__fixtures__|test-?data|test_data|__mocks__|goldens?|cassettes|__screenshots__)\//i,
  // Node.js: packages and their managers, transpilers, environment files, setup files.
  /(?:^|\/)node_modules\//,
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/,
  /(?:^|\/)(?:\.babelrc(?:\.\w+)?|babel\.config\.\w+|\.swcrc|[tj]sconfig(?:\.[\w-]+)*\.json|\.c8rc(?:\.\w+)?|\.env(?:\.[\w.-]+)?|\.node-version|\.nvmrc|\.tool-versions)$/,
  /(?:^|\/)(?:vite|webpack|rollup|rolldown|esbuild|tsup|rspack|swc|loader|loaders)\.config\.\w+$/,
  /(?:^|\/)(?:jest|vitest|mocha|ava|test|tests)[.-]?(?:setup|env|environment|helpers?|utils?|globals?|bootstrap|runner|reporter|preload|register|hooks?)[\w.-]*\.[cm]?[jt]sx?$/i,
  /(?:^|\/)(?:setup|global-?setup|global-?teardown|teardown)[.-]?(?:tests?|jest|vitest|env)?\.[cm]?[jt]sx?$/i,
  // Python: start-up modules, plug-ins, metadata of packages.
  /(?:^|\/)(?:sitecustomize|usercustomize|conftest|setup|noxfile)\.py$|\.pth$/,
  /(?:^|\/)(?:\.?pytest[\w.-]*\.(?:ini|toml)|pyproject\.toml|setup\.cfg|tox\.ini|uv\.lock|poetry\.lock|requirements[\w.-]*\.txt)$/,
  /\.(?:egg-info|dist-info)\/|(?:^|\/)entry_points\.txt$/,
  // Go, Rust, JVM, .NET, PHP, Ruby.
  /(?:^|\/)(?:go\.work(?:\.sum)?|vendor\/.+|testdata\/.+|\.cargo\/.+|rust-toolchain(?:\.toml)?)$/,
  /(?:^|\/)(?:META-INF\/services\/.+|gradle\/.+|gradlew|mvnw|\.mvn\/.+|junit-platform\.properties|global\.json)$/,
  /(?:^|\/)(?:phpunit[\w.-]*\.xml(?:\.dist)?|\.rspec|\.simplecov|\.bundle\/.+)$/,
  // make and its kin, the shell, git and CI.
  /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|\.justfile|Taskfile\.ya?ml|Rakefile|rakefile|tasks\.py|CTestTestfile\.cmake)$|\.mk$/,
  /(?:^|\/)(?:\.shellspec|\.bats.*|\.gitattributes|\.gitmodules|\.envrc)$/,
  /^(?:\.github|\.gitlab|\.circleci|\.husky|\.ci)\/|^\.gitlab-ci\.yml$/,
];

/** A new module at a place that Python looks at first, by the name of one that is installed. */
function shadowsModule(path: string): boolean {
  const [, name] = /^(?:(?:src|lib)\/)?(\w+)(?:\.py|\/__init__\.py|\/__main__\.py)$/.exec(path) ?? [];
  return name !== undefined && isPythonModule(name);
}
