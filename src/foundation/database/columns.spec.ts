import { describe, expect, it } from '@jest/globals';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columnsOf, expressionsOf, insertForEach, insertInto, membersOf } from './columns.js';
import { Recorded } from './recorded.js';

abstract class Named {
  @Column({ type: 'text' })
  displayName!: string;
}

@Entity('test_person')
class Person extends Named {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', name: 'mail' })
  email!: string;

  notAColumn!: string;
}

@Entity('test_item')
class Item extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;
}

class Address {
  @Column({ type: 'text' })
  city!: string;
}

@Entity('test_house')
class House {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column(() => Address)
  address!: Address;
}

describe('The columns of an entity', () => {
  it('are named in the database and in the code, with those of its base class', () => {
    expect(columnsOf(Person, 'p').split(', ').sort()).toEqual([
      'p.display_name AS "displayName"',
      'p.id',
      'p.mail AS "email"',
    ]);
  });

  it('are those of the properties that are named, in their order', () => {
    expect(columnsOf(Person, 'p', ['displayName', 'id'])).toBe('p.display_name AS "displayName", p.id');
  });

  it('are expressions by the names of their properties', () => {
    expect(expressionsOf(Person, 'p', ['email', 'id'])).toEqual({ email: 'p.mail', id: 'p.id' });
  });

  it('are the members of an object in JSON, by the names of their properties', () => {
    expect(membersOf(Person, 'p', ['email', 'id'])).toBe(`'email', p.mail, 'id', p.id`);
  });

  it('are written from values of the same names', () => {
    expect(insertInto(Person, ['id', 'displayName'])).toBe(
      'INSERT INTO test_person (id, display_name) VALUES (:id, :displayName)',
    );
  });

  it('are written once for each row of another part, some of them computed', () => {
    expect(insertForEach(Person, ['id'], 'numbered', { displayName: 'numbered.place + 1' })).toBe(
      'INSERT INTO test_person (id, display_name) SELECT :id, numbered.place + 1 FROM numbered',
    );
  });

  it.each([
    [
      'a name that the class does not have',
      // @ts-expect-error: the compiler refuses it as well
      () => columnsOf(Person, 'p', ['nickName']),
      'Person has no column for nickName.',
    ],
    [
      'a property without a column',
      () => columnsOf(Person, 'p', ['notAColumn']),
      'Person has no column for notAColumn.',
    ],
    ['the same when writing', () => insertInto(Person, ['notAColumn']), 'Person has no column for notAColumn.'],
    ['a class that is no entity', () => columnsOf(Address, 'a'), 'Address is not an entity.'],
    ['an embedded class', () => columnsOf(House, 'h'), 'House embeds another class'],
    ['all columns if one is converted', () => columnsOf(Item, 'i'), 'Item converts sequence: name the columns'],
  ])('cannot be listed with %s', (_, list, message) => {
    expect(list).toThrow(message);
  });

  it('may be converted ones if they are named', () => {
    expect(columnsOf(Item, 'i', ['id', 'sequence'])).toBe('i.id, i.sequence');
  });
});
