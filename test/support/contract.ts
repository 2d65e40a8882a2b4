import { createHash } from 'node:crypto';

/** A contract as it is written to `_handoff/`. */
export type Contract = Record<string, unknown> & { task_id: string };

/** How a contract spells the hash of a source file. */
export const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('hex')}`;

/** A valid contract of schema 1.0 for the sample repository; change one thing, by its path: `{'limits.max_rebuttals': 0}`. */
export function aContract(changes: Readonly<Record<string, unknown>> = {}): Contract {
  const contract: Contract = {
    schema_version: '1.0',
    task_id: 'DOC-001',
    project: 'Project-A',
    roles: { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli' },
    limits: { max_rebuttals: 2, max_review_cycles: 5, timeout_minutes: 10 },
    constraints: { allowed_paths: ['docs/'], forbidden_paths: ['.env'], allow_deletes: false, max_diff_size: 200 },
    specification: { target_file: 'docs/auth_final.md', requirements: ['Merge both documents into one'] },
  };
  for (const [path, value] of Object.entries(changes)) set(contract, path.split('.'), value);
  return contract;
}

/** Sets or, with `undefined`, removes what stands at a path. */
function set(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === undefined) delete target[key];
    else target[key] = value;
    return;
  }
  const inner = { ...(target[key] as Record<string, unknown> | undefined) };
  target[key] = inner;
  set(inner, rest, value);
}
