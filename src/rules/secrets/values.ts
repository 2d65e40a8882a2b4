import { entropy, isPlaceholderValue } from './placeholders.ts';

/** Chance, not language: letters and digits, no path and no name. */
export function isRandomValue(value: string, shortest: number, bits: number): boolean {
  if (value.length < shortest || value.length > 300 || !/^[\w.=+/~-]+$/.test(value) || !/[A-Za-z]/.test(value))
    return false;
  if (entropy(value) < bits || NAMED_WITH_NUMBER.test(value) || isProgramName(value)) return false;
  return /\d/.test(value) || isScrambled(value);
}

/** A name of a program: words in one case or in humps, with numbers between them, also members of one another. */
export function isProgramName(value: string): boolean {
  if (/^(?:[a-z][\w-]*|\d+)(?:\/(?:[a-z][a-z_-]*|\d+)){2,}$/.test(value)) return true;
  if (!/^[A-Za-z_$][\w$-]*(?:[.:/][A-Za-z_$][\w$-]*)*$/.test(value)) return false;
  if (/^[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)+$/.test(value)) return true;
  if (!/[A-Z_.]/.test(value)) return false;
  const letters = value.replace(/[^A-Za-z]/g, '').length;
  const inWords = value.match(/[A-Z]?[a-z]{3,}|(?<=[_.]|^)(?:[a-z]{2,}|[A-Z]{2,})(?=[_.]|$)/g)?.join('').length ?? 0;
  return inWords / letters >= 0.5;
}

/** Letters alone whose case changes as often as by chance. */
function isScrambled(value: string): boolean {
  const changes = value.match(/(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g)?.length ?? 0;
  return value.length >= 20 && changes / value.length > 0.4;
}

/**
 * What people and generators make up as a password, where its place alone proves little: printable characters with a
 * letter, a digit and a sign that names and versions do not have, or chance in three classes.
 */
export function isPasswordLike(value: string): boolean {
  if (value.length < 8 || value.length > 128 || !/^[!-~]+$/.test(value) || isPlaceholderValue(value)) return false;
  if (!/[A-Za-z].*[A-Za-z].*[A-Za-z]/.test(value) || !/\d/.test(value) || CODE.test(value)) return false;
  return SIGN.test(value.slice(1)) || (isRandomValue(value, 12, 3) && isMixed(value));
}

/** Something in a place that only a password has: neither a placeholder nor read from elsewhere. */
export function isPassword(value: string): boolean {
  if (value.length < 5 || value.length > 400 || isPlaceholderValue(value)) return false;
  if (ELSEWHERE.test(value) || /^\d+(?:ms|[smhdwy]|[kmg]?i?b)?$/i.test(value)) return false;
  if (/^[!-~]+$/.test(value) && /^[A-Za-z]+$/.test(value)) return isScrambled(value);
  return /[\p{L}]/u.test(value) && (/\d/.test(value) || /[!@#^*?+=~&%]/.test(value));
}

/** Capital and small letters and digits change places as often as by chance. */
function isMixed(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  let changes = 0;
  for (let at = 1; at < value.length; at += 1) if (classOf(value, at) !== classOf(value, at - 1)) changes += 1;
  return changes / value.length >= 0.35;
}

function classOf(text: string, at: number): number {
  const letter = text.charAt(at);
  if (letter >= '0' && letter <= '9') return 0;
  if (letter >= 'a' && letter <= 'z') return 1;
  return letter >= 'A' && letter <= 'Z' ? 2 : 3;
}

/** What a name of a file, a package or a function with a number looks like. */
const NAMED_WITH_NUMBER = /^(?:[A-Za-z]+[-_.:/])*[A-Za-z]+[-_.]?\d{0,4}$/;
/** Signs of a program: calls, members, templates, paths, addresses, escapes, patterns. */
const CODE =
  /[(){}[\]<>"'`;\\|]|\$\w|=>|->|::|&&|\?\.|\+\+|^[/.~#&?=*+-]|:\/\/|\w\.\w+\.\w|[=?&]$|\/.*\/|=.+&|^[\w.-]+@[\w-]+\.\w+$|%[sdv]|^[\w-]+[=:]|[\w-]=\w|^sha\d{3}-|\*[/*]|%[0-9A-F]{2}/i;
const SIGN = /[!@#$%^&*?~]/;
const ELSEWHERE =
  /^[-$/~<{(%[]|\/secrets\/|^\.{1,2}\/|\$\{|\$\(|\{\{|<%|^[A-Za-z]:\\|^@|^["'`]|^\w+\(|:\/\/|\.(?:json|ya?ml|txt|sql|sh|md|conf|p12|pem|key|crt|tar|gz|zip)$/;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A name for a thing that is drawn by chance but secret to no one. */
export const isUuid = (value: string): boolean => UUID.test(value);
