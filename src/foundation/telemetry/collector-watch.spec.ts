import { describe, expect, it } from '@jest/globals';
import { Logger } from '../log/logger.js';
import { CollectorWatch } from './collector-watch.js';

const MINUTE_MS = 60_000;

function stage() {
  const lines: string[] = [];
  const log = new Logger({ level: 'info', format: 'json' }, { write: (line) => void lines.push(line) });
  let now = 0;
  let result: { code: number; error?: Error } = { code: 0 };
  const exporter = { export: (_: string, done: (of: typeof result) => void) => done(result), shutdown: async () => {} };
  const watched = new CollectorWatch(log, () => now).watch(exporter);
  const send = (next: typeof result, minutes = 0): void => {
    now += minutes * MINUTE_MS;
    result = next;
    watched.export('items', () => undefined);
  };
  return { lines, send };
}

const AWAY = { code: 1, error: Object.assign(new Error('with a secret'), { code: 'ECONNREFUSED' }) };

describe('A collector', () => {
  it('that is away is a line of the log, with a code and no message, and that it is back another one [OPS-058]', () => {
    const { lines, send } = stage();
    for (let count = 0; count < 10; count += 1) send(AWAY);
    send({ code: 0 });
    send({ code: 0 });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 40, cause: 'ECONNREFUSED' },
      { level: 30 },
    ]);
    expect(lines.join('')).not.toContain('secret');
  });

  it('that comes and goes is two lines in ten minutes [OPS-058]', () => {
    const { lines, send } = stage();
    for (let count = 0; count < 10; count += 1) {
      send(AWAY);
      send({ code: 0 });
    }
    expect(lines).toHaveLength(2);
    send(AWAY, 10);
    expect(lines).toHaveLength(3);
  });
});
