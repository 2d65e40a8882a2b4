import { branchName } from '../../../base/names.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { todoRows, todosInWords } from '../../../record/todo.ts';
import type { TodoState } from '../../../record/todo.ts';
import type { TaskReport } from './facts.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { proofs, scopeRows, talkRows } from './plain-facts.ts';

/** What was asked for and within which bounds. */
export function contractSection({ record }: TaskReport): Markup {
  const { specification, holdout } = record.contract;
  const criteria = [...specification.acceptanceCriteria, ...holdout.criteria];
  return markup`<h3>Requirements</h3>
<ol>${specification.requirements.map(item)}</ol>
${criteria.length === 0 ? undefined : markup`<h3>Acceptance criteria</h3><ul>${criteria.map(item)}</ul>`}
${(record.todos ?? []).length === 0 ? undefined : checklist(record.todos ?? [])}<h3>Scope, limits and roles</h3>
${rows(scopeRows(record))}`;
}

/** What of it is known to be met, and how. */
const checklist = (todos: readonly TodoState[]): Markup => markup`<h3>Checklist</h3>
<p class="note">${todosInWords(todos)}</p>
<ul>${todoRows(todos).map(item)}</ul>
`;

/** What to hold the report against: ids that git and the journal can confirm, and the commands that do. */
export function proofSection(report: TaskReport): Markup {
  const { record } = report;
  const target = branchName(record.target);
  return markup`${rows(proofs(report))}
<p class="note">Check it yourself: <code>git rev-parse ${record.change === undefined ? `task/${record.taskId}` : record.change.commit}^{tree}</code> prints the tree; <code>git log --first-parent ${inOneTerminalLine(target, 120)}</code> shows the merge; <code>andon explain ${record.taskId}</code> asks every breaker again.</p>`;
}

/** What the agents said to each other. */
export function talkSection(report: TaskReport): Markup {
  const facts = talkRows(report);
  return facts.length === 0 ? markup`<p class="note">No agent has answered yet.</p>` : rows(facts);
}

const item = (text: string): Markup => markup`<li>${inOneTerminalLine(text, 4000)}</li>`;

const rows = (facts: readonly (readonly [name: string, value: string])[]): Markup =>
  markup`<div class="sheet" tabindex="0"><table><tbody>${facts.map(([name, value]) => markup`<tr><th scope="row">${name}</th><td class="w"><code>${inOneTerminalLine(value, 2000)}</code></td></tr>`)}</tbody></table></div>`;
