import { create, createFileRegistry, type DescMessage, toBinary, toJson } from '@bufbuild/protobuf';
import { FieldDescriptorProto_Label, FieldDescriptorProto_Type, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { DocumentMessage } from './document-message.js';

const { REPEATED, OPTIONAL } = FieldDescriptorProto_Label;
const { MESSAGE, STRING } = FieldDescriptorProto_Type;
const text = (number: number, name: string) => ({ name, jsonName: name, number, label: OPTIONAL, type: STRING });
const list = (number: number, name: string, typeName: string) => ({
  name,
  jsonName: name,
  number,
  label: REPEATED,
  type: MESSAGE,
  typeName,
});

/** A document in miniature. */
const descriptor = descriptorOf('Document');

function descriptorOf(name: string): DescMessage {
  const file = {
    name: 'document.proto',
    syntax: 'proto3',
    messageType: [
      { name: 'Document', field: [list(1, 'orgs', '.Org'), text(100, 'comment')] },
      { name: 'Org', field: [text(1, 'orgId'), list(2, 'users', '.User')] },
      { name: 'User', field: [text(1, 'id')] },
    ],
  };
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [file] })).getMessage(name)!;
}

function read(document: object, maxBytes: number): DocumentMessage {
  const message = new DocumentMessage(descriptor, maxBytes, () => new Error('too large'));
  for (const piece of JSON.stringify(document).match(/[^]{1,7}/g)!) message.write(piece);
  return message;
}

describe('A document as one message', () => {
  const document = {
    orgs: [
      { orgId: '1', users: [{ id: 'a' }, { id: 'b' }] },
      { orgId: '2', users: [] },
      { orgId: '3', users: [{ id: 'ü' }] },
    ],
    comment: 'beside',
  };

  it('has every member of its text, in the order of the text', () => {
    const expected = {
      ...document,
      orgs: document.orgs.map(({ users, ...org }) => (users.length === 0 ? org : { ...org, users })),
    };
    expect(toJson(descriptor, read(document, 1_000).end())).toEqual(expected);
  });

  it('is not refused while it fits, however many small entries it has', () => {
    const crowd = { orgs: [{ orgId: '1', users: Array.from({ length: 1_000 }, (_, n) => ({ id: `${n}` })) }] };
    const { length } = toBinary(descriptor, read(crowd, Infinity).end());
    expect(toBinary(descriptor, read(crowd, length).end())).toHaveLength(length);
  });

  it('is refused while it is read, not when it has been read', () => {
    const message = read({ orgs: [] }, 100);
    expect(message.end()).toBeDefined();
    expect(() =>
      read({ orgs: [{ orgId: '1', users: Array.from({ length: 50 }, (_, n) => ({ id: `user ${n}` })) }] }, 100),
    ).toThrow('too large');
  });
});
