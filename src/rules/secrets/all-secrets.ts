import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator as preset } from '@secretlint/secretlint-rule-preset-recommend';
import { findSecrets } from './find-secrets.ts';
import type { FoundSecret } from './found-secret.ts';
import { entropy, isPlaceholder } from './placeholders.ts';

// It keeps a mark of every rule on every file for ever, which a daemon cannot afford.
secretLintProfiler.setEnabled(false);

/** Every secret in a text: what secretlint's preset finds, and what andon's own forms find beside it. */
export async function allSecrets(path: string, text: string): Promise<readonly FoundSecret[]> {
  if (text === '') return [];
  const result = await lintSource({
    source: { filePath: path === '' ? 'text.txt' : path, content: text, contentType: 'text' },
    options: {
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: preset }] },
      noPhysicFilePath: true,
      maskSecrets: true,
    },
  });
  const theirs = result.messages.flatMap(({ range: [start, end], ruleId }) => {
    const rule = ruleId.replace('@secretlint/secretlint-rule-', '');
    return isReal(rule, text.slice(start, end)) ? [{ start, end, what: `a secret (${rule})` }] : [];
  });
  const own = findSecrets(path, text).filter(
    ({ start, end }) => !theirs.some((one) => one.start < end && start < one.end),
  );
  return [...theirs, ...own].toSorted((one, other) => one.start - other.start);
}

/** Tokens in which one letter stands for all, or the example of a manual, are none; passwords may be anything. */
function isReal(rule: string, value: string): boolean {
  if (ANYTHING.test(rule)) return true;
  if (rule.includes('slack') && !/\d{6}|hooks\.slack\.com/.test(value) && value.length < 30) return false;
  return !isPlaceholder(value) && entropy(value) >= 2.5;
}

const ANYTHING = /basicauth|database|privatekey|gcp|1password/;
