import { aFactory, type Factory, type Options } from './factory.ts';
import { THREE_RULES } from './rule-files.ts';

/** A repository with rules, in a mode. */
export const ruled = ({ files = {}, ...rest }: Options = {}, mode = 'strict', rules = THREE_RULES): Promise<Factory> =>
  aFactory({ files: { '.andon/rules/app.yaml': rules, ...files }, projectConfig: { enforcement: { mode } }, ...rest });

/** A line that violates a MUST rule. */
export const EVIL = 'export const a = eval("1");\n';

/** What `--format json` prints; what a test needs of it. */
export interface Report {
  readonly exit: number;
  readonly score: number;
  readonly subject: string;
  readonly findings: readonly {
    readonly rule: string;
    readonly file?: string;
    readonly line?: number;
    readonly fingerprint: string;
    readonly suppressed?: { readonly by: string };
  }[];
  readonly warnings: readonly string[];
  readonly trace?: readonly { readonly step: string; readonly rule?: string }[];
}

/** Runs a command and reads its report. */
export async function asked(factory: Factory, ...args: readonly string[]): Promise<Report> {
  const ended = await factory.andon(...args, '--format', 'json');
  if (ended.stdout === '') throw new Error(ended.stderr);
  return JSON.parse(ended.stdout) as Report;
}
