import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aFactory } from '../../support/factory.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { runShape, type Shape } from '../shapes.ts';

/** A proposal that a human approved, dropped beside a running watchdog that may start nothing: what became of it. */
export const proposal: Runner = ({ input }) => runShape(SHAPES, input);

const SHAPES: readonly Shape[] = [
  { known: 'markdown', fields: ['markdown'], run: ({ markdown }) => dropped(String(markdown)) },
  {
    known: 'complexity',
    fields: ['complexity'],
    async run({ complexity }) {
      const { contract } = await dropped(`${MINIMAL}**Complexity:** ${String(complexity)}\n${REST}`);
      const { limits } = contract as { readonly limits: Facts };
      return limits;
    },
  },
];

const MINIMAL = '# Proposal: One page\n';
const REST = '## Target\n- `docs/c.md`\n## Requirements\n- [ ] Merge both pages into one\n';

async function dropped(markdown: string): Promise<Facts> {
  const page = '# A page\n\nSome words.\n';
  const factory = await aFactory({ files: { 'docs/a.md': page, 'docs/b.md': page } });
  factory.drop('', 'STOP');
  const dog = await factory.watch();
  factory.drop(markdown, 'PROPOSAL_FINAL.md');
  const queued = (): readonly string[] =>
    readdirSync(join(factory.handoff, 'queue')).filter((name) => name.endsWith('.json'));
  await dog.until(() => factory.paper('PROPOSAL_REJECTED.md') !== undefined || queued().length > 0);
  await dog.stop();
  const refused = factory.paper('PROPOSAL_REJECTED.md');
  if (refused !== undefined)
    return { rejected: queued().length === 0, file: 'PROPOSAL_REJECTED.md', mentions: refused.toLowerCase() };
  const [name = ''] = queued();
  return { rejected: false, contract: asRowsSay(JSON.parse(factory.paper(`queue/${name}`) ?? '{}') as Facts) };
}

/** Rows call the budget in dollars by its name of schema 2.0. */
function asRowsSay(contract: Facts): Facts {
  const limits = contract['limits'] as Facts & { readonly budget?: { readonly usd?: number } };
  return { ...contract, limits: { ...limits, cost_ceiling_usd: limits.budget?.usd } };
}
