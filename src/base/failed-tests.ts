/** The failed tests of a gate with the first lines of their messages; empty where none is known. */
export function describeFailedTests(
  failures: readonly { readonly name: string; readonly message?: string | undefined }[] = [],
): string {
  if (failures.length === 0) return '';
  const rows = failures.map(({ name, message }) =>
    message === undefined ? `- ${name}` : `- ${name}\n${message.replace(/^\s*/gm, '    ')}`,
  );
  return ['Failed tests:', ...rows].join('\n');
}
