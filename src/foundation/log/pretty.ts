import { Writable } from 'node:stream';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** One readable line per event for people at a terminal: time, level, message, fields. */
export function prettyStream(): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      process.stdout.write(toPretty(chunk.toString()), () => done());
    },
  });
}

function toPretty(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as {
    level: number;
    time: number;
    msg?: string;
    err?: { stack?: string };
  };
  const clock = new Date(time).toISOString().slice(11, 23);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const text = [clock, (LEVELS[level] ?? 'info').padEnd(5), msg ?? '', ...rest].join(' ');
  return `${text}\n${err?.stack ? `${err.stack}\n` : ''}`;
}
