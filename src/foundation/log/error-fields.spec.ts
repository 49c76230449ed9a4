import { describe, expect, it } from '@jest/globals';
import { errorFields } from './error-fields.js';

describe('The log fields of an error', () => {
  it('is what happened, where, and why', () => {
    const cause = new Error('the disk is full');
    const fields = errorFields(new TypeError('cannot write', { cause }));
    expect(fields).toMatchObject({ type: 'TypeError', message: 'cannot write' });
    expect(fields['stack']).toMatch(/TypeError: cannot write\n +at .*\ncaused by: Error: the disk is full/s);
  });

  it('of a database holds the statement and names, but none of its values', () => {
    const failed = Object.assign(new Error('null value in column "email"'), {
      query: 'INSERT INTO user_account VALUES ($1)',
      parameters: ['$argon2id$secret'],
      code: '23502',
      table: 'user_account',
      column: 'email',
      detail: 'Failing row contains ($argon2id$secret).',
      driverError: { detail: '$argon2id$secret' },
      where: "unnamed portal parameter $1 = '$argon2id$secret'",
    });
    const fields = errorFields(failed);
    expect(fields).toMatchObject({
      query: 'INSERT INTO user_account VALUES ($1)',
      code: '23502',
      table: 'user_account',
      column: 'email',
    });
    expect(JSON.stringify(fields)).not.toContain('argon2id');
  });

  it('takes whatever was thrown, and causes that go round', () => {
    expect(errorFields('a word')).toEqual({ type: 'string', message: 'a word' });
    const round = new Error('round');
    round.cause = round;
    expect(String(errorFields(round)['stack']).match(/caused by/g)).toHaveLength(4);
  });

  it('never throws, even for an error that cannot be read', () => {
    const unreadable = Object.defineProperty(new Error('hidden'), 'stack', {
      get: () => {
        throw new Error('no stack');
      },
    });
    for (const thrown of [unreadable, Object.create(null), undefined, null, Symbol('a symbol')])
      expect(errorFields(thrown)).toHaveProperty('message');
  });
});
