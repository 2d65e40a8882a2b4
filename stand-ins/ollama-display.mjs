// How the ollama command line puts things on a terminal, which it also does when there is no terminal.
import { printError } from './behaviours.mjs';

const GLYPHS = Array.from('⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏');
const TICK_MS = 100;
const WRAP_COLUMNS = 75;
const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';

/**
 * The spinner on stderr: one frame every 100 ms until the first output.
 * @param {string} [message] stands before the glyph
 */
export function startSpinner(message = '') {
  const label = message === '' ? '' : `${message} `;
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    void frame(`${label}${GLYPHS[ticks % GLYPHS.length]} `);
  }, TICK_MS);
  let running = true;
  return {
    /** Called before every streamed chunk: the first call wipes the spinner, the later ones only blink the cursor. */
    async clear() {
      clearInterval(timer);
      if (running) await frame(label);
      await printError(running ? `${HIDE}\x1b[2K\x1b[1G${SHOW}` : `${HIDE}${SHOW}`);
      running = false;
    },
    /** Leaves the last frame standing and goes to the next line, as `pull` does. */
    async stop() {
      clearInterval(timer);
      if (running) await frame(label);
      if (running) await printError('\n');
      running = false;
    },
  };
}

/**
 * Makes the function through which every piece of an answer goes. With word wrap, a word that reaches column 75 is
 * wiped by escape sequences and printed again on the next line; on a pipe this leaves a doubled fragment.
 * @param {boolean} wraps
 * @returns {(piece: string) => string}
 */
export function wordWrapper(wraps) {
  if (!wraps) return (piece) => piece;
  let column = 0;
  let word = '';
  const put = (character) => {
    const width = widthOf(character);
    if (column + 1 > WRAP_COLUMNS) {
      const back = Array.from(word).reduce((sum, each) => sum + widthOf(each), 0);
      if (back > WRAP_COLUMNS - 5) {
        const text = word + character;
        word = '';
        column = 0;
        return text;
      }
      column = back + width;
      return `${back > 0 ? `\x1b[${back}D` : ''}\x1b[K\n${word}${character}`;
    }
    column += width;
    if (character === '\n' || character === '\r') column = 0;
    word = /[ \t\n\r]/.test(character) || width > 1 ? '' : word + character;
    return character;
  };
  return (piece) => Array.from(piece, put).join('');
}

/**
 * A duration as Go prints it: 4.648158s, 382.4ms, 1m5s.
 * @param {number} ms
 */
export function goDuration(ms) {
  if (ms === 0) return '0s';
  if (ms < 0.001) return `${Math.round(ms * 1e6)}ns`;
  if (ms < 1) return `${trimmed(ms * 1000, 3)}µs`;
  if (ms < 1000) return `${trimmed(ms, 6)}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = trimmed((ms % 60_000) / 1000, 9);
  return `${hours ? `${hours}h` : ''}${hours || minutes ? `${minutes}m` : ''}${seconds}s`;
}

/**
 * Columns as wide as their widest cell, four spaces after each.
 * @param {string[][]} rows
 * @param {string} [indent]
 */
export function table(rows, indent = '') {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${indent}${row.map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}    `).join('')}\n`)
    .join('');
}

function frame(content) {
  return printError(`\x1b[?2026h${HIDE}\x1b[1G${content}\x1b[K${SHOW}\x1b[?2026l`);
}

function widthOf(character) {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
    character,
  )
    ? 2
    : 1;
}

function trimmed(number, digits) {
  return String(Number(number.toFixed(digits)));
}
