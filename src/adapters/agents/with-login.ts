import { failure } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { AgentFailure, Transcript } from '../../ports/agent.ts';
import { failed } from './agent-program.ts';
import { MOST_OF_LOGIN, holdsSecret, takeBack } from './login-file.ts';
import type { Alone, Login } from './login-file.ts';
import type { PrivateFolder } from './private-folder.ts';

/** Whose login works for which program, and where. */
export interface LentLogin {
  readonly name: string;
  readonly login: Login;
  /** Below the user's home, and in the same place below the private one. */
  readonly file: string;
  readonly own: PrivateFolder;
  readonly alone: Alone;
}

/**
 * Runs a program with the user's login in its private home. The login is taken back where it was made new, also where
 * looking at what the program did fails; it stands in no answer, and what is wrong with it is said.
 */
export async function withLogin(
  { name, login, file, own, alone }: LentLogin,
  run: () => Promise<Outcome<Transcript, AgentFailure>>,
): Promise<Outcome<Transcript, AgentFailure>> {
  own.write(`home/${file}`, login.text);
  let left: string | undefined;
  let notTaken: string | undefined;
  let result: Outcome<Transcript, AgentFailure>;
  try {
    result = await run();
  } finally {
    left = own.read(`home/${file}`, MOST_OF_LOGIN);
    notTaken = await takeBack(login, left, alone);
  }
  const tells = (text: string): boolean => holdsSecret(text, [login.text, left]);
  if (!result.ok) {
    const { why } = result;
    const detail = tells(why.detail) ? `${name} failed, in words that hold a part of your login` : why.detail;
    return failure({ ...why, detail: notTaken === undefined ? detail : `${detail}; ${notTaken}` });
  }
  const { text, edited = [], ...rest } = result.value;
  const told = [text, ...edited.flatMap((one) => ('content' in one ? [one.path, one.content ?? ''] : [one.path]))];
  const bad = told.some(tells)
    ? `what ${name} wrote holds a part of your login; nothing of it is taken`
    : notTaken && `${name}: ${notTaken}`;
  return bad === undefined
    ? result
    : failure({ ...failed('refused', bad, rest), ...rest, kind: 'refused', detail: bad });
}
