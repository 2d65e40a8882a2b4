/** A piece of a text: the bytes of its beginning and end, and the size of the whole text. */
export interface TextPiece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly total: number;
}
