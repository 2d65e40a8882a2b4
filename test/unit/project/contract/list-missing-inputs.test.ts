import { describe, expect, it } from 'vitest';
import { listMissingInputs } from '../../../../src/project/contract/list-missing-inputs.ts';

const there = ['test', 'test/old.test.ts', 'scripts/check.sh', 'pkg'];
const base = { has: (path: string) => there.includes(path), hasScript: (name: string) => name === 'lint' };

describe('what a gate runs and the base has not', () => {
  it.each([
    ['node --test test/new.test.ts', ['test/new.test.ts']],
    ['node --test test/old.test.ts test/new.test.ts', ['test/new.test.ts']],
    ['python3 -m pytest tests/test_new.py::test_one -q', ['tests/test_new.py']],
    ['CI=1 npx vitest run test/new.test.ts', ['test/new.test.ts']],
    ['./scripts/new.sh', ['scripts/new.sh']],
    ['sh scripts/check.sh && sh scripts/new.sh', ['scripts/new.sh']],
    ['cd pkg && go test ./other/...', ['pkg/other']],
    ['npm run check:new', ['the script check:new of package.json']],
    ['uv run pytest "tests/test_b.py"', ['tests/test_b.py']],
  ])('is seen in %s', (run, missing) => {
    expect(listMissingInputs(run, base)).toEqual(missing);
  });

  it.each([
    'npm run lint',
    'sh scripts/check.sh',
    'go test ./...',
    'grep -q Version docs/new.md',
    'test -f docs/new.md',
    '! test -f docs/new.md || grep -q x docs/new.md',
    'node -e "require(\'./lib/new.js\')"',
    'node --test "test/**/*.test.ts"',
    'pytest -q > out/log.txt',
    'bash -c "sh scripts/new.sh"',
    'cd "$DIR" && sh new.sh',
    '/usr/bin/make test',
    'node $SCRIPT',
    'cargo test',
  ])('is nothing in %s', (run) => {
    expect(listMissingInputs(run, base)).toEqual([]);
  });
});
