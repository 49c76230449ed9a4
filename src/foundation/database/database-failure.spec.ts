import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { isRefused, NoConnection, toFailure, toFailureOf } from './database-failure.js';

const answered = (code: string, severity = 'ERROR'): DatabaseError =>
  Object.assign(new DatabaseError('what the server says', 1, 'error'), { code, severity });
const broken = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });
const wrapped = (driverError: Error): Error => Object.assign(new Error(driverError.message), { driverError });

const reasonOf = (text: string, error: Error): unknown => {
  const failure = toFailureOf({ text }, error);
  return failure === error ? 'as it is' : (failure as { reason: string }).reason;
};

describe('A change whose answer was lost', () => {
  it.each([
    broken('Connection terminated unexpectedly'),
    broken('read ECONNRESET', 'ECONNRESET'),
    broken('write EPIPE', 'EPIPE'),
    broken('read ETIMEDOUT', 'ETIMEDOUT'),
    answered('57P01', 'FATAL'),
    answered('57P02'),
    answered('08006'),
    answered('XX000', 'PANIC'),
    wrapped(answered('57P01', 'FATAL')),
  ])('may have been made: %s', (error) => {
    expect(reasonOf('UPDATE a SET b = 1', error)).toBe('database.outcome_unknown');
    expect(reasonOf('SELECT 1', error)).not.toBe('database.outcome_unknown');
    expect(isRefused(error)).toBe(false);
  });

  it.each([
    broken('connect ECONNREFUSED', 'ECONNREFUSED'),
    broken('timeout exceeded when trying to connect'),
    broken('Connection terminated due to connection timeout'),
    broken('Client has encountered a connection error and is not queryable'),
    answered('57P03', 'FATAL'),
    answered('53300', 'FATAL'),
  ])('was not made where it was never sent: %s', (error) => {
    expect(reasonOf('UPDATE a SET b = 1', error)).toBe('database.unavailable');
  });

  it.each(['23505', '40001', '57014', 'XX000'])('was not made where the server refuses it: %s', (code) => {
    expect(isRefused(answered(code))).toBe(true);
    expect(isRefused(wrapped(answered(code)))).toBe(true);
    expect(reasonOf('DELETE FROM a', answered(code))).not.toBe('database.outcome_unknown');
  });

  it.each([
    'INSERT INTO a VALUES (1)',
    'WITH x AS (DELETE\n FROM a RETURNING 1) SELECT',
    'update a set b = 1',
    'SELECT 1 FROM a FOR UPDATE; UPDATE a SET b = 1',
  ])('is recognized by its message: %s', (text) => {
    expect(reasonOf(text, broken('Connection terminated unexpectedly'))).toBe('database.outcome_unknown');
  });

  it.each([
    'SELECT updated_at FROM a',
    'SELECT 1 FROM a FOR UPDATE OF a',
    'SELECT 1 FROM a FOR NO KEY UPDATE ',
    'SELECT inserted, deleted FROM a',
  ])('is none: %s', (text) => {
    expect(reasonOf(text, broken('Connection terminated unexpectedly'))).toBe('database.unavailable');
  });
});

describe('A server that is there and cannot serve is Unavailable, and no defect of the service [OPS-053]', () => {
  it.each([
    ['28P01', 'the password is wrong'],
    ['28000', 'the login is not allowed'],
    ['3D000', 'the database is gone'],
    ['25006', 'it only reads'],
    ['42501', 'it denies what the service needs, or its disk only reads'],
    ['53100', 'the disk is full'],
    ['53200', 'the memory is full'],
    ['53300', 'all connections are in use'],
    ['57P01', 'an operator shuts it down'],
    ['57P02', 'it has crashed'],
    ['57P03', 'it starts'],
    ['58030', 'the disk fails'],
  ])('%s: %s', (code) => {
    for (const error of [answered(code), wrapped(answered(code))])
      expect(toFailure(error)).toMatchObject({ kind: 'Unavailable', reason: 'database.unavailable' });
  });

  it.each([
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    'The server does not support SSL connections',
    'certificate has expired',
    'getaddrinfo EAI_AGAIN db',
  ])('whatever keeps it from connecting: %s', (message) => {
    const error = new NoConnection(broken(message));
    expect(toFailureOf({ text: 'DELETE FROM a' }, error)).toMatchObject({ reason: 'database.unavailable' });
    expect(toFailureOf({ text: 'DELETE FROM a' }, wrapped(error))).toMatchObject({ reason: 'database.unavailable' });
  });
});
