/** One thing that was checked; a remedy wherever it is not well. This is also its shape under `--json`. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly remedy?: string;
}

/** Something that is as it must be. */
export const passedCheck = (name: string, detail: string): DoctorCheck => ({ name, state: 'ok', detail });
/** Something the line can work with, but not as well as it could. */
export const warningCheck = (name: string, detail: string, remedy: string): DoctorCheck => ({
  name,
  state: 'warn',
  detail,
  remedy,
});
/** Something the line cannot work with. */
export const failedCheck = (name: string, detail: string, remedy: string): DoctorCheck => ({
  name,
  state: 'fail',
  detail,
  remedy,
});
