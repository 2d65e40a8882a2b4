import { setTimeout as sleep } from 'node:timers/promises';

/** Time limits of one try and of all, and the pauses between them. */
const LIMITS = { tryMs: 5000, totalMs: 20_000, pausesMs: [500, 2000] };

interface PostRequest {
  readonly body: string | Buffer<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

interface PostRefusal {
  readonly why: string;
  readonly status?: number;
}

/** Posts until it is taken or cannot be; each try makes its request anew. Undefined = taken. No redirect is followed. */
export async function postUntilTaken(
  url: string,
  signal: AbortSignal,
  makeRequest: () => PostRequest,
  limits = LIMITS,
): Promise<PostRefusal | undefined> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
  for (let tried = 1; ; tried += 1) {
    const refused = await post(url, makeRequest(), until, limits.tryMs);
    if (refused === undefined) return undefined;
    const pause = refused.mayPass ? limits.pausesMs[tried - 1] : undefined;
    const isOver = pause === undefined || !(await rest(pause, until));
    if (isOver)
      return { ...refused, why: `${new URL(url).host} ${refused.why}${tried === 1 ? '' : ` (${tried} tries)`}` };
  }
}

/** One try; why it failed, and whether to retry. */
async function post(
  url: string,
  { body, headers }: PostRequest,
  until: AbortSignal,
  tryMs: number,
): Promise<(PostRefusal & { readonly mayPass: boolean }) | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { 'user-agent': 'andon', connection: 'close', ...headers },
      signal: AbortSignal.any([until, AbortSignal.timeout(tryMs)]),
    });
    void response.body?.cancel().catch(() => {});
    if (response.ok) return undefined;
    const { status } = response;
    const why = `answered ${status}`;
    if (status >= 300 && status < 400) return { why: `${why}; redirects are not followed`, status, mayPass: false };
    return { why, status, mayPass: status >= 500 };
  } catch (error) {
    return { why: describePostError(error), mayPass: true };
  }
}

function describePostError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'did not answer in time';
  const { cause } = error;
  return `could not be reached (${cause instanceof Error ? cause.message || cause.name : error.message})`;
}

/** Waits; false when no retry is possible. */
const rest = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, undefined, { signal }).then(
    () => true,
    () => false,
  );
