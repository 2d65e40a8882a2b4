import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { Checkout } from './checkout.ts';
import { listAttributeFiles } from './filters.ts';
import type { RefMove } from './interrupted-merge.ts';
import { findFile } from './listing.ts';
import type { Vault } from './vault.ts';

/** Why a branch was not moved; `wide`: nothing at all could land there now, whatever the change. */
type Refusal = { readonly reason: string; readonly wide?: true };

/** Moves a branch forward, in its checkout or by its ref alone. */
export async function landBranch(
  {
    checkout,
    trees,
    publish,
  }: {
    readonly checkout: Checkout;
    readonly trees: Vault['trees'];
    readonly publish: (refs: readonly RefMove[]) => Promise<Outcome<void, string>>;
  },
  target: string,
  old: string,
  to: string,
): Promise<Outcome<void, Refusal>> {
  const { folder, busy } = await checkout.whereCheckedOut(target);
  if (busy !== undefined) return failure({ reason: busy, wide: true });
  if (folder === undefined) {
    const moved = await publish([{ ref: target, old, to }]);
    return moved.ok ? success(undefined) : failure({ reason: moved.why });
  }
  const [before, after] = [await trees.files(old), await trees.files(to)];
  const changed = (await trees.diff(old, to))
    .flatMap(({ path, from, status }) =>
      from === undefined
        ? [{ path, status }]
        : [
            { path, status: 'added' },
            { path: from, status: 'deleted' },
          ],
    )
    .map((file) => ({ ...file, before: findFile(before, file.path), after: findFile(after, file.path) }));
  const mayFilter = listAttributeFiles(after).length > 0 || (await checkout.hasOwnAttributes());
  const forwarded = await checkout.fastForward({ folder, ref: target, old, to, changed, mayFilter });
  return forwarded.ok ? success(undefined) : failure({ reason: forwarded.why });
}
