import { changeEnforcement, configFile } from '../../../inspection/enforce.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import type { EnforcementSettings } from '../../../config/enforcement-settings.ts';
import { MODES } from '../../../rule-model/rule-words.ts';
import type { Mode } from '../../../rule-model/rule-words.ts';
import { mistake } from '../../../base/problem.ts';
import { flag, textOption } from '../options.ts';
import { json, line } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon enforce`: shows how hard rules are enforced, or changes it in the project's configuration. */
export async function run({ options, cwd, env }: Invocation): Promise<number> {
  const mode = modeOf(textOption(options, 'mode'));
  const scoreThreshold = thresholdOf(textOption(options, 'threshold'));
  const place = await findPlace(cwd, env);
  const isChange = mode !== undefined || scoreThreshold !== undefined;
  const { settings, file } = isChange
    ? changeEnforcement(place, {
        ...(mode === undefined ? {} : { mode }),
        ...(scoreThreshold === undefined ? {} : { scoreThreshold }),
      })
    : { settings: place.settings.enforcement, file: configFile(place.facts.root) };
  if (flag(options, 'json')) json({ ...settings, file, changed: isChange });
  else
    show(
      settings,
      isChange ? `written to ${file}` : `andon enforce --mode <mode> --threshold <score> writes it into ${file}`,
    );
  return 0;
}

function show({ mode, scoreThreshold, autoPromote }: EnforcementSettings, where: string): void {
  line(`mode       ${mode}: ${MEANS[mode]}`);
  line(`threshold  ${scoreThreshold} of 100${mode === 'advisory' ? ' (counts in moderate and strict mode)' : ''}`);
  line(`suggest    ${autoPromote ? 'a stricter mode after five runs above 90' : 'nothing'}`);
  line(where);
}

const MEANS: Readonly<Record<Mode, string>> = {
  advisory: 'violations are only reported',
  moderate: 'a violated MUST rule or a low score fails CI; a low score blocks a commit',
  strict: 'a violated MUST rule or a low score fails CI and blocks a commit',
};

function modeOf(text: string | undefined): Mode | undefined {
  const mode = MODES.find((one) => one === text);
  if (text === undefined || mode !== undefined) return mode;
  throw mistake(`--mode ${text.slice(0, 40)} is not known`, `one of: ${MODES.join(', ')}`);
}

function thresholdOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const threshold = Number(text);
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && threshold <= 100) return threshold;
  throw mistake(`--threshold ${text.slice(0, 40)}: expected a number from 0 to 100`, '--threshold 70');
}
