/** One changed file as text, before and after; undefined where it does not exist. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}
