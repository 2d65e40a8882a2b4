import { configureGlobal } from 'fast-check';

/**
 * fast-check, whose properties try the same values in every run, so that a suite that was green stays green;
 * `ANDON_SEED=random` (or a number) has them try others, and a failure says with which seed it comes back.
 */
export * from 'fast-check';

const seed = process.env['ANDON_SEED'] ?? '20261';
configureGlobal(seed === 'random' ? {} : { seed: Number(seed) });
