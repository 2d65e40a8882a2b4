import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../base/format-count.ts';
import { toTerminal } from '../base/plain-text.ts';
import { toLowerFirst } from '../base/to-sentence.ts';
import type { ActionOutcome, GivenComment, TaskResponse } from '../app/web/api-types.ts';
import type { AttemptFacts } from '../line/reports/task-report/list-attempts.ts';
import { Items } from '../app/views/parts.tsx';
import { ask } from './ask.ts';
import { readOnly } from './live.ts';
import { ActionResult, Sure, readKeptDraft } from './parts.tsx';

/** The comments that a person has written on a change and not sent yet. */
interface Draft {
  readonly comments: readonly GivenComment[];
  /** The one about the whole change. */
  readonly whole: string;
  /** The line whose box is open, and what is written in it. */
  readonly box: LineComment | undefined;
}

interface LineComment extends Place {
  readonly text: string;
}

interface CommentDrafts extends Draft {
  readonly change: (draft: Partial<Draft>) => void;
  /** Adds what is written in the open box, and opens that of another line. */
  readonly open: (place: Place | undefined) => void;
}

const Drafts = createContext<CommentDrafts | undefined>(undefined);

const LONGEST_TEXT = 2000;

const EMPTY: Draft = { comments: [], whole: '', box: undefined };

/**
 * What may be commented on: the lines of each diff inside get a button. A draft is kept in this browser until it is
 * sent, by task and tree; without a tree nothing can be sent, so there is no button.
 */
export function Commentable(props: {
  readonly repository: string;
  readonly task: string;
  readonly tree: string | null;
  readonly children: ComponentChildren;
}) {
  const { repository, task, tree, children } = props;
  const name = `andon-comments ${repository}/${task} ${tree ?? ''}`;
  const [draft, setDraft] = useState<Draft>(() => readKeptDraft(name, EMPTY));
  const change = (more: Partial<Draft>): void => {
    const next = { ...draft, ...more };
    setDraft(next);
    if (listComments(next).length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(next));
  };
  const open = (place: Place | undefined): void =>
    change({ comments: listLineComments(draft), box: place === undefined ? undefined : { ...place, text: '' } });
  const drafts = tree === null ? undefined : { ...draft, change, open };
  return <Drafts.Provider value={drafts}>{children}</Drafts.Provider>;
}

const listLineComments = ({ comments, box }: Draft): readonly GivenComment[] =>
  box === undefined || box.text.trim() === '' ? comments : [...comments, { ...box, text: box.text.trim() }];

const listComments = (draft: Draft): readonly GivenComment[] => [
  ...listLineComments(draft),
  ...(draft.whole.trim() === '' ? [] : [{ text: draft.whole.trim() }]),
];

/** How many comments on this change are not sent yet. */
export const useUnsent = (): number => listComments(useContext(Drafts) ?? EMPTY).length;

export const sendBackTitle = (count: number): string => `Send back with ${formatCount(count, 'comment')}`;

interface Place {
  readonly file: string;
  readonly line: number;
}

/** A line of a diff; one that the change removes has no number. */
interface DiffLine {
  readonly file: string;
  readonly line: number | undefined;
}

/** Opens the box of a line; nothing where the change cannot be commented on. */
export function LineButton({ file, line }: DiffLine) {
  const drafts = useContext(Drafts);
  if (drafts === undefined || line === undefined || readOnly.value !== null) return null;
  return (
    <button
      class="add-comment"
      tabIndex={-1}
      aria-label={`Comment on line ${line} of ${file}`}
      onClick={() => drafts.open({ file, line })}
    />
  );
}

/**
 * One stop of the tab key for all lines of a diff: arrows lead to the other lines. A tap on a line leads to its button,
 * which a finger could not hit in every line.
 */
export function LineKeys({ children }: { readonly children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const list = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>('.add-comment') ?? [])];
  useEffect(() => {
    const buttons = list();
    if (buttons[0] !== undefined && buttons.every(({ tabIndex }) => tabIndex !== 0)) buttons[0].tabIndex = 0;
  });
  const lead = (button: HTMLElement | null | undefined): void => {
    if (button === null || button === undefined) return;
    for (const one of box.current?.querySelectorAll<HTMLElement>('.add-comment[tabindex="0"]') ?? []) one.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  };
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = list();
    const at = buttons.indexOf(event.target as HTMLElement);
    if (by === undefined || at === -1) return;
    event.preventDefault();
    lead(buttons[at + by]);
  };
  const tap = ({ target }: Event): void => {
    const line = (target as Element).closest('[data-line]');
    if (getSelection()?.isCollapsed !== false) lead(line?.querySelector<HTMLElement>('.add-comment'));
  };
  return (
    <div ref={box} onKeyDown={press} onClick={tap}>
      {children}
    </div>
  );
}

/** The comments on a line that were not sent yet, and the box for one more. */
export function LineComments({ file, line }: DiffLine) {
  const drafts = useContext(Drafts);
  if (drafts === undefined || line === undefined) return null;
  const { comments, change, box } = drafts;
  return (
    <>
      {comments.map((one, at) =>
        one.file === file && one.line === line ? (
          <span key={at} class="f comment">
            You: {toTerminal(one.text)}{' '}
            <button
              aria-label={`Remove the comment on line ${line} of ${file}`}
              onClick={() => change({ comments: comments.filter((_, index) => index !== at) })}
            >
              Remove
            </button>
          </span>
        ) : null,
      )}
      {box?.file === file && box.line === line ? (
        <CommentBox
          name={`Your comment on line ${line} of ${file}`}
          text={box.text}
          write={(text) => change({ box: { ...box, text } })}
          add={() => drafts.open(undefined)}
          cancel={() => change({ box: undefined })}
        />
      ) : null}
    </>
  );
}

function CommentBox(props: {
  readonly name: string;
  readonly text: string;
  readonly write: (text: string) => void;
  readonly add: () => void;
  readonly cancel: () => void;
}) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (props.text === '') box.current?.focus(); // it was opened now, not kept from before
  }, []);
  return (
    <span class="f comment">
      <textarea
        ref={box}
        aria-label={props.name}
        value={props.text}
        maxLength={LONGEST_TEXT}
        onInput={(event) => props.write(event.currentTarget.value)}
      />
      <button onClick={props.add}>Add comment</button> <button onClick={props.cancel}>Cancel</button>
    </span>
  );
}

/** What goes back, and to which question. */
export interface CommentTarget {
  readonly repository: string;
  readonly task: string;
  /** The halt that is answered; undefined while the task is under way. */
  readonly haltId: string | undefined;
  readonly tree: string;
  readonly does: string;
}

async function sendComments(to: CommentTarget, drafts: CommentDrafts): Promise<ActionOutcome> {
  const sent = await ask(`/api/asks/${encodeURIComponent(to.repository)}`, {
    do: 'comment',
    taskId: to.task,
    ...(to.haltId === undefined ? {} : { haltId: to.haltId }),
    tree: to.tree,
    comments: listComments(drafts),
  });
  if (sent.ok) drafts.change(EMPTY);
  return sent;
}

/** The confirmation at the paths of a halt: the comments, and the button that sends them. */
export function SendForm(props: {
  readonly to: CommentTarget;
  readonly back: () => void;
  readonly came: (outcome: ActionOutcome) => void;
}) {
  const drafts = useContext(Drafts);
  if (drafts === undefined) return null;
  const comments = listComments(drafts);
  const what = sendBackTitle(comments.length);
  return (
    <div class="answer">
      <p>{props.to.does}</p>
      <Items
        items={comments.map(
          ({ file, line, text }) => `${file === undefined ? '' : `${file}:${line}: `}${toTerminal(text)}`,
        )}
      />
      <Sure
        what={what}
        sure={`Confirm: ${toLowerFirst(what)}`}
        isReady={comments.length > 0}
        act={() => sendComments(props.to, drafts)}
        came={props.came}
        back={props.back}
      />
    </div>
  );
}

export function SendBack(
  props: CommentTarget & {
    readonly came?: (outcome: ActionOutcome) => void;
    /** Why it was not taken, where the page keeps the outcome. */
    readonly refused?: ActionOutcome | undefined;
  },
) {
  const drafts = useContext(Drafts);
  if (drafts === undefined || readOnly.value !== null) return null;
  const comments = listComments(drafts);
  const what = sendBackTitle(comments.length);
  return (
    <div class="path">
      <h3>Send it back with comments</h3>
      <p>
        {props.does} Comment on a line with the + beside it (tap the line first on a phone), or on the whole change
        here.
      </p>
      <label for="whole-comment">About the whole change</label>
      <textarea
        id="whole-comment"
        value={drafts.whole}
        maxLength={LONGEST_TEXT}
        onInput={(event) => drafts.change({ whole: event.currentTarget.value })}
      />
      <Sure
        main
        {...(props.came === undefined ? {} : { came: props.came })}
        what={what}
        sure={`Confirm: ${toLowerFirst(what)}`}
        isReady={comments.length > 0}
        act={() => sendComments(props, drafts)}
      />
      <ActionResult outcome={props.refused} />
    </div>
  );
}

/** An attempt of the task page; the current change of a task that is under way can be commented on. */
export function CommentableAttempt(props: {
  readonly response: TaskResponse;
  readonly attempt: Pick<AttemptFacts, 'commit' | 'tree'>;
  readonly children: ComponentChildren;
}) {
  const { response, attempt, children } = props;
  const { status, halt, commit } = response.report;
  const isUnderWay = status !== 'merged' && status !== 'abandoned' && halt === null;
  if (!isUnderWay || attempt.tree === null || attempt.commit !== commit) return <>{children}</>;
  return (
    <Commentable repository={response.repository} task={response.task_id} tree={attempt.tree}>
      {children}
      <SendBack
        repository={response.repository}
        task={response.task_id}
        haltId={undefined}
        tree={attempt.tree}
        does="Your comments are required fixes of the next attempt. The change goes back before it is merged."
      />
    </Commentable>
  );
}
