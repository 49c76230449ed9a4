import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { fieldsOf, nameOf } from '../kit/wire/declared-field.js';
import type { DeclaredField, MessageClass } from '../kit/wire/field.js';
import { MessageCustomText } from '../text/message-text.dto.js';
import { HumanProfileInput } from '../user/profile.dto.js';
import { DataOrg, DataOrgV1 } from './document.dto.js';
import { EXPLAINED, OF_THE_DOCUMENT, wordsOf } from './document-words.js';

/** Every message of the document, with its fields. */
const messages = gather([DataOrg, DataOrgV1]);
const members = [...messages].flatMap(([message, fields]) =>
  fields.map((field) => ({ message: nameOf(message), field })),
);

function gather(
  found: readonly MessageClass[],
  known = new Map<MessageClass, readonly DeclaredField[]>(),
): Map<MessageClass, readonly DeclaredField[]> {
  for (const message of found) {
    if (known.has(message)) continue;
    known.set(message, fieldsOf(message));
    gather(
      fieldsOf(message).flatMap(({ part }) => (part ? [part()] : [])),
      known,
    );
  }
  return known;
}

function descriptionIn(message: MessageClass, field: string): string | undefined {
  return fieldsOf(message).find(({ name }) => name === field)?.description;
}

describe('The descriptions of the document', () => {
  it('are those of messages that it has', () => {
    const names = [...messages.keys()].map(nameOf);
    expect(Object.keys(EXPLAINED).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(Object.keys(EXPLAINED))('are taken for %s from an operation that has members of it', (name) => {
    const [, fields] = [...messages].find(([message]) => nameOf(message) === name)!;
    const described = fieldsOf(EXPLAINED[name]!).map((field) => field.name);
    expect(fields.filter((field) => described.includes(field.name))).not.toEqual([]);
  });

  it.each(Object.keys(OF_THE_DOCUMENT))('add to %s what no operation describes', (name) => {
    const said = members.filter(
      ({ field }) => field.name === name && field.description === OF_THE_DOCUMENT[name]!.description,
    );
    expect(said).not.toEqual([]);
  });

  it('are the words of the operation on the same thing, where it has any', () => {
    const inOperation = descriptionIn(HumanProfileInput, 'preferredLanguage');
    expect(inOperation).toEqual(expect.any(String));
    expect(wordsOf('DataHumanUserUserProfile', 'preferredLanguage')).toMatchObject({ description: inOperation });
  });

  it('are the same for every kind of mail', () => {
    const mails = [...messages.keys()].map(nameOf).filter((name) => name.endsWith('Message'));
    expect(mails.length).toBeGreaterThan(8);
    for (const mail of mails)
      expect(wordsOf(mail, 'subject').description).toBe(descriptionIn(MessageCustomText, 'subject'));
  });

  it('are absent if there is nothing to add', () => {
    expect(wordsOf('DataProject', 'projectId')).toEqual({});
  });
});
