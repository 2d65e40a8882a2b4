import { FILES, type RoleStation } from '../../base/names.ts';
import { WORKS_AT } from '../../base/agents.ts';
import { findProfile } from '../../config/agent-profiles.ts';
import { withRoles } from '../../contract/task-contract-normalise.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import type { Needs } from '../../wiring/services.ts';

/** A local model that works at a station here. */
export interface ModelInUse {
  readonly role: 'implementer' | 'local reviewer';
  readonly model: string;
  /** The window that the role needs, in tokens. */
  readonly needed: number;
  /** Why it may well do no work at all; undefined for a model that a contract names, or the next one would. */
  readonly spare: string | undefined;
}

/** A profile that works at stations here. */
export interface ProfileInUse {
  readonly name: string;
  readonly stations: readonly RoleStation[];
}

/** The agents in use, by the configuration and by `_handoff/`. */
interface Workers {
  readonly local: readonly ModelInUse[];
  readonly profiles: readonly ProfileInUse[];
  /** What judges may be called; empty = whatever the judge's program takes by itself. */
  readonly judges: readonly string[];
  /** Whether the default judge program may be asked. */
  readonly isJudgeUsed: boolean;
  /** Contracts that cannot be read. */
  readonly unreadable: readonly string[];
}

/**
 * The window that makes a role useful. A quarter of it stays free for the answer, and a token is taken for three bytes:
 * the implementer's 32768 hold a prompt of 72 kB, which is a contract with the files of an ordinary task; the reviewer's
 * 16384 hold 36 kB, which is a change of the default size (200 lines) with its context and what the gates said.
 */
const NEEDED = { implementer: 32_768, 'local reviewer': 16_384 } as const;

/** Collects every model and profile once per role: the defaults, those of the configuration, those of contracts on the line and in the queue. */
export function listWorkers({ queue, settings, profiles }: Needs<'queue' | 'settings' | 'profiles'>): Workers {
  const named = { implementer: new Set<string>(), 'local reviewer': new Set<string>(), judge: new Set<string>() };
  const unreadable: string[] = [];
  for (const file of [FILES.lock, ...queue.waiting([]).map(({ name }) => name)]) {
    const text = queue.read(file);
    if (text.ok && text.value === undefined) continue;
    const parsed = text.ok ? parseContract(text.value ?? '') : text;
    if (!parsed.ok) {
      unreadable.push(file);
      continue;
    }
    const { roles } = withRoles(parsed.value.contract, settings.roles);
    for (const model of roles.implementers) named.implementer.add(model);
    for (const name of roles.reviewers ?? [roles.localReviewer]) named['local reviewer'].add(name);
    for (const name of roles.judges ?? [roles.judge]) named.judge.add(name);
  }
  const standardJudges = settings.roles.judges ?? [settings.roles.judge];
  const judging = named.judge.size === 0 ? standardJudges : [...named.judge];
  const isProfile = (name: string): boolean => findProfile(profiles, name).found !== undefined;
  const defaults = {
    implementer: settings.roles.implementers,
    'local reviewer': settings.roles.reviewers ?? [settings.roles.localReviewer],
  };
  const local = (['implementer', 'local reviewer'] as const).flatMap((role) => {
    const sure = named[role].size === 0 ? new Set(defaults[role]) : named[role];
    const unnamed = 'it is the default of new contracts, and none here names it';
    return [...new Set([...sure, ...defaults[role]])]
      .filter((model) => !isProfile(model))
      .map((model) => ({ role, model, needed: NEEDED[role], spare: sure.has(model) ? undefined : unnamed }));
  });
  const stations: Readonly<Record<RoleStation, readonly string[]>> = {
    implementer: [...named.implementer, ...defaults.implementer],
    'local-reviewer': [...named['local reviewer'], ...defaults['local reviewer']],
    judge: [...named.judge, ...standardJudges],
  };
  const inUse = profiles.profiles.map(({ name }) => ({
    name,
    stations: (Object.keys(stations) as RoleStation[]).filter((station) => stations[station].includes(name)),
  }));
  const judges = judging.filter((name) => name !== 'claude-code-cli' && !isProfile(name));
  const usual = settings.agents[WORKS_AT.judge].model;
  return {
    local,
    profiles: inUse.filter((one) => one.stations.length > 0),
    judges: [...new Set([...(usual === undefined ? [] : [usual]), ...judges])],
    isJudgeUsed: judging.some((name) => !isProfile(name)),
    unreadable,
  };
}
