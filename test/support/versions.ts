import { expect } from 'vitest';
import type { Factory } from './factory.ts';
import { FINAL, answerOnce, writes } from './scenario.ts';

/** The document that the contract asks for. */
export const PATH = 'docs/auth_final.md';
/** The same document in versions, so that no attempt is the tree of another one. */
export const version = (number: number): string => `${FINAL}\nVersion ${number}.\n`;
/** An implementer's answer with that version. */
export const write = (number: number): ReturnType<typeof writes> => writes({ [PATH]: version(number) });

/** A gate that is red on the first version, and an implementer who comes to the fourth. */
export const RED_ONCE = { gates: [{ name: 'not one', run: `! grep 'Version 1' ${PATH}` }] };
export const FOUR_VERSIONS = [answerOnce(write(1)), answerOnce(write(2)), answerOnce(write(3)), write(4)];

/** Chooses a path by the command, and expects it to be taken. */
export const resume = async (factory: Factory, path: 1 | 2, ...more: readonly string[]): Promise<void> => {
  const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', String(path), ...more);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
};
