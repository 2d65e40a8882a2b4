import { expect, test } from 'vitest';
import type { Agent } from '../../../../src/agents/agent.ts';
import { explainNoWorker } from '../../../../src/agents/calls/explain-no-worker.ts';
import type { WorkerSources } from '../../../../src/agents/calls/resolve-driver.ts';

/** A profile `mine` of ollama, and the models that it and the user's configuration name. */
const sources = ({ ofProfile, ofUser }: { ofProfile?: string; ofUser?: string }): WorkerSources =>
  ({
    agents: { ollama: { id: 'ollama', worksAt: ['local-reviewer'], localModels: {} } as unknown as Agent },
    settings: { ollama: { model: ofUser }, drivers: {} },
    profiles: { profiles: [{ name: 'mine', driver: 'ollama', file: 'mine.yaml', model: ofProfile }], faults: [] },
  }) as unknown as WorkerSources;

test('a profile of a program with local models needs a model, its own or the one that the user configured', () => {
  expect(explainNoWorker(sources({}), 'mine', 'local-reviewer')).toContain('mine.yaml names ollama, which needs one');
  expect(explainNoWorker(sources({ ofProfile: 'm1' }), 'mine', 'local-reviewer')).toBeUndefined();
  expect(explainNoWorker(sources({ ofUser: 'm2' }), 'mine', 'local-reviewer')).toBeUndefined();
});

test('a program that cannot do the work of a station is named with what it lacks', () => {
  expect(explainNoWorker(sources({ ofProfile: 'm1' }), 'mine', 'judge')).toContain('which files it has opened');
});
