import { RULE_SEVERITIES } from '../../../src/rules/model/rule-words.ts';
import { aFactory, type Factory } from '../../support/factory.ts';
import { aClientOf } from '../../support/mcp-client.ts';
import { forbids, ruleFile } from '../../support/rule-files.ts';
import { TELL, aToldFactory } from '../../support/told-factory.ts';
import { isFacts, type Facts } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';
import { openAudit } from './rule-engine-audit.ts';

/** A question to the tool `rule_engine`, over the installed command; what it answers, or what its mistake is about. */
export async function askedOverMcp(input: Facts): Promise<Facts> {
  const client = await aClientOf(await ruled('P1'), ['--allow-register']);
  if (input['context'] !== undefined) await client.engine({ action: 'register', rule: REGISTERED });
  const answer = await client.engine(input);
  if (answer.isError) return { ok: false, error: /^error: (\w+)/.exec(answer.text)?.[1], says: answer.text };
  const { violations } = answer.facts;
  const ids = Array.isArray(violations) ? violations.filter(isFacts).map((one) => one['rule_id']) : [];
  return { ...answer.facts, ok: true, violations: ids };
}

/** The rule that rows about the tool register, and ask about in later rows. */
const REGISTERED = { id: 'A', severity: 'HIGH', match: { pattern: 'x' } };

/** What is told beside the answer about a violation of a priority. */
export async function toldOverMcp({ violation, phase }: Facts): Promise<Facts> {
  const client = await aClientOf(await ruled(String(violation)));
  await client.engine({
    action: 'execute',
    ...(phase === undefined ? {} : { phase }),
    context: { code: 'FORBIDDEN', file: 'a.ts' },
  });
  const [told] = client.heard;
  const params = isFacts(told?.params) ? told.params : {};
  return {
    method: told?.method,
    params: Object.keys(params),
    priority: params['priority'],
    handler: params['handler'],
  };
}

/** An agent that answers IGNORE to a reminder, or to what is none. */
export async function ignoredOverMcp({ priority = 'P3', can_be_ignored: may = true }: Facts): Promise<Facts> {
  const factory = await ruled(String(priority), { soft_hooks: { can_be_ignored: may } });
  const client = await aClientOf(factory);
  const { facts } = await client.engine(ignoring('FORBIDDEN'));
  const [hook] = Array.isArray(facts['hooks']) ? facts['hooks'].filter(isFacts) : [];
  const { name, lines } = openAudit(factory, 'soft_hooks.log');
  return {
    refused: hook?.['why'] !== null,
    appended_to: name,
    fields: Object.keys(lines.findLast((line) => line['action'] === 'IGNORED') ?? {}),
  };
}

/** A reminder that is ignored while andon watches: whether its human was told. */
export async function ignoredAloud({ notify_on_ignore: notify }: Facts): Promise<Facts> {
  const rule = forbids('ROW', 'FORBIDDEN', { severity: 'LOW', soft_hooks: { notify_on_ignore: notify === true } });
  const { factory, told } = await aToldFactory(TELL, {}, { files: { '.andon/rules/row.yaml': ruleFile(rule) } });
  const dog = await factory.watch();
  const client = await aClientOf(factory);
  await client.engine(ignoring('FORBIDDEN'));
  await client.client.close();
  await dog.stop(); // waits for what is being told
  return { notified: told().some(({ event, sentence }) => event === 'rule' && sentence.includes('ROW')) };
}

/** A reminder that is ignored, then again by a server that was started anew. */
export async function ignoredOverRestart(input: Facts): Promise<Facts> {
  const factory = await ruled('P3');
  let text = 0;
  for (const times of [numberOf(input, 'ignored'), numberOf(input, 'then_ignored', 0)]) {
    const client = await aClientOf(factory);
    for (let at = 0; at < times; at += 1) await client.engine(ignoring(`FORBIDDEN ${(text += 1)}`));
    await client.client.close();
  }
  const { facts } = await (await aClientOf(factory)).engine(about('FORBIDDEN at last'));
  return { handler: facts['action'], priority: facts['highest_priority'] };
}

/** Two servers of one project that write violations down side by side. */
export async function writtenByTwo(): Promise<Facts> {
  const factory = await ruled('P1');
  const clients = [await aClientOf(factory), await aClientOf(factory)];
  await Promise.all(
    clients.flatMap((client) => ['a', 'b', 'c'].map((text) => client.engine(about(`FORBIDDEN ${text}`)))),
  );
  const ids = openAudit(factory, 'rule_violations.jsonl').lines.map((line) => line['log_id']);
  return { unique_ids: ids.length === 6 && new Set(ids).size === ids.length };
}

const about = (code: string, more: Facts = {}): Facts => ({
  action: 'check_violation',
  context: { code, file: 'a.ts', ...more },
});

const ignoring = (code: string): Facts => about(code, { hooks: { ROW: 'IGNORE: it is meant so' } });

const ruled = (priority: string, part: object = {}): Promise<Factory> =>
  aFactory({
    files: {
      '.andon/rules/row.yaml': ruleFile(
        forbids('ROW', 'FORBIDDEN', { severity: RULE_SEVERITIES[Number(priority.slice(1))], ...part }),
      ),
    },
  });
