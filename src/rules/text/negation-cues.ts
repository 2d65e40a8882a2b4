/**
 * How a cue bears on what it governs: `not` denies it, `avoid` denies it up to the means (`by`, `with`), `remove` takes
 * it away, `skip` leaves it undone, `later` puts it off, `mend` repairs it (a fault is gone, a virtue is not), `subject` says of it that something is not so.
 */
export type CueKind = 'not' | 'avoid' | 'remove' | 'skip' | 'later' | 'mend' | 'subject';

/** A cue and on which side of it stands what it governs; `next` is the next word, `none` only looks like one. */
export interface Cue {
  readonly kind: CueKind;
  readonly side: 'right' | 'left' | 'both' | 'next' | 'none';
}

/** A stretch of text that a cue denies, removes or puts off, by character offsets. */
export interface Scope {
  readonly kind: CueKind;
  readonly cue: string;
  readonly from: number;
  readonly to: number;
  /** Where the cue itself stands. */
  readonly cueFrom: number;
  readonly cueTo: number;
}

const cue = (kind: CueKind, side: Cue['side'] = 'right'): Cue => ({ kind, side });

/** English cues, each phrase by its stems; the longest phrase counts. */
export const ENGLISH_CUES: readonly (readonly [phrases: string, cue: Cue])[] = [
  [
    'no|not|never|none of|none|neither|nor|without|w/o|lack|lack of|lacks|lacking|absence of|devoid of|free of|free from|nothing|nobody|no one|nowhere|no longer|negative for|ve for|no evidence of|no sign of|no signs of|with no|fail to|fails to|failed to|unable to|incapable of|instead of|rather than|in place of|in lieu of|as opposed to|out of|away from|off the|off of|hardly|denied any|deny any|rule out|rules out|ruled out for|test negative for|unremarkable for',
    cue('not'),
  ],
  [
    'avoid|prevent|forbid|prohibit|ban|disallow|reject|deny|refuse|refrain from|abstain from|stay away from|steer clear of|keep out|block|exclude|resist|veto|decline|eschew',
    cue('avoid'),
  ],
  [
    'remove|delete|drop|eliminate|purge|get rid of|replace|swap|swap out|swap ~ for|retire|phase out|stop|cease|quit|strip|erase|discard|abandon|switch from|switch away from|migrate from|migrate off|migrate away from|move away from|move from|convert|convert from|change from|tear out|rip out|do away with|dispense with|wipe|undo|ditch|sunset|dispose of|cut',
    cue('remove'),
  ],
  [
    'skip|disable|bypass|omit|leave out|leave off|turn off|switch off|shut off|ignore|circumvent|suppress|forgo|forego|neglect|comment out|opt out of|get around|work around|deactivate|relax|loosen|weaken|mute|silence|exempt|sidestep|evade|dodge|unregister|defeat|cheat',
    cue('skip'),
  ],
  [
    'fix|repair|redact|mask|anonymize|pseudonymize|scrub|resolve|clean up|detect|fail on|alert on|warn about|warn on|obfuscate|encrypt|refactor away',
    cue('mend'),
  ],
  [
    'later|at a later|postpone|defer|put off|afterwards|afterward|in a follow up|follow up|follow up later|next sprint|next release|next iteration|next quarter|some other time|can wait|may wait|will follow|not yet|eventually|someday|one day|when there is time|when we have time|once we have time|when time permits|in the future|down the road|after the release|after launch|after the launch|after the demo|after go live|push back|another day|another time|for a later',
    cue('later', 'both'),
  ],
  ['invalid|malformed|incorrect|forged|bogus|tampered', cue('not', 'next')],
  [
    'unnecessary|overkill|superfluous|pointless|needless|not worth|a waste|waste of time|missing|absent|unset|too slow|too expensive|too much work|too much effort|too costly|not needed|not necessary|not required|not used|not allowed|not permitted|not present|not there|not seen|not found|not identified|not appreciated|not demonstrated|not noted|not an option|not introduced|not wanted|not worth it|not possible|not important|not mandatory|not applied|not enforced|not available|no issue|out of scope|out of the question|unlikely|is negative|are negative|was negative|were negative|has resolved|have resolved|been ruled out|be ruled out|is ruled out|was ruled out|ruled out|were ruled out|are ruled out|free',
    cue('skip', 'left'),
  ],
  [
    'un skip|un skips|un skipped|un skipping|unskip|re enable|un ignore|un ignored|un mute|block the ui|block the main|block the event|block the thread|block the rendering|blocks the ui|blocks the main|blocks the event|blocking the ui|blocking the main|blocking the event|not only|no doubt|without exception|without exceptions|without fail|without delay|without further|no matter|not just|not merely|not simply|no later than|no more than|no less than|no fewer than|not more than|not less than|not necessarily|gram negative|no significant change|no significant interval change|no interval change|no definite change|no suspicious change|not certain if|not certain whether|not sure|not know|without difficulty|no wonder|why not|no problem|not drain|not cause|stop by|drop in|drop down|cut over|stop at|no op|no reply|no cache|no store|drop off|block list|blocked by|at least one|free text|free tier|free up|free form|later version|sooner or later|or later|clean up job|drag and drop|stop watch|ignore file|no one but|nothing but|no ssl error|no other than|not only but|swap file|fixed width|fixed size|address bar|ip address|email address|mail address|home address|block size|code block|catch block|try block|content block|blocked on|lack luster|not so|not drained|not rule out|cannot be ruled out|not been ruled out|not be ruled out|not ruled out',
    cue('not', 'none'),
  ],
];

/** Words at which what a cue governs ends. */
export const STOPS: ReadonlySet<string> = new Set(
  'but however although though yet except because since so thus therefore hence instead whereas unless until then otherwise nevertheless still besides apart aside which who whom despite'.split(
    ' ',
  ),
);

/** Words that begin a clause within a clause: what stands before a cue is sought no further back. */
export const CLAUSE_STARTS: ReadonlySet<string> = new Set(
  'when if while where whenever that after before once as whether'.split(' '),
);

/** Prepositions that end what is removed, skipped or mended: its object has been named. */
export const OBJECT_ENDS: ReadonlySet<string> = new Set(
  'from in on to into with by via at between during when if due before after using through as under for onto within where while once'.split(
    ' ',
  ),
);

/** Words that name the means by which something is avoided. */
export const MEANS: ReadonlySet<string> = new Set('by via using through'.split(' '));

/** Verbs with which developers begin a new step of a plan; after a comma or `and` they begin a clause. */
export const STEP_VERBS: ReadonlySet<string> = new Set(
  'add use put write read load store keep set get make create build run call send move copy rename update upgrade bump install import export return wrap check validate verify ensure test log print show render save persist insert drain finish collect compute compare choose bind emit publish subscribe schedule trigger sign verify scan rotate revoke grant assign invalidate expire purge compress resize encode decode format replicate back restore flush allocate dispose unblock notify throttle paginate group join aggregate adopt prefer keep introduce replace inline split merge trim normalise normalize escape sanitize fetch query open close start restart deploy ship release merge push pull commit rebase revert retry wait throw raise rethrow catch handle pass parse serialize configure enable extract split refactor rewrite implement replace remove delete drop skip disable hardcode embed paste type cast annotate declare define document describe explain introduce apply switch migrate convert go let give take mark pin lock guard protect require hash encrypt redact mask sort filter cache increase reduce raise lower change edit modify fix we i you they it he she this that these those there our users everyone nobody leave just simply directly instead'.split(
    ' ',
  ),
);

/** Verb forms that show that a stretch of words is a clause of its own. */
export const FINITE: ReadonlySet<string> = new Set(
  'is are was were will would can could should must has have had does did may might shall comes come goes go gets get needs uses says said reports complains'.split(
    ' ',
  ),
);

/** Forms of `be` and verbs like it, after which a participle speaks of what stands before. */
export const BE: ReadonlySet<string> = new Set(
  'is are was were be been being get gets got stay stays remain remains become becomes keep keeps leave leaves left has have'.split(
    ' ',
  ),
);

/** Words that may stand between such a verb and its participle. */
export const ADVERBS: ReadonlySet<string> = new Set(
  'not now also still just simply all completely temporarily currently always never already then therefore deliberately intentionally probably permanently entirely fully silently'.split(
    ' ',
  ),
);
