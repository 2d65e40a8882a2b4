import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { Problem } from '../../../base/problem.ts';
import { serviceOf } from '../../../setup/service.ts';
import type { Service } from '../../../setup/service.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import type { Place } from '../../../wiring/open-place.ts';
import { holderOf } from '../../../wiring/open-reader.ts';
import { flag, textOption } from '../options.ts';
import { json, line, warningLine } from '../print.ts';
import { conflictingOptions, unexpectedArgument, unknownWord } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const POLL_MS = 100;
/** A unit that watches nothing by then has most likely failed. */
const STARTED_MS = 20_000;

/** `andon start --service`: the watchdog as a service of the user, which starts again after a crash and at login. */
export async function manageService({ args, options, cwd, env }: Invocation): Promise<number> {
  const what = textOption(options, 'service') ?? '';
  const [folder, ...others] = (args[0] as readonly string[] | undefined) ?? [];
  if (flag(options, 'restart')) throw conflictingOptions(['--restart', '--service'], 'andon start --restart');
  if (others.length > 0) throw unexpectedArgument(others, `andon start --service ${what}`);
  const place = await findPlace(resolve(cwd, folder ?? '.'), env);
  const service = serviceOf(place, env);
  if (what === 'install') return install(place, service, flag(options, 'print'));
  if (what === 'remove') {
    line(
      service.remove() ? `${service.file} is removed, and its watchdog has ended.` : 'No service is installed here.',
    );
    return 0;
  }
  if (what === 'status') return status(service, flag(options, 'json'));
  throw unknownWord('action', what, ['install', 'remove', 'status'], 'andon start --service status');
}

async function install(place: Place, service: Service, isPrintOnly: boolean): Promise<number> {
  if (isPrintOnly) {
    line(service.text);
    return 0;
  }
  const holder = holderOf(place);
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
    if (!service.isInstalled()) line(`# ${service.file}\n${service.text}`);
    throw error;
  }
  line(`${service.file} is installed.`);
  const hint = service.hint();
  if (hint !== undefined) warningLine(hint);
  for (const end = performance.now() + STARTED_MS; holderOf(place)?.doing !== 'watch'; await sleep(POLL_MS))
    if (performance.now() > end)
      throw new Problem('no-answer', `${service.name} watches nothing yet.`, `Read ${service.output}.`, 1);
  line(`andon watches ${place.facts.root} as ${service.name} (pid ${holderOf(place)?.pid ?? 'unknown'}).`);
  return 0;
}

function status(service: Service, isJson: boolean): number {
  const isInstalled = service.isInstalled();
  const state = isInstalled ? service.state() : 'not installed';
  if (isJson) json({ name: service.name, file: service.file, installed: isInstalled, state });
  else line(`${service.name}: ${inOneTerminalLine(state, 200)}${isInstalled ? `; output: ${service.output}` : ''}`);
  return isInstalled && service.isActive() ? 0 : 1;
}
