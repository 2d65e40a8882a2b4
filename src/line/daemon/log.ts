import pino from 'pino';
import { maskKnown } from '../../base/known-secrets.ts';
import { toTerminal } from '../../base/plain-text.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openDayLog } from '../../project/folders/day-log.ts';
import type { LineEvent } from '../services/services.ts';

/** andon's own log in the state folder. Written synchronously: what was logged is there after any kind of death. */
export function createLog(
  stateFolder: string,
  settings: Workspace['settings']['log'],
): { news(news: LineEvent): void; close(): void } {
  const file = openDayLog(stateFolder, settings);
  const masking = { write: (line: string): void => file.write(maskKnown(line)) };
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, masking);
  let isOpen = true;
  return {
    close() {
      if (isOpen) file.close();
      isOpen = false;
    },
    news(news) {
      if (!isOpen) return; // a word that comes after the end is not worth a failure
      if (news.kind === 'word') logger[news.level](toTerminal(withoutSecrets(news.text)));
      else if (news.kind === 'notice')
        logger.info({ task: news.notification.task_id, event: news.notification.event }, news.notification.sentence);
      else if (news.kind === 'gate')
        logger.info({ task: news.taskId, gate: news.name, outcome: news.outcome, ms: news.ms }, 'gate');
      else
        logger.info(
          { task: news.record.taskId, status: news.record.status, entry: news.entry.kind },
          news.entry.kind === 'moved'
            ? toTerminal(news.entry.reason)
            : news.entry.kind === 'remark'
              ? toTerminal(withoutSecrets(news.entry.text))
              : news.entry.kind,
        );
    },
  };
}
