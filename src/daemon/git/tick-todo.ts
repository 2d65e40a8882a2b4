import { isUtf8 } from 'node:buffer';
import type { LineRecord } from '../../record/line-record.ts';
import { tick } from '../../line/todo.ts';
import type { CommitPlan } from '../../ports/repository.ts';
import type { Needs } from '../../wiring/services.ts';

/** A separate commit that ticks the item of TODO.md that names the task; undefined without such an item. */
export async function tickTodo(
  services: Needs<'repository'>,
  record: LineRecord,
  commit: string,
  plan: Pick<CommitPlan, 'author' | 'committer' | 'sign' | 'at'>,
): Promise<string | undefined> {
  const file = (await services.repository.files(commit)).find(
    ({ path, mode }) => path === 'TODO.md' && mode.startsWith('100'),
  );
  if (file === undefined || (await services.repository.filtered(commit, ['TODO.md'])).size > 0) return undefined;
  const bytes = (await services.repository.read(commit, ['TODO.md'])).get('TODO.md') ?? new Uint8Array();
  if (!isUtf8(bytes)) return undefined; // writing it back would change unrelated bytes
  const text = tick(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), record.taskId);
  if (text === undefined) return undefined;
  const built = await services.repository.build(
    [{ path: 'TODO.md', mode: file.mode as '100644', content: new TextEncoder().encode(text) }],
    {
      ...plan,
      parents: [commit],
      message: `Tick ${record.taskId} in TODO.md\n\nAndon-Task: ${record.taskId}\n`,
    },
  );
  return built.commit;
}
