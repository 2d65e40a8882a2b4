/** One thing that was checked; a remedy wherever it is not well. This is also its shape under `--json`. */
export interface DoctorCheck {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly remedy?: string;
  /** The last lines that a failed program printed. */
  readonly output?: string;
}

/** How the doctor runs a command in the cage: without network, shared folders, or an end from outside. */
export const TRIAL_RUN = { network: false, share: [], signal: new AbortController().signal } as const;

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

/** Names the folders in which this doctor works. No task id has a dot, and another doctor has another process. */
export const DOCTOR_PLACE = `doctor.${process.pid}`;
