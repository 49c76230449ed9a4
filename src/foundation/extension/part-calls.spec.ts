import { describe, expect, it } from '@jest/globals';
import { Logger } from '../log/logger.js';
import { Tallies } from '../metrics/tallies.js';
import { Clock } from '../time/clock.js';
import { type PartCall, PartCalls, PartFailed } from './part-calls.js';
import { PartRecord } from './part-record.js';
import { Seam } from './seam.js';

const SEAM = new Seam<object>('CLAIMS', 'many');

describe('A part that does not let the event loop go', () => {
  it('has failed once it comes back, with a line that names it and says how long nobody was served', async () => {
    const lines: string[] = [];
    const log = new Logger({ level: 'info', format: 'json' }, { write: (line: string) => void lines.push(line) });
    const record = new PartRecord(new Tallies(), new Clock());
    const call: PartCall<object> = { seam: SEAM, of: { extension: 'hr', name: 'HrClaims', part: {} }, limitMs: 50 };
    const blocking = async (): Promise<string> => {
      for (const endsAt = performance.now() + 80; performance.now() < endsAt; );
      return 'an answer';
    };
    await expect(new PartCalls(log, record).call(call, blocking)).rejects.toThrow(PartFailed);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      extension: 'hr',
      part: 'HrClaims',
      err: { message: expect.stringMatching(/^It kept the event loop for \d+ ms/) },
    });
    expect(record.failuresOfLastHour({ extension: 'hr', seam: 'CLAIMS' })).toBe(1);
    await expect(new PartCalls(log, record).call(call, async () => 'an answer')).resolves.toBe('an answer');
  });
});
