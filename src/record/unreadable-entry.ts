/** What stands in the place of an entry that cannot be read; it is never written. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly at: string;
  readonly seq: number;
  readonly why: string;
}
