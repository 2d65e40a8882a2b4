import type { Rule } from '../rule-model/rule.ts';
import { remembered } from './text/remembered.ts';
import { compare, vectorOf, type TermVector } from './text/tf-idf.ts';
import { sentencesOf } from './text/units.ts';

/**
 * Whether a task is about what a rule is about: some sentence of the task comes near the rule's words. Meant to keep too
 * much rather than too little, because a rule that is left out is not checked.
 */
export const isRelevant = (rule: Rule, task: string): boolean => relevanceOf(rule, task) >= RELEVANT_FROM;

/** How near the nearest sentence of a task comes to a rule, 0 to 1. */
function relevanceOf(rule: Rule, task: string): number {
  const subject = subjectOf(rule);
  const near = vectorsOfTask(task).flatMap((sentence) =>
    subject.map((statement) => compare(statement, sentence).score),
  );
  return Math.max(0, ...near);
}

/** One word in common that is not rare is less than this. */
const RELEVANT_FROM = 0.1;

/** The rule as a whole, and each of its statements by itself. */
const subjectOf = remembered((rule: Rule): readonly TermVector[] => {
  const { title, tags, condition_text: condition = '', content = '', action_text: action = '' } = rule;
  const text = [title, tags.join(' '), condition, content, action].join('\n');
  return [vectorOf(sentencesOf(text).map(({ units }) => units)), ...vectorsOf(text)];
});

/** One task is asked about with every rule of a book. */
function vectorsOfTask(task: string): readonly TermVector[] {
  const known = TASKS.get(task);
  if (known !== undefined) return known;
  TASKS.clear();
  const vectors = vectorsOf(task);
  TASKS.set(task, vectors);
  return vectors;
}

const vectorsOf = (text: string): readonly TermVector[] =>
  sentencesOf(text.slice(0, LONGEST_TASK)).map(({ units }) => vectorOf([units]));

const TASKS = new Map<string, readonly TermVector[]>();
const LONGEST_TASK = 20_000;
