/** The message of anything that was thrown. */
export const getErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
