import { blankLiterals } from './blank-literals.ts';
import { functionsByBraces } from './functions-by-braces.ts';
import type { FoundFunction } from './functions-by-braces.ts';
import { functionsByIndent } from './functions-by-indent.ts';

/** The functions of a file by the ending of its path; undefined for a language that is not known. */
export function functionsIn(path: string, code: string): readonly FoundFunction[] | undefined {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ending === 'py' || ending === 'pyi') return functionsByIndent(blankLiterals(code, 'python'));
  if (/^(?:[cm]?[jt]sx?)$/.test(ending)) return functionsByBraces(blankLiterals(code, 'script'));
  if (BRACED.includes(ending)) return functionsByBraces(blankLiterals(code, 'other'));
  return undefined;
}

const BRACED: readonly string[] = [
  'go',
  'java',
  'kt',
  'c',
  'h',
  'cc',
  'cpp',
  'hpp',
  'cs',
  'rs',
  'swift',
  'scala',
  'php',
  'dart',
];
