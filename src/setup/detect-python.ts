import { JUNIT_FILE } from './propose-results.ts';
import type { ProposedGate, Root, Stack } from './stack.ts';

/** What a Python project proposes: an environment in `.venv` by whatever locks its packages and is here, pytest as the gate. */
export function detectPython(root: Root, isHere: (program: string) => boolean): Stack | undefined {
  const { has, text } = root;
  if (!has('pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', ...LOCKS.flatMap(({ file }) => file)))
    return undefined;
  const locks = LOCKS.filter(({ file }) => has(file));
  const lock = locks.find(({ program }) => isHere(program));
  const [named] = locks;
  const python = lock === undefined && !has('.venv') ? 'python3' : '.venv/bin/python';
  const project = text('pyproject.toml');
  const packages = `${project}\n${text('requirements-dev.txt')}\n${text('requirements.txt')}\n${text('Pipfile')}`;
  const hasPytest = has('pytest.ini', 'tox.ini', 'conftest.py') || /pytest/.test(packages);
  const hasTests = has('tests', 'test') || root.names.some((name) => /^test_.*\.py$/.test(name));
  const module = (name: string, words: string): ProposedGate => ({
    name,
    run: `${python} -m ${name} ${words}`,
    ...(python === 'python3' && { calls: [name] }),
  });
  const names = (tool: string, ...files: readonly string[]): boolean =>
    has(...files) || new RegExp(`\\[tool\\.${tool}|^\\W*${tool}\\b`, 'm').test(packages);
  return {
    names: [lock?.name ?? 'python'],
    setup: lock === undefined ? [] : [lock.install],
    share: lock === undefined && !has('.venv') ? [] : ['.venv'],
    gates: [
      ...(names('ruff', 'ruff.toml', '.ruff.toml') ? [module('ruff', 'check --no-cache .')] : []),
      ...(names('mypy', 'mypy.ini') ? [module('mypy', '.')] : []),
      ...(hasPytest ? [{ ...module('pytest', `-q --junitxml=${JUNIT_FILE}`), results: JUNIT_FILE }] : []),
      ...(!hasPytest && hasTests ? [{ name: 'unittest', run: `${python} -m unittest discover` }] : []),
    ],
    notes:
      named === undefined || named === lock
        ? []
        : [
            `${named.program} is not on PATH, so ${named.file} is not used; ${lock === undefined ? 'nothing prepares the packages' : `${lock.file} is`}`,
          ],
  };
}

/** What says which packages there are, and how they get into `.venv`; the first that is there counts. */
const LOCKS = [
  { name: 'uv', program: 'uv', file: 'uv.lock', install: 'uv sync --frozen' },
  {
    name: 'poetry',
    program: 'poetry',
    file: 'poetry.lock',
    install: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction',
  },
  { name: 'pipenv', program: 'pipenv', file: 'Pipfile.lock', install: 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev' },
  { name: 'pip', program: 'python3', file: 'requirements-dev.txt', install: pip('requirements-dev.txt') },
  { name: 'pip', program: 'python3', file: 'requirements.txt', install: pip('requirements.txt') },
] as const;

function pip(file: string): string {
  return `python3 -m venv .venv && .venv/bin/pip install --quiet -r ${file}`;
}
