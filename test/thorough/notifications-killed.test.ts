/** @module-tag thorough */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { eventually } from '../support/factory.ts';
import { HALTING, TELL, aToldFactory, noted } from '../support/told-factory.ts';

describe('kill -9', () => {
  test.each([0, 10, 20, 40, 80])(
    '%s ms after the lock of a halt loses no notification, and who knows its id hears of it once',
    async (ms) => {
      const { factory, told } = await aToldFactory(TELL, {}, { apart: true });
      const dog = await factory.begin(aContract(HALTING));
      await dog.until(() => factory.paper('TASK_CONTRACT.json.lock') !== undefined);
      await sleep(ms); // spreads the kills over the work that follows
      await dog.kill9();
      const again = await factory.watch();
      await eventually(() => noted(factory).length === 1, 'the halt is noted as told');
      await again.stop();
      const last = await factory.watch();
      await last.stop();
      expect(new Set(told().map(({ event, id }) => `${event} ${id}`)).size).toBe(1);
      expect(told().length).toBeLessThanOrEqual(2); // twice only when the kill fell between telling and noting
      expect(noted(factory)).toEqual(['halt command']);
    },
  );
});
