/** Which signs make a text in the language of a file, and whether texts stand there without any. */
export function getQuoteRules(path: string): { readonly quoted: string; readonly bare: boolean } {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (['c', 'h', 'cc', 'cpp', 'hpp', 'cs', 'java', 'm', 'mm', 'rs', 'kt', 'kts', 'scala', 'swift'].includes(ending))
    return { quoted: '"', bare: false };
  if (ending === 'go') return { quoted: '"`', bare: false };
  const isProgram = [
    'js',
    'jsx',
    'mjs',
    'cjs',
    'ts',
    'tsx',
    'mts',
    'cts',
    'py',
    'rb',
    'php',
    'pl',
    'lua',
    'vue',
    'dart',
    'ex',
    'exs',
    'json',
  ].includes(ending);
  return { quoted: '"\'`', bare: !isProgram };
}
