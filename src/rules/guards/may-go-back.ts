import type { LineRecord } from '../../record/line-record.ts';
import type { MessageSettings } from '../../rule-model/message-settings.ts';

/** So many refusals of one guard in a turn; the same number for all of them on the line. */
const EACH = 2;

/** Whether a message of this turn may still go back: afterwards it is handed on, and whoever reads it next is told. */
export const mayGoBack = ({ refusedAnswers }: Pick<LineRecord, 'refusedAnswers'>, settings: MessageSettings): boolean =>
  refusedAnswers < Math.min(EACH, settings.maxTotalRetries);
