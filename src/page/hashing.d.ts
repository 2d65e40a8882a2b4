// What the server tells is typed by pure code that also hashes; nothing of that runs in a browser.
declare module 'node:crypto' {
  export function createHash(name: string): {
    update(text: string | Uint8Array): { digest(form: 'hex'): string };
  };
}
