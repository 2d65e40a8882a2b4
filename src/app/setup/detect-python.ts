import { readToml } from '../../project/config/read-toml.ts';
import { JUNIT_FILE } from './propose-results.ts';
import { describeUntracked, type ProposedGate, type Root, type Stack } from './stack.ts';

/** What a Python project proposes: an environment by the first lock file that git tracks and a program that is here, pytest as the gate. */
export function detectPython(root: Root, isHere: (program: string) => boolean): Stack | undefined {
  const { has, text, tracks } = root;
  if (!has('pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', ...LOCKS.flatMap(({ file }) => file)))
    return undefined;
  const present = LOCKS.filter(({ file }) => has(file));
  const locks = present.filter(({ file }) => tracks(file));
  const lock = locks.find(({ program }) => isHere(program));
  const project = text('pyproject.toml');
  const own = VENVS.find((name) => root.exists(`${name}/bin/python`));
  const venv = lock === undefined ? own : '.venv';
  const python = venv === undefined ? 'python3' : `${venv}/bin/python`;
  const packages = `${project}\n${text('requirements-dev.txt')}\n${text('requirements.txt')}\n${text('Pipfile')}`;
  const tests = ['tests', 'test'].find((name) => has(name));
  const testFiles = [...root.names, ...(tests === undefined ? [] : root.files(tests))].filter((path) =>
    TEST.test(path),
  );
  // `unittest discover` runs none of the functions that only pytest finds, and is green.
  const hasPytest =
    has('pytest.ini', 'tox.ini', 'conftest.py') ||
    /pytest/.test(packages) ||
    testFiles.some((path) => PYTEST.test(text(path)));
  const hasTests = tests !== undefined || testFiles.length > 0;
  const sources = listSources(root, project);
  const call = `${sources.length === 0 ? '' : `PYTHONPATH=${sources.join(':')} `}${python} -m`;
  const module = (name: string, words: string): ProposedGate => ({
    name,
    run: `${call} ${name} ${words}`,
    ...(python === 'python3' && { calls: [name] }),
  });
  const names = (tool: string, ...files: readonly string[]): boolean =>
    has(...files) || new RegExp(`\\[tool\\.${tool}|^\\W*${tool}\\b`, 'm').test(packages);
  // Without this file a folder is no package, so `discover` finds nothing in it.
  const start = tests === undefined || root.exists(`${tests}/__init__.py`) ? '' : ` -s ${tests}`;
  const [untracked] = present.filter(({ file }) => !tracks(file));
  const [missing] = locks;
  return {
    names: [lock?.name ?? 'python'],
    setup: lock === undefined ? [] : [lock.install(findPytestGroup(project))],
    share: venv === undefined ? [] : [venv],
    gates: [
      ...(names('ruff', 'ruff.toml', '.ruff.toml') ? [module('ruff', 'check --no-cache .')] : []),
      ...(names('mypy', 'mypy.ini') ? [module('mypy', '.')] : []),
      ...(hasPytest ? [{ ...module('pytest', `-q --junitxml=${JUNIT_FILE}`), results: JUNIT_FILE }] : []),
      ...(!hasPytest && hasTests ? [{ name: 'unittest', run: `${call} unittest discover${start}` }] : []),
    ],
    notes: [
      ...(missing === undefined || missing === lock
        ? []
        : [
            `${missing.program} is not on PATH, so ${missing.file} is not used; ${lock === undefined ? 'nothing prepares the packages' : `${lock.file} is`}`,
          ]),
      ...(lock === undefined && untracked !== undefined
        ? [describeUntracked(untracked.file, root, { installed: venv, install: INSTALL_PROJECT })]
        : []),
    ],
  };
}

const INSTALL_PROJECT = { setup: ['python3 -m venv .venv && .venv/bin/pip install --quiet .'], share: ['.venv'] };

const TEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
/** What only pytest reads: its own module, or a test outside a class. */
const PYTEST = /^(?:import pytest|from pytest\b|(?:async )?def test_)/m;

const VENVS = ['.venv', 'venv', 'env'] as const;

/**
 * Folders of sources that Python does not search by itself. An editable install points to the tree that `setup` prepared,
 * so gates would import the base instead of the change: these folders come first.
 */
function listSources({ folders }: Root, project: string): readonly string[] {
  const { tool } = parseProject(project);
  const { workspace } = Object(Object(tool).uv) as { workspace?: { members?: unknown } };
  const members = [Object(workspace).members ?? []].flat().flatMap((pattern) => folders(String(pattern)));
  return ['', ...members.map((member) => `${member}/`)].flatMap((place) => {
    const isPackage = folders(`${place}src/*`).length > 0;
    if (isPackage) return [`${place}src`];
    return place === '' ? [] : [place.slice(0, -1)];
  });
}

/** The optional group of packages in which pytest is; undefined where it is installed anyway. */
function findPytestGroup(project: string): PytestGroup | undefined {
  const { project: table, 'dependency-groups': groups, tool } = parseProject(project);
  const findGroupOf = (map: unknown): string | undefined =>
    Object.entries(Object(map) as object).find(
      ([name, list]) => /^[\w.-]+$/.test(name) && [list].flat().some((one) => /^pytest\b/.test(String(one))),
    )?.[0];
  const extra = findGroupOf(Object(table)['optional-dependencies']);
  const group = findGroupOf(groups);
  const poetry = Object.entries(Object(Object(Object(tool).poetry).group) as object).find(
    ([name, one]) => /^[\w.-]+$/.test(name) && 'pytest' in Object(Object(one).dependencies),
  )?.[0];
  if (group !== undefined) return group === 'dev' ? undefined : { kind: 'group', name: group };
  if (poetry !== undefined) return { kind: 'group', name: poetry };
  return extra === undefined ? undefined : { kind: 'extra', name: extra };
}

interface PytestGroup {
  readonly kind: 'extra' | 'group';
  readonly name: string;
}

const parseProject = (project: string): Record<string, unknown> => {
  const read = readToml(project);
  return read.ok ? read.value : {};
};

/** What says which packages there are, and how they get into `.venv`; the first that is there counts. */
const LOCKS = [
  {
    name: 'uv',
    program: 'uv',
    file: 'uv.lock',
    install: (group?: PytestGroup) => `uv sync --frozen${group === undefined ? '' : ` --${group.kind} ${group.name}`}`,
  },
  {
    name: 'poetry',
    program: 'poetry',
    file: 'poetry.lock',
    install: (group?: PytestGroup) =>
      `POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction${group === undefined ? '' : ` --${group.kind === 'extra' ? 'extras' : 'with'} ${group.name}`}`,
  },
  {
    name: 'pipenv',
    program: 'pipenv',
    file: 'Pipfile.lock',
    install: () => 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev',
  },
  { name: 'pip', program: 'python3', file: 'requirements-dev.txt', install: () => pip('requirements-dev.txt') },
  { name: 'pip', program: 'python3', file: 'requirements.txt', install: () => pip('requirements.txt') },
] as const;

function pip(file: string): string {
  return `python3 -m venv .venv && .venv/bin/pip install --quiet -r ${file}`;
}
