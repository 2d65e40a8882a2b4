import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { Problem } from '../../../base/problem.ts';
import { findService, type Service } from '../../setup/service.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { openHolder } from '../../../project/workspace/open-reader.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printJson, printLine, printWarning } from '../print.ts';
import { conflictingOptions, unexpectedArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const POLL_MS = 100;
/** A unit that watches nothing by then has most likely failed. */
const STARTED_MS = 20_000;

/** `andon start --service`: the watchdog as a service of the user, which starts again after a crash and at login. */
export async function manageService({ args, options, cwd, env }: Invocation): Promise<number> {
  const what = readTextOption(options, 'service') ?? '';
  const [folder, ...others] = (args[0] as readonly string[] | undefined) ?? [];
  if (hasFlag(options, 'restart')) throw conflictingOptions(['--restart', '--service'], 'andon start --restart');
  if (others.length > 0) throw unexpectedArgument(others, `andon start --service ${what}`);
  const place = await loadWorkspace(resolve(cwd, folder ?? '.'), env);
  const service = findService(place, env);
  if (what === 'install') return install(place, service, hasFlag(options, 'print'));
  if (what === 'remove') {
    printLine(
      service.remove() ? `${service.file} is removed, and its watchdog has ended.` : 'No service is installed here.',
    );
    return 0;
  }
  return status(service, hasFlag(options, 'json'));
}

async function install(place: Workspace, service: Service, isPrintOnly: boolean): Promise<number> {
  if (isPrintOnly) {
    printLine(service.text);
    return 0;
  }
  const holder = openHolder(place);
  if (holder?.doing === 'watch' && !service.isActive())
    throw new Problem(
      'busy',
      `A watchdog (pid ${holder.pid}) already watches ${place.facts.root}.`,
      'Run `andon stop`, then `andon start --service install`.',
      1,
    );
  try {
    service.install();
  } catch (error) {
    if (!service.isInstalled()) printLine(`# ${service.file}\n${service.text}`);
    throw error;
  }
  printLine(`${service.file} is installed.`);
  const hint = service.hint();
  if (hint !== undefined) printWarning(hint);
  for (const end = performance.now() + STARTED_MS; openHolder(place)?.doing !== 'watch'; await sleep(POLL_MS))
    if (performance.now() > end)
      throw new Problem('no-answer', `${service.name} watches nothing yet.`, `Read ${service.output}.`, 1);
  printLine(`andon watches ${place.facts.root} as ${service.name} (pid ${openHolder(place)?.pid ?? 'unknown'}).`);
  return 0;
}

function status(service: Service, isJson: boolean): number {
  const isInstalled = service.isInstalled();
  const state = isInstalled ? service.state() : 'not installed';
  if (isJson) printJson({ name: service.name, file: service.file, installed: isInstalled, state });
  else printLine(`${service.name}: ${toTerminalLine(state, 200)}${isInstalled ? `; output: ${service.output}` : ''}`);
  return isInstalled && service.isActive() ? 0 : 1;
}
