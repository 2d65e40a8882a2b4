import { RULE_SEVERITIES } from '../../../src/rule-model/rule-words.ts';
import { aFactory } from '../../support/factory.ts';
import { aClientOf } from '../../support/mcp-client.ts';
import { forbids, ruleFile } from '../../support/rule-files.ts';
import { isFacts } from '../run-cases.ts';
import type { Facts } from '../run-cases.ts';

/** A question to the tool `rule_engine`, over the installed command; what it answers, or what its mistake is about. */
export async function askedOverMcp(input: Facts): Promise<Facts> {
  const client = await aClientOf(await ruled('P1'), ['--allow-register']);
  const answer = await client.engine(input);
  return answer.isError ? { error: /^error: (\w+)/.exec(answer.text)?.[1], says: answer.text } : answer.facts;
}

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

const ruled = (priority: string) =>
  aFactory({
    files: {
      '.andon/rules/row.yaml': ruleFile(
        forbids('ROW', 'FORBIDDEN', { severity: RULE_SEVERITIES[Number(priority.slice(1))] }),
      ),
    },
  });
