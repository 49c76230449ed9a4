import { describe, expect, it } from '@jest/globals';
import { aggregateTypeOf, defineEvent, ExtEvent, extEventMistakes, payloadProblem } from './ext-event.js';

const finished = defineEvent({
  type: 'ext.hr.review.finished',
  level: 'org',
  says: 'A review was finished.',
  carries: { reviewId: 'text', roleKeys: 'texts', grade: 'number', isLast: 'boolean' },
});
const fitting = { reviewId: 'R-1', roleKeys: ['a', 'b'], grade: 1.5, isLast: false };
const mistakes = (...events: unknown[]) => extEventMistakes({ id: 'hr', events });
const over = (changes: object) => new ExtEvent({ ...finished, ...changes } as never);

describe('The types of events of an extension', () => {
  it('are right if each carries the id of the extension, a level, a sentence and members', () => {
    expect(mistakes()).toEqual([]);
    expect(mistakes(finished, defineEvent({ type: 'ext.hr.company.moved', level: 'instance', says: 'x' }))).toEqual([]);
    expect(aggregateTypeOf(finished.type)).toBe('ext.hr.review');
  });

  it.each([
    [
      'a type of the product',
      { type: 'user.removed' },
      '"user.removed" cannot be an event type of the extension hr. Its own begin with ext.hr.,',
    ],
    ['a type of another extension', { type: 'ext.crm.lead.won' }, '"ext.crm.lead.won" cannot be'],
    ['a type without an object', { type: 'ext.hr.finished' }, '"ext.hr.finished" cannot be'],
    ['a type in capitals', { type: 'ext.hr.Review.finished' }, '"ext.hr.Review.finished" cannot be'],
    ['a type that is no text', { type: 7 }, '"7" cannot be'],
    ['no level', { level: 'user' }, 'needs a level: instance or org.'],
    ['no sentence', { says: ' ' }, 'needs a sentence of up to 200 characters'],
    ['a long sentence', { says: 'x'.repeat(201) }, 'needs a sentence of up to 200 characters'],
    ['a strange member', { carries: { 'review-id': 'text' } }, 'cannot carry "review-id".'],
    ['a member of no kind', { carries: { reviewId: 'date' } }, 'cannot carry "reviewId".'],
    [
      'many members',
      { carries: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`m${index}`, 'text'])) },
      'carries 21 members; at most 20 are possible.',
    ],
  ])('are refused with %s', (_, changes, mistake) => {
    expect(mistakes(over(changes))).toEqual([expect.stringContaining(mistake)]);
  });

  it('are refused if they are too many, repeated, or not made by defineEvent, all at once', () => {
    expect(mistakes(finished, finished, { ...finished })).toEqual([
      'Event 3 of the extension hr was not made by defineEvent. List what that function returns.',
      'The extension hr declares the event type ext.hr.review.finished several times. Remove all but one.',
    ]);
    const many = Array.from({ length: 101 }, (_, index) => over({ type: `ext.hr.review.r${index}` }));
    expect(mistakes(...many)).toEqual([expect.stringContaining('declares 101 event types; at most 100 are possible.')]);
  });
});

describe('The payload of an own event', () => {
  it('has every member that is declared', () => {
    expect(payloadProblem(finished, fitting)).toBeUndefined();
  });

  it.each([
    ['a member more', { ...fitting, name: 'Ilse' }, 'it has the member name, which is not declared'],
    ['a member less', { reviewId: 'R-1' }, 'it lacks the member roleKeys'],
    ['a member that is undefined', { ...fitting, grade: undefined }, 'its member grade is not a finite number'],
    ['a number that JSON does not have', { ...fitting, grade: Number.NaN }, 'its member grade is not a finite number'],
    ['a text for a flag', { ...fitting, isLast: 'no' }, 'its member isLast is not true or false'],
    [
      'a long text',
      { ...fitting, reviewId: 'x'.repeat(201) },
      'its member reviewId is not a text of at most 200 characters',
    ],
    ['a text that PostgreSQL cannot store', { ...fitting, reviewId: 'a\0' }, 'its member reviewId is not'],
    ['half a character', { ...fitting, reviewId: '\ud800' }, 'its member reviewId is not'],
    [
      'a list of other things',
      { ...fitting, roleKeys: ['a', 1] },
      'its member roleKeys is not a list of at most 50 texts',
    ],
    [
      'a long list',
      { ...fitting, roleKeys: Array.from({ length: 51 }, () => 'a') },
      'its member roleKeys is not a list',
    ],
    [
      'many long texts',
      { ...fitting, roleKeys: Array.from({ length: 50 }, () => 'x'.repeat(100)) },
      /^it has 5\d\d\d bytes, and 4096 are the most$/,
    ],
  ])('is refused with %s', (_, payload, problem) => {
    expect(payloadProblem(finished, payload)).toMatch(problem);
  });
});
