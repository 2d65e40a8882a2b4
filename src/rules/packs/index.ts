import { CONSTITUTIONAL } from './constitutional.ts';
import { GO } from './go.ts';
import { PYTHON } from './python.ts';
import { SECRETS } from './secrets.ts';
import { TYPESCRIPT } from './typescript.ts';

/** A set of rules that is shipped with andon, as the text of a rule file. */
export interface Pack {
  readonly name: string;
  readonly about: string;
  readonly text: string;
}

/** Every pack that `extends` may name. */
export const PACKS: readonly Pack[] = [
  { name: 'constitutional', about: 'who may do what: roles, verdicts, counters, tests', text: CONSTITUTIONAL },
  { name: 'secrets', about: 'no keys, tokens or passwords in what is written', text: SECRETS },
  { name: 'typescript', about: 'a start for TypeScript and JavaScript', text: TYPESCRIPT },
  { name: 'python', about: 'a start for Python', text: PYTHON },
  { name: 'go', about: 'a start for Go', text: GO },
];

/** The pack of a name as rule files write it; an `andon/` in front changes nothing. */
export const packNamed = (name: string): Pack | undefined =>
  PACKS.find(
    (pack) =>
      pack.name ===
      name
        .trim()
        .toLowerCase()
        .replace(/^@?andon[/:]/, ''),
  );
