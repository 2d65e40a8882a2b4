import { resumeCommand } from '../../resume-command.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import type { Halt } from '../../../record/trip.ts';
import type { TaskReport } from './facts.ts';
import type { HaltTold } from './halts.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { between, duration, moment } from './words.ts';

/** Every halt: why, the sides, both paths, and who chose which, when and how. */
export const haltsSection = (report: TaskReport): Markup =>
  report.halts.length === 0
    ? markup`<p class="soft">The line never stopped for a human.</p>`
    : markup`${report.halts.map((told, index) => haltPart(told, index + 1, report))}`;

function haltPart({ at, halt, choice }: HaltTold, number: number, { to, record }: TaskReport): Markup {
  const canChoose = choice === undefined && record.halt?.id === halt.id;
  return markup`<h3 id="halt-${number}">${number}. ${halt.trip.breaker}</h3>
<p>${inOneTerminalLine(halt.trip.reason, 1200)}</p>
<p class="note"><time datetime="${at}">${moment(at)}</time>, at ${halt.statusBefore}; it stood for ${duration(between(at, choice?.at ?? to))}. Halt ${halt.id}.</p>
${halt.trip.sides.map(({ who, says }) => markup`<p><b>${inOneTerminalLine(who, 120)}</b> says:</p><blockquote>${says.trim() === '' ? '(nothing)' : says.slice(0, 6000)}</blockquote>`)}
${halt.also.length === 0 ? undefined : markup`<p>Also tripped:</p><ul>${halt.also.map(({ breaker, reason }) => markup`<li><b>${breaker}</b>: ${inOneTerminalLine(reason, 600)}</li>`)}</ul>`}
<div class="paths">${([1, 2] as const).map((path) => pathCard(halt, path, choice?.path, canChoose ? record.taskId : undefined))}</div>
${chosen({ at, halt, choice })}`;
}

function pathCard({ id, paths }: Halt, number: 1 | 2, taken: 1 | 2 | undefined, choosing: string | undefined): Markup {
  const { title, does, effect } = paths[number - 1] ?? paths[0];
  const isTaken = taken === number;
  return markup`<div class="path${isTaken ? ' taken' : ''}"><b>Path ${number}: ${inOneTerminalLine(title, 300)}</b>${isTaken ? markup` <span class="chip human">chosen</span>` : undefined}<p>${inOneTerminalLine(does, 1200)}</p><p class="soft">Goes to ${effect.to}.</p>${choosing === undefined ? undefined : markup`<p><code>${resumeCommand(choosing, number, id)}</code></p>`}</div>`;
}

function chosen({ at, choice }: HaltTold): Markup {
  if (choice === undefined) return markup`<p class="stopped">Nobody has chosen yet.</p>`;
  const what = choice.path === undefined ? choice.by : `${choice.by} chose path ${choice.path}`;
  return markup`<p>${inOneTerminalLine(what, 200)}, <time datetime="${choice.at}">${moment(choice.at)}</time>, ${duration(between(at, choice.at))} after the halt, by ${inOneTerminalLine(choice.how, 120)}.</p>`;
}
