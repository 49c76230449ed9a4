import { describe, expect, it } from '@jest/globals';
import type { Response as ExpressResponse } from 'express';
import { Logger } from '../log/logger.js';
import { answerOrDrop } from './last-resort.js';

describe('An error that cannot be answered', () => {
  it('drops its connection, is logged, and never ends the process by a rejection', async () => {
    const lines: string[] = [];
    const log = new Logger({ level: 'info', format: 'json' }, { write: (line) => lines.push(line) });
    let dropped = 0;
    const response = {
      destroy: () => {
        dropped += 1;
      },
    } as unknown as ExpressResponse;
    await answerOrDrop(response, log, () => Promise.resolve());
    expect([dropped, lines]).toEqual([0, []]);
    await answerOrDrop(response, log, () => Promise.reject(new Error('no page for this')));
    expect([dropped, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toContain('no page for this');
  });
});
