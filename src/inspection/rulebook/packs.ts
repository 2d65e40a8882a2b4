import { shippedNames, shippedText } from '../../wiring/own-files.ts';
import type { Packs } from '../../rules/load/read-rulebook.ts';

/** The packs that are shipped: the rule files in `shipped/packs/`. */
export const PACKS: Packs = {
  get names() {
    return shippedNames('packs').map((file) => file.replace(/\.yaml$/, ''));
  },
  textOf: (name) => shippedText(`packs/${name}.yaml`),
};
