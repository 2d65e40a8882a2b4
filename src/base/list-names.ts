/** The first names, then the number of the others: `a, b and 3 more`. */
export function listNames(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
