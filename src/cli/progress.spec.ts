import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Clock } from '../foundation/time/clock.js';
import { amount, ProgressLine } from './progress.js';

class HandClock extends Clock {
  ms = 0;

  override elapsedMs(): number {
    return this.ms;
  }
}

function terminal(
  isTTY: boolean,
  columns?: number,
): { out: Writable & { isTTY: boolean; columns?: number }; text: () => string } {
  let text = '';
  const out = Object.assign(
    new Writable({
      write: (chunk: Buffer, _, done) => {
        text += chunk.toString();
        done();
      },
    }),
    { isTTY, ...(columns === undefined ? {} : { columns }) },
  );
  return { out, text: () => text };
}

const at = (done: number): { what: string; done: number; total: number; unit: 'bytes' } => ({
  what: 'Sending',
  done,
  total: 10_000_000,
  unit: 'bytes',
});

describe('Progress', () => {
  it('is a bar on a terminal, drawn again on its own line and taken away at the end', () => {
    const clock = new HandClock();
    const { out, text } = terminal(true, 200);
    const line = new ProgressLine(out, false, clock);
    line.show(at(0));
    clock.ms = 2_000;
    line.show(at(5_000_000));
    line.end();
    expect(text().split('\r\u001b[2K')).toEqual([
      '',
      'Sending  [........................]  0 %  0 B of 10.0 MB',
      'Sending  [############............]  50 %  5.0 MB of 10.0 MB  2.5 MB/s',
      '',
    ]);
  });

  it('is drawn ten times a second at most, and fits the terminal', () => {
    const clock = new HandClock();
    const { out, text } = terminal(true, 20);
    const line = new ProgressLine(out, false, clock);
    for (clock.ms = 0; clock.ms < 1_000; clock.ms += 10) line.show(at(clock.ms));
    const drawn = text().split('\r\u001b[2K').slice(1);
    expect(drawn).toHaveLength(10);
    expect(drawn.every((one) => one.length <= 19)).toBe(true);
  });

  it('is a plain line elsewhere, for each new phase and every ten seconds', () => {
    const clock = new HandClock();
    const { out, text } = terminal(false);
    const line = new ProgressLine(out, false, clock);
    for (clock.ms = 0; clock.ms <= 12_000; clock.ms += 1_000) line.show(at(clock.ms * 100));
    line.show({ what: 'Writing', done: 1_200, total: 30_000, unit: 'objects', rate: 400, secondsLeft: 72 });
    line.end();
    expect(text()).toBe(
      'Sending  0 %  0 B of 10.0 MB\nSending  10 %  1.0 MB of 10.0 MB  100.0 kB/s\nWriting  4 %  1,200 of 30,000  400/s  1 min 12 s left\n',
    );
  });

  it('shows the end of what it counts, once', () => {
    const { out, text } = terminal(false);
    const line = new ProgressLine(out, false, new HandClock());
    for (const done of [0, 4_000_000, 10_000_000, 10_000_000]) line.show(at(done));
    expect(text()).toBe('Sending  0 %  0 B of 10.0 MB\nSending  100 %  10.0 MB of 10.0 MB\n');
  });

  it('makes room for a line that stays', () => {
    const { out, text } = terminal(true, 200);
    const line = new ProgressLine(out, false, new HandClock());
    line.show(at(0));
    line.say('Waiting.');
    expect(text().split('\r\u001b[2K').at(-1)).toBe('Waiting.\n');
  });

  it('prints nothing if it is not wanted', () => {
    const { out, text } = terminal(true);
    const line = new ProgressLine(out, true);
    line.show(at(1));
    line.say('Waiting.');
    line.end();
    expect(text()).toBe('');
  });

  it('needs no total', () => {
    const { out, text } = terminal(false);
    new ProgressLine(out, false).show({ what: 'Receiving', done: 1_500, unit: 'bytes' });
    expect(text()).toBe('Receiving  1.5 kB\n');
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [1_234_567, '1.2 MB'],
  [5e12, '5.0 TB'],
  [5e15, '5000.0 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(amount(bytes, 'bytes')).toBe(text);
});
