import type { AgentId } from '../base/agent-ids.ts';
import type { StationId } from '../base/names.ts';
import type { Outcome } from '../base/outcome.ts';
import type { EditedFile } from '../base/changed-file.ts';

/** A copy of the project for one call that edits. */
export interface EditPlace {
  readonly folder: string;
  /** Lays the copy out and replaces its content; before every call, as a part of its preparation. */
  layOut(): Promise<void>;
  /** The changes in the copy; asked after the agent's processes have ended. */
  changes(): Promise<readonly EditedFile[]>;
}

/** How a program edits files itself. */
export interface Editing {
  /** The user's own login enters the cage, instead of a key at the door. */
  readonly usesLogin: boolean;
  /** Names and paths that its copy of the project lacks. */
  readonly hide: readonly string[];
  /** Why it cannot edit on this machine, with a remedy; undefined when it can. */
  unavailable(): Promise<string | undefined>;
}

/** A piece of the output of a working program, for people who watch. A text or a thought goes on in the next piece. */
export interface OutputPiece {
  readonly kind: 'text' | 'thought' | 'step';
  readonly text: string;
}

/** Takes a piece of output at once: it never throws and never waits. */
export type ShowOutput = (piece: OutputPiece) => void;

/** What an agent is asked: a prompt, and the JSON Schema of the answer, where one is demanded. */
export interface Brief {
  readonly prompt: string;
  readonly schema?: object | undefined;
}

/** One call of an agent's program. */
export interface AgentCall extends Brief {
  readonly model: string;
  /** The folder the program runs in. */
  readonly folder: string;
  /** Awake milliseconds without a sign of life before the call is ended as a stall. */
  readonly idleMs: number;
  /** Awake milliseconds after which the call is ended in any case. */
  readonly hardMs: number;
  /** The limit for programs that can enforce one. */
  readonly maxUsd?: number;
  /** The limit of tokens; enforced only for models behind andon's door. */
  readonly maxTokens?: number;
  /** The program edits this copy of the project; only for an agent that has `editing`. */
  readonly edit?: EditPlace;
  /** The text of the answer becomes code and is not masked. Mask it where it is shown or stored. */
  readonly isAnswerCode?: boolean;
  /** Shows its output while it runs. It is neither masked nor escaped yet. */
  readonly show?: ShowOutput;
  readonly signal: AbortSignal;
}

/** The usage of a program; null is unknown, never zero. */
export interface AgentUsage {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly usd: number | null;
}

/** What a call used, as its program reports it; null = unknown. */
export interface ActualUsage extends AgentUsage {
  readonly ms: number;
}

/** A successful call. */
export interface Transcript extends ActualUsage {
  readonly text: string;
  /** The structured answer, from programs that give one. */
  readonly structured?: unknown;
  readonly exit: number | null;
  /** The model that answered, if the program reports it. */
  readonly answeredBy?: string;
  /** Refusals of the program's own permissions, one phrase each. */
  readonly denials?: readonly string[];
  /** A notice for the user about the program, in a sentence. */
  readonly notice?: string;
  /** The files that its tools have read and shown it, if the program reports them. */
  readonly opened?: readonly string[];
  /** Its changes, where it edited the files itself; never empty. */
  readonly edited?: readonly EditedFile[];
}

/**
 * Why a call failed. `stall` and `crash` are strikes; `missing` and `refused` need a human; `unavailable` passes by itself
 * (a usage limit, an overload, a server that is down) and is waited for. `unchanged`: it edited, ended well, and
 * changed nothing. `spent`: the budget of the call is used up.
 */
export interface FailureReason {
  readonly kind:
    | 'missing'
    | 'refused'
    | 'unavailable'
    | 'crash'
    | 'stall'
    | 'empty'
    | 'unreadable'
    | 'too-long'
    | 'unchanged'
    | 'spent'
    | 'aborted';
  readonly detail: string;
  /** With `spent`: the part of the budget that is used up, where that is known. */
  readonly part?: 'usd' | 'tokens' | undefined;
  /** With `unavailable`: when the program works again, if it reports that. */
  readonly until?: string | undefined;
}

/** A failed call. */
export interface AgentFailure extends FailureReason, ActualUsage {
  readonly exit: number | null;
  /** Where the usage is unknown: what it came to by an estimate. */
  readonly estimate?: AgentUsage;
  /** The end of what the program printed to standard error; not masked yet. */
  readonly output?: string;
}

/** The outcome of a call. */
export type CallOutcome = Outcome<Transcript, AgentFailure>;

/** A fault of a program or a model, and its remedy. */
export interface Ailment {
  readonly why: string;
  readonly remedy: string;
}

/** The window of a local model, in tokens, and its source. */
export interface ModelWindow {
  readonly tokens: number;
  /** Allocated now; requested by the model when it is loaded; or the default. */
  readonly known: 'loaded' | 'parameter' | 'assumed';
  /** The model's own setting. */
  readonly asks: number | undefined;
  /** The largest that it was trained for. */
  readonly largest: number | undefined;
}

/** Models that a program keeps on this machine, by their names in contracts. Never downloads one. */
export interface LocalModels {
  /** The model that replaces a contract's `model`. */
  standingFor(model: string): string;
  /** Whether the program is installed, knows every option that andon uses, and its server answers; its version. */
  ready(): Promise<Outcome<string, Ailment>>;
  /** Whether the model is installed, and its window; `load` loads it, the only reliable way. */
  window(model: string, how: { readonly load: boolean }): Promise<Outcome<ModelWindow, Ailment>>;
  /** Makes a model with a window of this size from an installed one, and returns its name. */
  derive(model: string, window: number, folder: string): Promise<Outcome<string, Ailment>>;
}

/** The capabilities of a program and the cost of its calls: decisions about agents use this, never a name. */
export interface Capabilities {
  /**
   * `free`: its models run on this machine, and a call costs no money. `metered`: each call reports its price.
   * `unpriced`: calls cost an unknown amount; they count as unknown, never as free.
   */
  readonly billing: 'free' | 'metered' | 'unpriced';
  /** It ends a call by itself at its limit of dollars. */
  readonly takesBudget: boolean;
  /**
   * The usage of a call has a known limit: prompt and answer share a window. Otherwise it may use the whole remaining
   * budget.
   */
  readonly hasWindow: boolean;
  /** Dollars per million tokens, by the user: with a window, they give the maximum cost of a call. */
  readonly prices?: { readonly in: number; readonly out: number } | undefined;
}

/** A program that does work, independent of prompts and reports. */
export interface Agent {
  readonly id: string;
  readonly capabilities: Capabilities;
  /**
   * Its stations: an implementer answers in text, a reviewer by a schema, and a judge also reports opened files,
   * without which no PASS counts.
   */
  readonly worksAt: readonly StationId[];
  /** How it edits files itself, if it can. */
  readonly editing?: Editing;
  /** Its calls without edits run outside of any cage, with all rights of the user. */
  readonly worksAsYou?: true;
  /** As an implementer it can answer in text; default: true. */
  readonly writesText?: boolean;
  run(call: AgentCall): Promise<CallOutcome>;
  /** Whether the program is the one that its name says; one short question without cost. */
  fit?(): Promise<Outcome<string, string>>;
  /** The options of isolation that the program does not know, in a sentence; undefined when it knows all. No cost. */
  explainMissingOptions?(): Promise<string | undefined>;
  /** Whether the program is installed and answers, and its version; no cost. */
  probe(model: string): Promise<Outcome<string, string>>;
  /** The allocated tokens of a model, loaded if needed; undefined when unknown. */
  windowOf?(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** For programs with models on this machine. */
  readonly localModels?: LocalModels;
  /** The program's models here, if it reports them; empty when it does not answer. */
  models?(): Promise<readonly string[]>;
}

/** Agents by driver name: those that are there always, and all configured ones. */
export type Agents = Readonly<Record<AgentId, Agent>> & Readonly<Record<string, Agent>>;
