import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { toSnakeCase } from '../../../foundation/database/snake-case.js';
import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { exampleOf, fieldsOf } from './declared-field.js';
import { Bytes, Choice, Choices, Count, Flag, Long, Moment, Part, Parts, Span, Struct, Text, Texts } from './fields.js';
import { readMessage } from './read-message.js';
import { writeMessage } from './write-message.js';

const STATE = wireEnum('State', { STATE_UNSPECIFIED: [0, 'unspecified'], STATE_ACTIVE: [1, 'active'] });

class Owner {
  @Text(1, { example: '12' }) readonly orgId!: string;
}

class Base {
  @Long(1) readonly sequence!: bigint;
}

class Thing extends Base {
  @Text(2, { example: 'A thing' }) readonly displayName!: string;
  @Text(3, { optional: true }) readonly nickName?: string | undefined;
  @Texts(4) readonly tags!: string[];
  @Flag(5) readonly isActive!: boolean;
  @Count(6) readonly limit!: number;
  @Choice(7, STATE) readonly state!: ValueOf<typeof STATE>;
  @Choices(8, STATE) readonly states!: Array<ValueOf<typeof STATE>>;
  @Moment(9) readonly changeDate?: Date | undefined;
  @Span(10) readonly lifetime?: number | undefined;
  @Bytes(11) readonly value!: Buffer;
  @Part(12, () => Owner, { required: true }) readonly owner?: Owner | undefined;
  @Parts(13, () => Owner) readonly others!: Owner[];
  @Struct(14) readonly facts?: object | undefined;
}

const json = (value: object): unknown => JSON.parse(JSON.stringify(writeMessage(Thing, value)));

const FULL = {
  sequence: 18_446_744_073_709_551_615n,
  displayName: 'A',
  nickName: '',
  tags: ['a'],
  isActive: true,
  limit: 5,
  state: 'active',
  states: ['active', 'unspecified'],
  changeDate: new Date('2026-11-20T08:30:00.123Z'),
  lifetime: 43_200,
  value: Buffer.from([0xfb, 0xff]),
  owner: { orgId: '1' },
  others: [{ orgId: '2' }],
  facts: { a: [null] },
};

describe('Writing a message', () => {
  it('writes lowerCamelCase, uint64 as a string, enumerations by name, times and durations as protobuf does', () => {
    expect(json(FULL)).toEqual({
      sequence: '18446744073709551615',
      displayName: 'A',
      nickName: '',
      tags: ['a'],
      isActive: true,
      limit: 5,
      state: 'STATE_ACTIVE',
      states: ['STATE_ACTIVE', 'STATE_UNSPECIFIED'],
      changeDate: '2026-11-20T08:30:00.123Z',
      lifetime: '43200s',
      value: '+/8=',
      owner: { orgId: '1' },
      others: [{ orgId: '2' }],
      facts: { a: [null] },
    });
  });

  it('writes every field that has a zero value, also when it is empty, false or 0', () => {
    expect(json({})).toEqual({
      sequence: '0',
      displayName: '',
      tags: [],
      isActive: false,
      limit: 0,
      state: 'STATE_UNSPECIFIED',
      states: [],
      value: '',
      others: [],
    });
  });

  it('accepts null, as databases return it, for absent values', () => {
    const nothing = Object.fromEntries(fieldsOf(Thing).map(({ name }) => [name, null]));
    expect(json(nothing)).toEqual(json({}));
  });

  it('writes nothing but declared fields: what a row holds besides stays inside', () => {
    expect(json({ ...FULL, passwordHash: 'x', owner: { orgId: '1', secret: 'x' } })).toEqual(json(FULL));
  });

  it('refuses a value that the enumeration does not have: a defect, not an answer', () => {
    expect(() => writeMessage(Thing, { state: 'gone' })).toThrow('State has no value gone.');
  });

  it('writes what it would read again', () => {
    expect({ ...readMessage(Thing, json(FULL)) }).toEqual(FULL);
  });
});

describe('The declaration of a message', () => {
  it('knows the fields of the class that it extends, those first', () => {
    expect(
      fieldsOf(Thing)
        .slice(0, 2)
        .map(({ name }) => name),
    ).toEqual(['sequence', 'displayName']);
    expect(fieldsOf(Base)).toHaveLength(1);
  });

  it('gives no number twice', () => {
    expect(() => {
      class Twice extends Base {
        @Text(1) readonly name!: string;
      }
      return Twice;
    }).toThrow('Twice.name has the number 1, which sequence has.');
  });

  it('makes an example of the fields that have one and of the parts that must be there', () => {
    expect(exampleOf(Thing)).toEqual({ displayName: 'A thing', owner: { orgId: '12' } });
  });

  it.each([
    ['orgId', 'org_id'],
    ['oidcConfig', 'oidc_config'],
    ['name', 'name'],
    ['isPrimaryX', 'is_primary_x'],
  ])('spells %s as %s', (camel, snake) => {
    expect(toSnakeCase(camel)).toBe(snake);
  });
});
