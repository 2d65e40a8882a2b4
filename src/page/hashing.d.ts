// The server's types come from pure code that also hashes; none of it runs in a browser.
declare module 'node:crypto' {
  export function createHash(name: string): {
    update(text: string | Uint8Array): { digest(form: 'hex'): string };
  };
}
