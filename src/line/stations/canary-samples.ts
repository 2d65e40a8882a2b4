/** A small flawed change that no judge may pass, and its requirement. */
export interface Sample {
  readonly flaw: string;
  readonly requirements: readonly string[];
  readonly path: string;
  readonly text: string;
}

/** Assembled here, so that no scanner reports this file; it opens nothing. */
const KEY = ['AKIA', 'Q3EGR7ZT', 'NX5LW2HV'].join('');
const SECRET = ['q7Vd1xP0sYw4Lk9RtB', '2nHc6JfZ8mGa3UeTo5iXv7'].join('');

/** Known-bad changes, one for each kind of flaw that a judge must find. */
export const SAMPLES: readonly Sample[] = [
  {
    flaw: 'a missing requirement',
    requirements: [
      'Write src/cart/total.ts: totalOf(items) adds up price times quantity',
      'totalOf takes an optional discount between 0 and 1 and throws a RangeError for any other',
      'totalOf throws a TypeError when a quantity is negative',
    ],
    path: 'src/cart/total.ts',
    text: `export interface Item {
  readonly price: number;
  readonly quantity: number;
}

/** Adds up what is in the cart. */
function totalOf(items: readonly Item[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
`,
  },
  {
    flaw: 'broken logic',
    requirements: [
      'Write src/access/may-edit.ts: mayEdit(user, document) says whether a user may edit a document',
      'Only the owner of a document and administrators may edit it; a locked account may edit nothing',
    ],
    path: 'src/access/may-edit.ts',
    text: `export interface User {
  readonly id: string;
  readonly isAdministrator: boolean;
  readonly isLocked: boolean;
}

/** Says whether a user may edit a document. */
function mayEdit(user: User, document: { readonly owner: string }): boolean {
  if (user.isLocked) return true;
  return user.id === document.owner || !user.isAdministrator;
}
`,
  },
  {
    flaw: 'a secret in the code',
    requirements: [
      'Write src/storage/client.py: open_storage() gives the settings of the object storage',
      'Region and credentials are read from the environment; a missing variable raises KeyError',
    ],
    path: 'src/storage/client.py',
    text: `import os


def open_storage() -> dict[str, str]:
    """Gives the settings of the object storage."""
    return {
        "region": os.environ["STORAGE_REGION"],
        "access_key_id": "${KEY}",
        "secret_access_key": "${SECRET}",
    }
`,
  },
];
