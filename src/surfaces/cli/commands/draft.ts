import { resolve } from 'node:path';
import { FILES, HANDOFF } from '../../../base/names.ts';
import { forTerminal, inOneTerminalLine } from '../../../base/plain-text.ts';
import { Problem } from '../../../base/problem.ts';
import { approveProposal, openProposals } from '../../../daemon/intake/open-proposals.ts';
import { findPlace } from '../../../daemon/wiring/open-place.ts';
import { isThere, readText } from '../../../inspection/read-files.ts';
import { dropped } from '../hand-in.ts';
import { flag } from '../options.ts';
import { json, line, remedyLine, sentence, styled } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon draft`: shows the contract that a proposal would become, with what nobody wrote marked; `--approve` makes it one. */
export async function run({ args, options, cwd, env }: Invocation): Promise<number> {
  const place = await findPlace(cwd, env);
  const name = fileOf(place.facts.root, cwd, args[0] as string | undefined);
  const text = readText(cwd, name.path);
  const proposals = await openProposals(place, env);
  try {
    const drafted = await proposals.draft(text);
    if (!drafted.ok)
      throw new Problem(
        'bad-argument',
        drafted.why.map((why) => `${name.shown}: ${inOneTerminalLine(why, 400)}`),
        'correct the proposal and try again; nothing was written',
      );
    const { taskId, contract, inferred, notices } = drafted.value;
    const file = flag(options, 'approve')
      ? approveProposal(place.facts.root, name.path, text, drafted.value)
      : undefined;
    if (flag(options, 'json'))
      json({ task_id: taskId, file: file ?? null, contract: JSON.parse(contract) as unknown, inferred, notices });
    else if (file === undefined) {
      process.stdout.write(forTerminal(contract));
      for (const one of inferred) remedyLine(`inferred: ${inOneTerminalLine(one, 300)}`);
      for (const one of notices) remedyLine(`note: ${inOneTerminalLine(one, 300)}`);
      line(
        styled(
          'dim',
          `andon draft --approve${args[0] === undefined ? '' : ` ${name.shown}`} makes it a contract of the line`,
        ),
      );
    } else sentence(await dropped(place, file, false));
    return 0;
  } finally {
    proposals.close();
  }
}

/** The file that was named; else the proposal that waits, or the one that was approved and refused. */
function fileOf(
  root: string,
  cwd: string,
  named: string | undefined,
): { readonly path: string; readonly shown: string } {
  const wanted =
    named === undefined
      ? [FILES.proposal, FILES.proposalFinal].map((one) => `${root}/${HANDOFF}/${one}`)
      : [resolve(cwd, named)];
  const path = wanted.find((one) => isThere(cwd, one));
  if (path !== undefined) return { path, shown: named ?? path.slice(root.length + 1) };
  throw new Problem(
    'bad-argument',
    named === undefined ? `there is no ${HANDOFF}/${FILES.proposal}` : `there is no file ${inOneTerminalLine(named)}`,
    'name a proposal: title, requirements, allowed paths, as `andon create --spec` takes them',
  );
}
