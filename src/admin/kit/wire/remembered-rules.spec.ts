import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage, MinLength, ValidateNested, validateSync } from 'class-validator';
import { rememberRules } from './remembered-rules.js';

class Named {
  @MinLength(2) readonly name: string = 'a';
}

class Person extends Named {
  @MinLength(2) readonly city: string = 'b';

  @MinLength(2, { groups: ['import'] }) readonly code: string = 'c';
}

class Household {
  @ValidateNested() readonly first: unknown;

  constructor(first: unknown) {
    this.first = first;
  }
}

rememberRules();

const brokenIn = (groups?: string[]): string[] =>
  validateSync(new Person(), groups === undefined ? {} : { groups }).map(({ property }) => property);

describe('Remembered rules', () => {
  it('are those of the class and of the classes that it extends, time and again', () => {
    for (let time = 1; time <= 2; time += 1) expect(brokenIn().sort()).toEqual(['city', 'code', 'name']);
  });

  it('are not those of a group, which are looked for each time', () => {
    expect(brokenIn(['import'])).toEqual(['code']);
    expect(brokenIn().sort()).toEqual(['city', 'code', 'name']);
  });

  it('are found once, as class-validator asks for them by this method', () => {
    const storage = getMetadataStorage();
    const ask = () => storage.getTargetValidationMetadatas(Person, '', false, false);
    expect(ask()).toBe(ask());
  });

  it('include one that is added later', () => {
    class Late {
      readonly name = 'a';
    }
    expect(validateSync(new Late(), { forbidUnknownValues: false })).toEqual([]);
    MinLength(2)(Late.prototype, 'name');
    expect(validateSync(new Late(), { forbidUnknownValues: false })).toMatchObject([{ property: 'name' }]);
  });

  it.each(['text', 1])(
    'refuse a plain object whose member "constructor" is %j as class-validator does',
    (constructor) => {
      expect(validateSync(new Household({ constructor }))).toMatchObject([
        { property: 'first', children: [{ constraints: { unknownValue: expect.any(String) } }] },
      ]);
    },
  );
});
