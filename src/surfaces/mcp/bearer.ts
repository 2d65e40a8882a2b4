import { isSameSecret } from '../../wiring/open-listener.ts';
import type { Refusal } from '../../wiring/open-listener.ts';

/** Where MCP is served. */
export const PATH = '/mcp';

/** Lets in whoever shows the token, at the one path that is served. */
export function bearer(token: string) {
  return (
    { authorization }: { readonly authorization?: string | undefined },
    _: string,
    path: string,
  ): Refusal | undefined => {
    if (!isSameSecret(authorization ?? '', `Bearer ${token}`))
      return {
        status: 401,
        why: 'the token that `andon mcp --http` printed is missing',
        headers: { 'www-authenticate': 'Bearer realm="andon mcp"' },
      };
    return path === PATH ? undefined : { status: 404, why: `only ${PATH} is served` };
  };
}
