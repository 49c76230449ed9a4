import { describe, expect, it } from '@jest/globals';
import { exampleRefusalOf } from './example-refusal.js';
import { Count, Parts, Text, Texts } from './fields.js';
import { Address, Everything, Strict } from './read-message.fixture.js';

class Empty {}

class Name {
  @Text(1) readonly text!: string;
}

class Tags {
  @Texts(1) readonly tags!: string[];
}

class Page {
  @Count(1, { max: 10 }) readonly limit!: number;
  @Text(2, { min: 1, max: 5 }) readonly owner!: string;
  @Parts(3, () => Address) readonly addresses!: Address[];
}

describe('The example of a refusal', () => {
  it.each([
    ['the first mandatory field', Page, 'owner: must have 1 to 5 characters'],
    ['the only mandatory field', Address, 'street: must have 1 to 5 characters'],
    ['a field that may be empty but not long', Everything, 'firstName: must have 0 to 4 characters'],
    ['a text without rules', Name, 'text: must not contain NUL or unpaired surrogates'],
    ['a list', Tags, 'tags: must be a list'],
    ['a field among several mandatory ones', Strict, 'name: must have 1 to 200 characters'],
  ])('is what the service answers about %s', (_what, message, expected) => {
    expect(exampleRefusalOf(message)?.message).toBe(expected);
  });

  it('is missing for a message without fields, which nothing can make invalid', () => {
    expect(exampleRefusalOf(Empty)).toBeUndefined();
  });
});
