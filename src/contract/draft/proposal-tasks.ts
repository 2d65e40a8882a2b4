import { stripBold, sectionsOf } from './spec-markdown.ts';

/** The parts of a proposal. */
interface ProposalParts {
  /** Common to every task: title, constraints, limits, notes. */
  readonly common: string;
  /** Each task's own part, with its title as the first heading; empty where the whole proposal is one task. */
  readonly tasks: readonly string[];
}

/**
 * Splits a proposal at its headings `## Task 1: Title`, all of the level of the first one. Text before them, and under
 * another heading of that level or above, is common to all.
 */
export function splitProposal(text: string): ProposalParts {
  const sections = sectionsOf(text);
  const level = sections.find((one) => titleOfTask(one) !== undefined)?.level;
  if (level === undefined) return { common: text, tasks: [] };
  const common: string[] = [];
  const tasks: string[][] = [];
  let part = common;
  for (const one of sections) {
    const title = one.level === level ? titleOfTask(one) : undefined;
    if (title !== undefined) {
      part = [];
      tasks.push(part);
    } else if (one.level > 0 && one.level <= level) part = common;
    if (one.level > 0) part.push(title === undefined ? `${'#'.repeat(one.level)} ${one.heading}` : `# ${title}`);
    part.push(...one.rows);
  }
  return { common: common.join('\n'), tasks: tasks.map((rows) => rows.join('\n')) };
}

/** `Task 2: Title`, `Task: Title`, `3. Task – Title`; the title of the proposal itself is no task. */
function titleOfTask({ level, heading }: { readonly level: number; readonly heading: string }): string | undefined {
  const [whole, number, title = ''] =
    /^(?:\d+[.)]\s+)?task(?:\s+#?(\d+))?(?:\s*:\s*|\s+[–—-]\s+|\s*$)(.*)$/i.exec(stripBold(heading)) ?? [];
  return level < 2 || whole === undefined || (number === undefined && title === '') ? undefined : title.trim();
}
