import { type WireEnum, writtenName } from '../../../foundation/http/wire-enum.js';
import { fieldsOf } from './declared-field.js';
import type { DeclaredField, MessageClass } from './field.js';

/**
 * Turns a message into a value for JSON.stringify: every field is written, also if it is empty, false or 0. Only absent
 * messages, times, durations and oneof members are omitted, since they have no zero value.
 * `forOthers`: enumerations get the names for clients of another vendor.
 */
export function writeMessage(message: MessageClass, value: object, forOthers = false): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const field of fieldsOf(message)) {
    const written = writeField(field, (value as Record<string, unknown>)[field.name], forOthers);
    if (written !== undefined) json[field.name] = written;
  }
  return json;
}

function writeField(field: DeclaredField, value: unknown, forOthers: boolean): unknown {
  if (field.many) return ((value ?? []) as unknown[]).map((one) => writeOne(field, one, forOthers));
  if (value !== undefined && value !== null) return writeOne(field, value, forOthers);
  return field.optional ? undefined : zeroOf(field);
}

function writeOne(field: DeclaredField, value: unknown, forOthers: boolean): unknown {
  switch (field.kind) {
    case 'long':
      return (value as bigint).toString();
    case 'choice':
      return nameOf(field.choice, value as string, forOthers);
    case 'moment':
      return (value as Date).toISOString();
    case 'span':
      return `${value as number}s`;
    case 'bytes':
      return (value as Buffer).toString('base64');
    case 'part':
      return writeMessage(field.part(), value as object, forOthers);
    case 'text':
    case 'flag':
    case 'count':
    case 'struct':
      return value;
  }
}

function nameOf(choice: WireEnum, value: string, forOthers: boolean): string {
  const member = choice.members.find((one) => one.value === value);
  if (!member) throw new Error(`${choice.name} has no value ${value}.`);
  return writtenName(member, forOthers);
}

function zeroOf(field: DeclaredField): unknown {
  switch (field.kind) {
    case 'text':
    case 'bytes':
      return '';
    case 'flag':
      return false;
    case 'count':
      return 0;
    case 'long':
      return '0';
    case 'choice':
      return field.choice.members[0]!.name;
    case 'moment':
    case 'span':
    case 'part':
    case 'struct':
      return undefined;
  }
}
