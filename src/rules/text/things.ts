import type { Unit } from './units.ts';

/** Whether a unit names a thing rather than a practice, so that denying it says nothing about how it is treated. */
export function isThing({ meanings }: Unit): boolean {
  return meanings.every(({ concept, sign }) => sign === 1 && THINGS.has(concept));
}

/** Whether a unit names a practice that is bad by itself. */
export function isFault({ meanings }: Unit): boolean {
  return meanings.some(({ concept, sign }) => sign === 1 && FAULTS.has(concept));
}

const FAULTS = new Set(
  'hardcode swallow breaking forcepush rewritehistory xss eval concat globalstate float anytype typesilence deadcode duplication cired latesttag uithread magicnumber complexity'.split(
    ' ',
  ),
);

const THINGS = new Set(
  'admin secret sourcecode authtoken userinput sql shell pii productiondata testsystem error uitext timestamp money mainbranch pullrequest image container schemachange database query loop api controller outgoingcall dependency config cookie ci container vulnerability requestid'.split(
    ' ',
  ),
);
