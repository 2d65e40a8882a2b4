/** One thing that was checked; a remedy wherever it is not well. This is also its shape under `--json`. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly remedy?: string;
}

/** Something that is as it must be. */
export const well = (name: string, detail: string): Check => ({ name, state: 'ok', detail });
/** Something the line can work with, but not as well as it could. */
export const poor = (name: string, detail: string, remedy: string): Check => ({ name, state: 'warn', detail, remedy });
/** Something the line cannot work with. */
export const broken = (name: string, detail: string, remedy: string): Check => ({
  name,
  state: 'fail',
  detail,
  remedy,
});
