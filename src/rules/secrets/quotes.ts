/** Which signs make a text in the language of a file, and whether texts stand there without any. */
export function getQuoteRules(path: string): { readonly quoted: string; readonly bare: boolean } {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^(?:[ch]|cc|[ch]pp|cs|java|mm?|rs|kts?|scala|swift)$/.test(ending)) return { quoted: '"', bare: false };
  if (ending === 'go') return { quoted: '"`', bare: false };
  const isProgram = /^(?:[cm]?[jt]sx?|py|rb|php|pl|lua|vue|dart|exs?|json)$/.test(ending);
  return { quoted: '"\'`', bare: !isProgram };
}
