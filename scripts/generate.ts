import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonSchemaForModel } from '../src/base/json-schema-for-model.ts';
import { configJsonSchemas } from '../src/project/config/config-schema.ts';
import { decisionJsonSchema } from '../src/line/record/decision-file.ts';
import { judgeAnswerSchema } from '../src/line/record/agent-answers.ts';
import { ruleFileJsonSchema } from '../src/rules/load/parse-rule-file.ts';
import { waiversJsonSchema } from '../src/rules/load/waiver-file.ts';
import { contractJsonSchema } from '../src/project/contract/task-contract-schema.ts';
import { diagram } from './diagram.ts';

const ROOT = join(import.meta.dirname, '..');
const DIAGRAM = /<!-- diagram -->[\s\S]*?<!-- \/diagram -->/;

/** Every generated file, by its path from the root; `architecture` is the present text. */
export function generated(architecture: string): ReadonlyMap<string, string> {
  const { project, user } = configJsonSchemas();
  const block = `<!-- diagram -->\n\`\`\`mermaid\n${diagram()}\n\`\`\`\n<!-- /diagram -->`;
  const json = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;
  return new Map([
    ['contracts/task-contract.schema.json', json(contractJsonSchema())],
    ['contracts/judge-report.schema.json', json(judgeReportSchema())],
    ['contracts/rules.schema.json', json(ruleFileJsonSchema())],
    ['contracts/waivers.schema.json', json(waiversJsonSchema())],
    ['contracts/decision.schema.json', json(decisionJsonSchema())],
    ['contracts/project-config.schema.json', json(project)],
    ['contracts/user-config.schema.json', json(user)],
    [
      'ARCHITECTURE.md',
      DIAGRAM.test(architecture) ? architecture.replace(DIAGRAM, () => block) : `${architecture}${block}\n`,
    ],
  ]);
}

/** Every author of a report, an external judge too, is held to the schema of andon's own judge. */
const judgeReportSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Judge report',
  description: 'What a judge answers, or writes as _handoff/JUDGE_REPORT.json.',
  ...jsonSchemaForModel(judgeAnswerSchema()),
});

/** The text of a file of the project; empty if it does not exist. */
export const textOf = (path: string): string =>
  existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '';

if (import.meta.main) {
  for (const [path, text] of generated(textOf('ARCHITECTURE.md'))) {
    const isNew = textOf(path) !== text;
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    if (isNew) writeFileSync(join(ROOT, path), text);
    console.log(`${isNew ? 'written  ' : 'unchanged'} ${path}`);
  }
}
