import type { AgentId } from '../base/agents.ts';
import type { StationId } from '../base/names.ts';
import type { Outcome } from '../base/outcome.ts';
import type { EditedFile } from '../record/edited-file.ts';

/** A copy of the project for one call that edits. */
export interface EditPlace {
  readonly folder: string;
  /** Lays the copy out, whatever was there; names and paths in `hide` are left out of it. */
  layOut(hide: readonly string[]): Promise<void>;
  /** How the copy differs from what was laid out; asked when nothing of the agent runs any more. */
  changes(): Promise<readonly EditedFile[]>;
}

/** How a program is let at the files itself. */
export interface Editing {
  /** What of the repository it does not see, by names and paths. */
  readonly hides: readonly string[];
  /** The user's own login enters the cage, in the place of a key that the door puts in. */
  readonly usesLogin: boolean;
  /** Why it cannot be let at them on this machine, with what to do; undefined when it can. */
  unavailable(): Promise<string | undefined>;
}

/** One call of an agent's program. */
export interface AgentCall {
  readonly prompt: string;
  /** JSON Schema of the answer, where one is demanded. */
  readonly schema?: object;
  readonly model: string;
  /** The folder the program runs in. */
  readonly folder: string;
  /** Awake milliseconds without a sign of life before the call is ended as a stall. */
  readonly idleMs: number;
  /** Awake milliseconds after which the call is ended in any case. */
  readonly hardMs: number;
  /** The cap handed to programs that can hold one. */
  readonly maxUsd?: number;
  /** The tokens that it may use; only what asks its model through andon's door can be held to it. */
  readonly maxTokens?: number;
  /** The program works on this copy of the project itself; only for an agent that has `editing`. */
  readonly edit?: EditPlace;
  /** The text of the answer becomes code and is not masked. Mask it where it is shown or stored. */
  readonly isAnswerCode?: boolean;
  readonly signal: AbortSignal;
}

/** What a program used; null is unknown, never zero. */
export interface Usage {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly usd: number | null;
}

/** A call that ended well. */
export interface Transcript extends Usage {
  readonly text: string;
  /** The structured answer, from programs that give one. */
  readonly structured?: unknown;
  readonly ms: number;
  readonly exit: number | null;
  /** The model that really answered, where the program says so. */
  readonly answeredBy?: string;
  /** What the program's own permissions refused the agent, one phrase each. */
  readonly denials?: readonly string[];
  /** What the user has to know or do about the program, in a sentence. */
  readonly notice?: string;
  /** The files that its tools have read and shown it, where the program tells of them. */
  readonly opened?: readonly string[];
  /** What it changed, where it worked on the files itself; never empty. */
  readonly edited?: readonly EditedFile[];
}

/**
 * A call that did not. `stall` and `crash` are strikes; `missing` and `refused` need a human; `unavailable` passes by
 * itself (a usage limit, an overload, a server that is down) and is waited for. `unchanged`: it worked on the files itself,
 * ended well, and left them as they were. `spent`: it was let in no more, because what the call may use is used.
 */
export interface AgentFailure extends Usage {
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
  /** With `unavailable`: the time from which the program works again, if it says so. */
  readonly until?: string;
  readonly ms: number;
  readonly exit: number | null;
}

/** How a call came out. */
export type CallOutcome = Outcome<Transcript, AgentFailure>;

/** What is not well with a program or a model, and what to do about it. */
export interface Ailment {
  readonly why: string;
  readonly remedy: string;
}

/** The window of a local model, in tokens, and how it is known. */
export interface ModelWindow {
  readonly tokens: number;
  /** Allocated now; requested by the model when it is loaded; or the default. */
  readonly known: 'loaded' | 'parameter' | 'assumed';
  /** What the model itself asks for. */
  readonly asks: number | undefined;
  /** The largest that it was trained for. */
  readonly largest: number | undefined;
}

/** Models that a program keeps on this machine, by the names that contracts give them. Nothing here downloads one. */
export interface LocalModels {
  /** The model that is really asked when a contract names `model`. */
  standingFor(model: string): string;
  /** Whether the program is there, knows every option andon passes, and its server answers; the version if so. */
  ready(): Promise<Outcome<string, Ailment>>;
  /** Whether the model is there, and its window; `load` loads it, which is the only way to be certain. */
  window(model: string, how: { readonly load: boolean }): Promise<Outcome<ModelWindow, Ailment>>;
  /** Makes a model with a window of this size out of one that is there, and gives back its name. */
  derive(model: string, window: number, folder: string): Promise<Outcome<string, Ailment>>;
}

/** The capabilities of a program and the cost of its calls: decisions about agents use this, never a name. */
export interface Capabilities {
  /**
   * `free`: its models run on this machine, and a call costs no money. `metered`: each call reports its price.
   * `unpriced`: calls cost an unknown amount; they count as unknown, never as free.
   */
  readonly billing: 'free' | 'metered' | 'unpriced';
  /** It ends a call by itself when the dollars that it was given are used up. */
  readonly takesBudget: boolean;
  /** What a call uses is known before: prompt and answer share a window of a known size. Else it may use all that is left. */
  readonly hasWindow: boolean;
  /** Dollars per million tokens, where the user says them: with a window, what a call costs at most is known before. */
  readonly prices?: { readonly in: number; readonly out: number } | undefined;
}

/** A program that does work; it knows nothing of prompts or reports. */
export interface Agent {
  readonly id: string;
  readonly capabilities: Capabilities;
  /**
   * The stations whose work it can do: an implementer answers in text, a reviewer by a schema, and a judge also tells
   * which files it has opened, without which no PASS counts.
   */
  readonly worksAt: readonly StationId[];
  /** How it is let at the files itself, where it can be. */
  readonly editing?: Editing;
  /** Its calls that do not edit run outside any cage, as the user, and could write whatever the user can. */
  readonly worksAsYou?: true;
  /** As an implementer it can answer in text; default: true. */
  readonly writesText?: boolean;
  run(call: AgentCall): Promise<CallOutcome>;
  /** Whether the program is what its name says, and no other of that name; one short question, nothing is spent. */
  fit?(): Promise<Outcome<string, string>>;
  /** The options that keep it apart and that it does not know, in words; undefined when it knows all. Nothing is spent. */
  lacks?(): Promise<string | undefined>;
  /** Whether the program is there and answers, and which version it is; nothing is spent. */
  probe(model: string): Promise<Outcome<string, string>>;
  /** The tokens that are allocated for a model now, loaded if need be; undefined when the program cannot say. */
  windowOf?(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** Of programs whose models lie on this machine. */
  readonly localModels?: LocalModels;
  /** The models that the program has here, where it can say; none when it does not answer. */
  models?(): Promise<readonly string[]>;
}

/** Agents by the names of their drivers: those that andon has code for, and whatever else is named here. */
export type Agents = Readonly<Record<AgentId, Agent>> & Readonly<Record<string, Agent>>;
