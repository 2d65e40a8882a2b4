import type { Root, Stack } from './stack.ts';

/** What a Python project proposes: an environment in `.venv` by whatever locks its packages, pytest as the gate. */
export function pythonStack(root: Root): Stack | undefined {
  const { has, text } = root;
  if (!has('pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', ...LOCKS.flatMap(({ file }) => file)))
    return undefined;
  const lock = LOCKS.find(({ file }) => has(file));
  const python = lock === undefined && !has('.venv') ? 'python3' : '.venv/bin/python';
  const project = text('pyproject.toml');
  const packages = `${project}\n${text('requirements-dev.txt')}\n${text('requirements.txt')}\n${text('Pipfile')}`;
  const hasPytest = has('pytest.ini', 'tox.ini', 'conftest.py') || /pytest/.test(packages);
  const hasTests = has('tests', 'test') || root.names.some((name) => /^test_.*\.py$/.test(name));
  const test = hasPytest
    ? [{ name: 'pytest', run: `${python} -m pytest -q` }]
    : [{ name: 'unittest', run: `${python} -m unittest discover` }].filter(() => hasTests);
  return {
    names: [lock?.name ?? 'python'],
    setup: lock === undefined ? [] : [lock.install],
    share: lock === undefined && !has('.venv') ? [] : ['.venv'],
    gates: [
      ...(/\[tool\.ruff/.test(project) || has('ruff.toml', '.ruff.toml')
        ? [{ name: 'ruff', run: `${python} -m ruff check --no-cache .` }]
        : []),
      ...(/\[tool\.mypy/.test(project) || has('mypy.ini') ? [{ name: 'mypy', run: `${python} -m mypy .` }] : []),
      ...test,
    ],
    notes: [],
  };
}

/** What says which packages there are, and how they get into `.venv`; the first that is there counts. */
const LOCKS = [
  { name: 'uv', file: 'uv.lock', install: 'uv sync --frozen' },
  {
    name: 'poetry',
    file: 'poetry.lock',
    install: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction',
  },
  { name: 'pipenv', file: 'Pipfile.lock', install: 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev' },
  { name: 'pip', file: 'requirements-dev.txt', install: pip('requirements-dev.txt') },
  { name: 'pip', file: 'requirements.txt', install: pip('requirements.txt') },
] as const;

function pip(file: string): string {
  return `python3 -m venv .venv && .venv/bin/pip install --quiet -r ${file}`;
}
