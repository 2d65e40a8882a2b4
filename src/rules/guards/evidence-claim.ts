/** One piece of evidence that a review gives. */
export interface EvidenceClaim {
  /** `figure` names or counts something that no record of andon can confirm. */
  readonly kind: 'run' | 'diff' | 'read' | 'figure';
  readonly text: string;
  /** Passed and all tests, where the claim has both. */
  readonly ratio?: { readonly passed: number; readonly all: number } | undefined;
  /** Passed tests, where the claim has no total. */
  readonly passed?: number | undefined;
  readonly diffstat?: { readonly added: number; readonly deleted: number } | undefined;
  readonly paths: readonly string[];
}
