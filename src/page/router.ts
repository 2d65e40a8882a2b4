export interface Route {
  /** The first part of its path; empty = the inbox. */
  readonly kind: string;
  /** Of a task or a halt: its repository and id; else empty. */
  readonly repository: string;
  readonly task: string;
  /** The query string. */
  readonly asked: URLSearchParams;
}

/** Parses path and query; an unknown address yields an unknown page. */
export function parseRoute(address: string): Route {
  const [path = '', query = ''] = address.split('?');
  const [, kind = '', repository = '', task = ''] = path.split('/').map(decoded);
  return { kind, repository, task, asked: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a literal percent sign
  }
}
