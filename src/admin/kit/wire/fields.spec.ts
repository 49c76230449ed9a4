import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from './declared-field.js';
import { applyDocumentation } from './documentation.js';
import type { MessageClass } from './field.js';
import { Bytes, Choice, Choices, Count, Flag, Part, Parts, Text, Texts } from './fields.js';
import { Address, COLOUR } from './read-message.fixture.js';

/** Whether the schema of a message lists its only field as required. */
async function isRequired(message: MessageClass): Promise<boolean | undefined> {
  await applyDocumentation();
  const [{ name } = { name: '' }] = fieldsOf(message);
  const said = Reflect.getMetadata('swagger/apiModelProperties', message.prototype as object, name) as {
    readonly required?: boolean;
  };
  return said.required;
}

function messageWith(decorator: PropertyDecorator): MessageClass {
  class Holder {}
  decorator(Holder.prototype, 'value');
  return Holder;
}

describe('A field is mandatory', () => {
  it.each<[string, PropertyDecorator]>([
    ['a text of 1 or more characters', Text(1, { min: 1, max: 200 })],
    ['a text of 2 or more characters', Text(1, { min: 2, max: 200 })],
    ['a text of 8 or more characters, without an upper limit', Text(1, { min: 8 })],
    ['bytes that must not be empty', Bytes(1, { min: 4, max: 16 })],
    ['a number of 1 or more', Count(1, { min: 1, max: 1_000 })],
    ['a choice that must not be unspecified', Choice(1, COLOUR, { required: true })],
    ['a message that is required', Part(1, () => Address, { required: true })],
  ])('%s', async (_, decorator) => {
    const message = messageWith(decorator);
    expect(fieldsOf(message)[0]!.mandatory).toBe(true);
    expect(await isRequired(message)).toBe(true);
  });

  it.each<[string, PropertyDecorator]>([
    ['an optional text', Text(1, { min: 2, max: 200, optional: true })],
    ['an optional choice', Choice(1, COLOUR, { required: true, optional: true })],
    ['a text of a oneof', Text(1, { min: 2, max: 200, oneof: 'alternatives' })],
  ])('but the schema does not require %s, whatever it must be when it is sent', async (_, decorator) => {
    expect(await isRequired(messageWith(decorator))).toBe(false);
  });
});

describe('A field is not mandatory', () => {
  it.each<[string, PropertyDecorator]>([
    ['a text that may be empty', Text(1, { max: 200 })],
    ['whatever its form is called', Text(1, { form: { fits: () => true, says: 'must have 1 digit' } })],
    ['a list, which may be empty, of texts that may not', Texts(1, { min: 2, max: 200 })],
    ['bytes that may be empty', Bytes(1)],
    ['a number', Count(1, { max: 1_000 })],
    ['a flag', Flag(1)],
    ['a choice', Choice(1, COLOUR)],
    ['a list, which may be empty, of choices that must not be unspecified', Choices(1, COLOUR, { required: true })],
    ['a message', Part(1, () => Address)],
    ['a list of messages', Parts(1, () => Address)],
  ])('%s', async (_, decorator) => {
    const message = messageWith(decorator);
    expect(fieldsOf(message)[0]!.mandatory).toBe(false);
    expect(await isRequired(message)).toBe(false);
  });
});
