import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { openJournal } from '../../src/line/journal/sqlite-journal.ts';
import type { Notification } from '../../src/project/config/notification.ts';
import { aFactory, type Factory, type Options } from './factory.ts';

/** What makes the change of the sample task too large. */
export const HALTING = { 'constraints.max_diff_size': 3 };
/** Tells, and says at each event whether the papers of a halt lay there at that time. */
export const TELL = `{ cat; } >>"$HERE/told"; test -e "$LOCK" && echo "$ANDON_EVENT" >>"$HERE/while-locked"; exit 0`;

/** A factory whose user is told of events by a command. */
export async function aToldFactory(hook = TELL, notifications: object = {}, options: Options = {}) {
  const factory = await aFactory(options);
  const bin = join(factory.folder, 'bin');
  mkdirSync(bin);
  const lock = join(factory.handoff, 'TASK_CONTRACT.json.lock');
  const script = (name: string, text: string): string => {
    writeFileSync(join(bin, name), `#!/bin/sh\nHERE='${factory.folder}' LOCK='${lock}'\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
    return join(bin, name);
  };
  factory.env['PATH'] = `${bin}${delimiter}${factory.env['PATH'] ?? ''}`;
  const file = join(factory.folder, 'config/andon/config.yaml');
  const config = parse(readFileSync(file, 'utf8')) as object;
  const command = hook === '' ? undefined : [script('hook', hook)];
  writeFileSync(file, stringify({ ...config, notifications: { ...(command && { command }), ...notifications } }));
  const path = (name: string): string => join(factory.folder, name);
  return {
    factory,
    script,
    path,
    has: (name: string): boolean => existsSync(path(name)),
    read: (name: string): string => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : ''),
    told: (): readonly Notification[] =>
      (existsSync(path('told')) ? readFileSync(path('told'), 'utf8') : '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Notification),
  };
}
/** What was told of, in order. */
export const events = (told: readonly Notification[]): readonly string[] => told.map(({ event }) => event);

/** What the journal says was told, oldest first. */
export function noted(factory: Factory): readonly string[] {
  const home = join(factory.folder, 'state/andon/repositories');
  const journal = openJournal(join(home, readdirSync(home)[0] ?? '', 'journal.sqlite'), { readOnly: true });
  const entries = journal.since(0).map(({ entry }) => entry);
  journal.close();
  return entries.flatMap((entry) =>
    entry.kind === 'notified'
      ? [`${entry.key.split(':')[0]} ${entry.channel}${entry.failed === undefined ? '' : ' failed'}`]
      : [],
  );
}
