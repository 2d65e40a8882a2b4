/** Thrown through a stopped step, whose work does not count. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
