import { format, inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { Secret } from './secret.js';

const secret = new Secret('hunter2-hunter2');

function logged(fields: object): string {
  const lines: string[] = [];
  pino({}, { write: (line: string) => void lines.push(line) }).info(fields, 'message %s', secret);
  return lines.join('');
}

describe('A secret', () => {
  it.each<[string, () => string]>([
    ['as a string', () => String(secret)],
    ['in a template', () => `${secret}`], // oxlint-disable-line typescript/restrict-template-expressions -- the mistake is what is tested
    ['joined', () => [secret, secret].join()],
    ['as JSON', () => JSON.stringify({ secret, list: [secret] })],
    ['inspected', () => inspect({ secret, map: new Map([['key', secret]]) }, { depth: 9, showHidden: true })],
    ['formatted', () => format('%s %o %O %j', secret, secret, secret, secret)],
    ['with its members listed', () => Object.entries({ ...secret }).join() + Object.getOwnPropertyNames(secret).join()],
    ['logged', () => logged({ secret, deep: { list: [secret] } })],
    ['in an error', () => inspect(new Error('failed', { cause: secret }))],
  ])('is not printed %s', (_, print) => {
    expect(print()).not.toContain('hunter2');
  });

  it('is revealed on explicit request', () => {
    expect(secret.reveal()).toBe('hunter2-hunter2');
  });
});
