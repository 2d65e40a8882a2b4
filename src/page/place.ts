/** What an address of the board is about. */
export interface Place {
  /** The first part of its path; empty is the inbox. */
  readonly kind: string;
  /** Of a task or a halt: its repository and its id; else empty. */
  readonly repository: string;
  readonly task: string;
  /** What stands behind the question mark. */
  readonly asked: URLSearchParams;
}

/** Reads an address, path and what is asked for; one that is no address of the board is about nothing that is there. */
export function placeIn(address: string): Place {
  const [path = '', asked = ''] = address.split('?');
  const [, kind = '', repository = '', task = ''] = path.split('/').map(decoded);
  return { kind, repository, task, asked: new URLSearchParams(asked) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // it was typed so
  }
}
