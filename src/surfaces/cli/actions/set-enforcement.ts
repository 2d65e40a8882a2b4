import { changeEnforcement, findConfigFile } from '../../../inspection/enforce.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import type { EnforcementSettings } from '../../../config/read-settings.ts';
import { MODES, type Mode } from '../../../rule-model/rule-words.ts';
import { hasFlag, readNumberOption, readWordOption } from '../options.ts';
import { printJson, printLine } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon rules enforce`: shows how hard rules are enforced, or changes it in the project's configuration. */
export async function setEnforcement({ options, cwd, env }: Invocation): Promise<number> {
  const mode = readWordOption(options, 'mode', MODES);
  const scoreThreshold = readNumberOption(options, 'threshold', {
    from: 0,
    to: 100,
    isWhole: false,
    example: 'andon rules enforce --threshold 70',
  });
  const place = await loadWorkspace(cwd, env);
  const isChange = mode !== undefined || scoreThreshold !== undefined;
  const { settings, file } = isChange
    ? changeEnforcement(place, {
        ...(mode === undefined ? {} : { mode }),
        ...(scoreThreshold === undefined ? {} : { scoreThreshold }),
      })
    : { settings: place.settings.enforcement, file: findConfigFile(place.facts.root) };
  if (hasFlag(options, 'json')) printJson({ ...settings, file, changed: isChange });
  else
    show(
      settings,
      isChange
        ? `written to ${file}`
        : `Run \`andon rules enforce --mode <mode> --threshold <score>\` to write it into ${file}.`,
    );
  return 0;
}

function show({ mode, scoreThreshold, autoPromote }: EnforcementSettings, where: string): void {
  printLine(`mode       ${mode}: ${MEANS[mode]}`);
  printLine(`threshold  ${scoreThreshold} of 100${mode === 'advisory' ? ' (counts in moderate and strict mode)' : ''}`);
  printLine(`suggest    ${autoPromote ? 'a stricter mode after five runs above 90' : 'nothing'}`);
  printLine(where);
}

const MEANS: Readonly<Record<Mode, string>> = {
  advisory: 'violations are only reported',
  moderate: 'a violated MUST rule or a low score fails CI; a low score blocks a commit',
  strict: 'a violated MUST rule or a low score fails CI and blocks a commit',
};
