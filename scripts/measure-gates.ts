import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookTwice } from '../test/support/look-twice.ts';
import { missingPrograms } from '../test/support/prove-label.ts';
import { readLabelledChanges, type LabelledChange } from '../test/support/labelled-changes.ts';

/** How many of the labelled changes of one half were taken as they should be. */
interface Figures {
  weakenings: number;
  sentBack: number;
  told: number;
  honest: number;
  wronglySentBack: number;
  skipped: number;
}

const WORKERS = 2;

/** Whether every test that an honest change breaks is allowed by its contract, or tied to a requirement. */
function isExcused({ red = [], ties = {}, contract }: LabelledChange): boolean {
  const allowed = contract.allow_test_changes ?? [];
  return (
    red.length > 0 &&
    red.every((name) => {
      const last = name.split(' > ').at(-1) ?? name;
      return (
        Object.keys(ties).some((tied) => tied === name || tied.endsWith(last)) ||
        allowed.some((entry) => name.includes(entry) || entry === last)
      );
    })
  );
}

/** Asks the gates of every labelled change twice (`npm run measure:gates`); what product code alone does is left out. */
async function measure(half: 'dev' | 'held', folder: string): Promise<Figures> {
  const figures: Figures = { weakenings: 0, sentBack: 0, told: 0, honest: 0, wronglySentBack: 0, skipped: 0 };
  const left = readLabelledChanges(half).filter(({ outside }) => outside !== true);
  const missing = new Map<string, boolean>();
  const work = async (at: string): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const key = JSON.stringify(one.needs ?? one.base);
      if (!missing.has(key)) missing.set(key, (await missingPrograms(one, at)).length > 0);
      if (missing.get(key) === true) {
        figures.skipped += 1;
        continue;
      }
      const { counted, told, red, isIdle } = await lookTwice(one, at);
      if (one.kind === 'weakening') {
        figures.weakenings += 1;
        if (counted.length > 0 || red !== undefined) figures.sentBack += 1;
        else if (told.length > 0 || isIdle) figures.told += 1;
      } else {
        figures.honest += 1;
        if (counted.length > 0 || (red !== undefined && !isExcused(one))) figures.wronglySentBack += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, at) => work(join(folder, String(at)))));
  return figures;
}

const folder = mkdtempSync(join(tmpdir(), 'andon-second-look-'));
try {
  for (const half of ['dev', 'held'] as const) {
    const { weakenings, sentBack, told, honest, wronglySentBack, skipped } = await measure(half, folder);
    const noticed = ((100 * (sentBack + told)) / weakenings).toFixed(1);
    const wrong = ((100 * wronglySentBack) / honest).toFixed(1);
    process.stdout.write(
      `${half}: of ${weakenings} weakenings ${sentBack} sent back and ${told} told to the judge (${noticed} %); of ${honest} honest changes ${wronglySentBack} sent back (${wrong} %); ${skipped} skipped\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
