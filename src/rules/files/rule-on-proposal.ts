import type { EnforcementSettings } from '../../project/config/read-settings.ts';
import { formatDoubt, isOpen } from '../model/inspection.ts';
import { runRules } from '../run-rules.ts';
import type { ProjectFiles } from './project-files.ts';
import { loadRulebook } from './rulebook.ts';

interface ProposalRuling {
  /** Why it may not become a contract; empty where nothing forbids it. */
  readonly refused: readonly string[];
  /** Violations that do not stop it. */
  readonly noted: readonly string[];
}

/** Checks a proposal against the project's rules before it is used; hard constraints and undecided rules refuse it. */
export async function ruleOnProposal(
  {
    project,
    enforcement,
    now,
  }: {
    readonly project: ProjectFiles;
    readonly enforcement: EnforcementSettings;
    readonly now: string;
  },
  text: string,
): Promise<ProposalRuling> {
  const book = await loadRulebook(project);
  if (book.rules.length === 0 && book.faults.length === 0) return { refused: [], noted: [] };
  const { exit, because, findings } = await runRules(
    book,
    { plan: text, files: [] },
    { phase: 'ANALYSIS', now, agentType: 'Architect', stack: book.stack },
    {
      surface: 'line',
      mode: enforcement.mode,
      threshold: enforcement.scoreThreshold,
      subject: 'the proposal',
    },
  );
  const noted = findings
    .filter((one) => isOpen(one))
    .map(({ rule, message, reason, not_sure: answer }) =>
      answer === undefined ? `${rule}: ${message} (${reason})` : formatDoubt(rule, reason, answer),
    );
  return exit === 0 ? { refused: [], noted } : { refused: [...because, ...noted], noted: [] };
}
