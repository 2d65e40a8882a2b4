import { compareVersions, satisfies, validate } from 'compare-versions';

/** The first version in a line, such as 0.169.0 in `codex-cli 0.169.0`. */
export const findVersion = (line: string): string | undefined => /\d+(?:\.\d+){1,3}/.exec(line)?.[0];

/** Whether a text is a version of a rule: one to four numbers, with a pre-release or a build. */
export const isVersion = (text: string): boolean => /^\d[\d.]*(?:[-+]|$)/.test(text) && validate(text);

/** Whether a version precedes another; missing numbers are 0, and a pre-release precedes its release. */
export const isOlder = (version: string, than: string): boolean => compareVersions(version, than) < 0;

/** Whether a version is in a range of package.json. */
export const isInRange = (version: string, range: string): boolean => satisfies(version, range);
