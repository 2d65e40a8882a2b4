import { jsonSchemaForModel } from '../../base/json-schema-for-model.ts';
import { draftAnswerSchema } from '../../record/draft-answer.ts';
import type { Brief } from '../stations/brief.ts';
import { fenceText, fenceRule } from '../stations/fence.ts';

/** The most paths listed in the brief; a larger project is listed by folders only. */
const MOST_PATHS = 400;

/** The brief for the floor manager's agent about a proposal in prose: its tasks and their files. */
export function briefDraft(proposal: string, files: readonly string[], nonce: string): Brief {
  const shown = files.length <= MOST_PATHS ? files : foldersOf(files).slice(0, MOST_PATHS);
  const prompt = [
    'You are the floor manager: you turn a proposal into tasks for a line of coding agents. A human will read every word before anything runs.',
    fenceRule(nonce),
    fenceText('proposal', proposal, nonce),
    fenceText(files.length <= MOST_PATHS ? 'files of the project' : 'folders of the project', shown.join('\n'), nonce),
    `One task is one change that can be reviewed and merged by itself. Most proposals are one task; at most ${MOST_TASKS} are taken. \`requirements\` are the results, one checkable sentence each; \`quote\` repeats the words of the proposal that ask for it, unchanged, and is empty for what you add. \`source_files\` are files of the project that the implementer must read. \`changed_files\` are the files that it may change or create, each by its whole path: no folder, no pattern. \`after\` are the numbers of your tasks that must be merged before, from 1. Ask in \`questions\` what the proposal leaves open. Invent nothing.`,
    'Answer with one JSON object: {"tasks": [{"title", "requirements": [{"text", "quote"}], "acceptance_criteria", "source_files", "changed_files", "complexity": "trivial", "minor", "major" or "critical", "after"}], "questions"}. No other text.',
  ];
  return { prompt: prompt.join('\n\n'), schema: jsonSchemaForModel(draftAnswerSchema()) };
}

/** The most tasks of one proposal. */
export const MOST_TASKS = 8;

const foldersOf = (files: readonly string[]): readonly string[] =>
  [
    ...new Set(files.flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/') + 1)] : []))),
  ].toSorted();
