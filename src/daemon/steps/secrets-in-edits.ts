import { maskKnown } from '../../base/known-secrets.ts';
import type { EditedFile } from '../../record/edited-file.ts';
import type { Services } from '../../wiring/services.ts';

/** The same files; one that holds a known secret, or a piece of one, which it did not hold at `head`, is unfit. */
export async function withoutKnownSecrets(
  { repository }: Pick<Services, 'repository'>,
  head: string,
  edited: readonly EditedFile[],
): Promise<readonly EditedFile[]> {
  const holds = (text: string): boolean => maskKnown(text) !== text;
  const suspects = edited.flatMap((one) =>
    holds(one.path) || ('content' in one && one.content !== null && holds(one.content)) ? [one.path] : [],
  );
  if (suspects.length === 0) return edited;
  const before = await repository.read(head, suspects);
  const decoder = new TextDecoder();
  return edited.map((one) => {
    const { path } = one;
    if (!suspects.includes(path) || holds(decoder.decode(before.get(path)))) return one;
    return { path, unfit: 'holds the value of a key or a password of this machine; take it out' };
  });
}
