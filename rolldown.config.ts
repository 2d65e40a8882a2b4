import type { BuildOptions, OutputOptions } from 'rolldown';

const output: OutputOptions = {
  dir: 'dist',
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  cleanDir: true,
  comments: { legal: true },
};

/**
 * One entry, one chunk per command: what a command does not need is not loaded. Packages are bundled, because looking
 * for their many files takes a third of a short command's time; only what you may install for `--llm` stays outside.
 */
const config: BuildOptions & { readonly output: OutputOptions } = {
  input: { main: 'src/main.ts' },
  platform: 'node',
  external: [/^node:/, 'ai', /^@ai-sdk\//],
  output,
};

export default config;
