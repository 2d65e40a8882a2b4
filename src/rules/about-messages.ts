import type { Rule } from '../rule-model/rule.ts';

/** Whether a rule is about what agents say to each other, whoever says it: on the line, in `andon messages check`, in a hook. */
export const isAboutMessages = ({ match }: Rule): boolean => match?.on === 'message';
