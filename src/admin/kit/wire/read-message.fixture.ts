import 'reflect-metadata';
import { expect } from '@jest/globals';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import {
  Bytes,
  Choice,
  Choices,
  Count,
  Filter,
  Flag,
  Long,
  Moment,
  Part,
  Parts,
  Span,
  Struct,
  Text,
  Texts,
} from './fields.js';
import { readMessage } from './read-message.js';

export const COLOUR = wireEnum('Colour', {
  COLOUR_UNSPECIFIED: [0, 'unspecified'],
  COLOUR_RED: [1, 'red'],
  COLOUR_BLUE: [7, 'blue'],
});

export class Address {
  @Text(1, { min: 1, max: 5 }) readonly street!: string;
  @Part(2, () => Address) readonly next?: Address | undefined;
}

export class Everything {
  @Text(1, { max: 4 }) readonly firstName!: string;
  @Text(2, { optional: true }) readonly nickName?: string | undefined;
  @Texts(3, { min: 1, max: 3, maxItems: 2 }) readonly tagNames!: string[];
  @Flag(4) readonly isActive!: boolean;
  @Flag(5, { optional: true }) readonly maybeActive?: boolean | undefined;
  @Count(6, { max: 1_000 }) readonly limit!: number;
  @Long(7) readonly sequence!: bigint;
  @Choice(8, COLOUR) readonly colour!: ValueOf<typeof COLOUR>;
  @Choices(9, COLOUR) readonly colours!: Array<ValueOf<typeof COLOUR>>;
  @Moment(10) readonly from?: Date | undefined;
  @Span(11) readonly lifetime?: number | undefined;
  @Bytes(12, { max: 4 }) readonly value!: Buffer;
  @Part(13, () => Address) readonly homeAddress?: Address | undefined;
  @Parts(14, () => Address) readonly others!: Address[];
  @Struct(15) readonly anything?: object | undefined;
  @Text(16, { oneof: 'by' }) readonly byName?: string | undefined;
  @Text(17, { oneof: 'by' }) readonly byMail?: string | undefined;
}

export class Strict {
  @Text(1, { min: 1, max: 200 }) readonly name!: string;
  @Choice(2, COLOUR, { required: true }) readonly colour!: ValueOf<typeof COLOUR>;
  @Part(3, () => Address, { required: true }) readonly address!: Address;
  @Text(4, { maxBytes: 4 }) readonly secret!: string;
  @Text(5, { form: { fits: (text) => text.includes('@'), says: 'must be an e-mail address' } }) readonly email!: string;
}

export class NameFilter {
  @Text(1, { max: 4 }) readonly text!: string;
}

export class BothFilter {
  @Parts(1, () => Search) readonly queries!: Search[];
}

@Filter()
export class Search {
  @Part(1, () => NameFilter, { oneof: 'query' }) readonly byName?: NameFilter;
  @Part(2, () => BothFilter, { oneof: 'query' }) readonly byBoth?: BothFilter;
}

export class Searching {
  @Parts(1, () => Search) readonly queries!: Search[];
}

@Filter()
export class Choosing {
  @Text(1) readonly owner!: string;
  @Part(2, () => Address) readonly address?: Address;
  @Text(3, { oneof: 'since' }) readonly day?: string;
}

export const read = (json: unknown) => readMessage(Everything, json);

/** Each broken field and what is wrong with it. */
export function problemsOf(
  message: new () => object,
  json: unknown,
  spelled?: Record<string, string>,
): Record<string, string[]> {
  try {
    readMessage(message, json, spelled ? { spelled } : {});
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.kind, error.reason]).toEqual(['InvalidArgument', 'request.invalid']);
    const grouped = Map.groupBy(error.violations, ({ field }) => field);
    return Object.fromEntries(
      [...grouped].map(([field, violations]) => [field, violations.map(({ description }) => description)]),
    );
  }
  return {};
}

export const fieldsIn = (json: unknown): string[] => Object.keys(problemsOf(Everything, json));
