import { toTerminalLine } from '../../../base/plain-text.ts';
import type { Cost, TaskCost } from '../../cost.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { formatDollars, formatDuration } from './words.ts';

interface Panel {
  readonly name: string;
  readonly className: string;
  readonly value: (cost: Cost) => number;
  readonly text: (cost: Cost) => string;
}

const PANELS: readonly Panel[] = [
  { name: 'Dollars', className: 'money', value: ({ usd }) => usd, text: ({ usd }) => formatDollars(usd) },
  {
    name: 'Time of agents',
    className: 'minutes',
    value: ({ minutes }) => minutes,
    text: ({ minutes }) => formatDuration(minutes * 60_000),
  },
];
const ROW = 34;
const HEAD = 28;

/** The cost of each role in both currencies, side by side; on a phone stacked. */
export const costChart = (cost: TaskCost): Markup =>
  markup`<div class="wide">${draw(cost, 'wide', 960)}</div><div class="narrow">${draw(cost, 'narrow', 360)}</div>`;

const formatRole = ({ station, model }: TaskCost['rows'][number]): string =>
  toTerminalLine(`${station.replace('-', ' ')}${model === '' ? '' : ` · ${model}`}`, 33);

function draw({ rows }: TaskCost, id: string, width: number): Markup {
  const isWide = id === 'wide';
  const left = isWide ? 236 : 0;
  const panelWidth = isWide ? (width - left - 24) / 2 : width;
  const panelHeight = HEAD + rows.length * (isWide ? ROW : ROW + 14);
  const height = isWide ? panelHeight : panelHeight * 2;
  const spoken = rows.map((row) => `${formatRole(row)}: ${PANELS.map(({ text }) => text(row)).join(', ')}`).join('; ');
  return markup`<svg class="picture" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="cost-title-${id} cost-desc-${id}">
<title id="cost-title-${id}">Cost of each role, in dollars and in time of agents</title>
<desc id="cost-desc-${id}">${spoken}</desc>
${isWide ? rows.map((row, index) => markup`<text class="lane" x="0" y="${HEAD + index * ROW + 21}">${formatRole(row)}</text>`) : undefined}
${PANELS.map((panel, index) =>
  panelOf(panel, rows, {
    x: isWide ? left + index * (panelWidth + 24) : 0,
    y: isWide ? 0 : index * panelHeight,
    width: panelWidth,
    isWide,
  }),
)}
</svg>`;
}

function panelOf(
  panel: Panel,
  rows: TaskCost['rows'],
  { x, y, width, isWide }: { readonly x: number; readonly y: number; readonly width: number; readonly isWide: boolean },
): Markup {
  const most = Math.max(...rows.map(panel.value), 0);
  const room = width - 96;
  const row = isWide ? ROW : ROW + 14;
  return markup`<text class="panel" x="${x}" y="${y + 14}">${panel.name}</text><line class="rail" x1="${x}" x2="${x}" y1="${y + HEAD - 4}" y2="${y + HEAD + rows.length * row - 4}"/>${rows.map(
    (cost, index) => {
      const top = y + HEAD + index * row + (isWide ? 7 : 19);
      const length = most === 0 ? 0 : Math.max(panel.value(cost) > 0 ? 2 : 0, (panel.value(cost) / most) * room);
      const name = isWide
        ? undefined
        : markup`<text class="lane" x="${x + 6}" y="${top - 5}">${formatRole(cost)}</text>`;
      const about = cost.unknown > 0 ? '≥ ' : '';
      return markup`<g><title>${`${formatRole(cost)}: ${about}${panel.text(cost)}`}</title>${name}<rect class="${panel.className}" x="${x}" y="${top}" width="${Math.round(length)}" height="20" rx="2"/><text class="value" x="${x + Math.round(length) + 7}" y="${top + 15}">${about}${panel.text(cost)}</text></g>`;
    },
  )}`;
}
