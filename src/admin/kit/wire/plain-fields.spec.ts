import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { fieldsOf } from './declared-field.js';
import { applyDocumentation } from './documentation.js';
import { Text } from './fields.js';
import { problemsOf } from './read-message.fixture.js';
import { readMessage } from './read-message.js';
import { writeMessage } from './write-message.js';

class Desk {
  @ApiProperty({ description: 'The floor.' })
  @IsInt()
  @Min(1)
  @Max(90)
  readonly floor!: number;
}

class Person {
  @ApiProperty({ example: 'Mia' })
  @IsString()
  @Length(1, 20, { message: 'must have $constraint1 to $constraint2 characters' })
  readonly name!: string;
}

class Employee extends Person {
  @ApiProperty()
  @IsEmail()
  readonly email!: string;

  @ApiProperty({ required: false })
  @IsOptional()
  @IsBoolean()
  readonly active?: boolean;

  @ApiProperty({ enum: ['day', 'night'] })
  @IsIn(['day', 'night'])
  readonly shift!: string;

  @ApiProperty({ type: [String] })
  @IsString({ each: true })
  @ArrayMaxSize(3)
  readonly skills!: string[];

  @ApiProperty({ type: () => Desk })
  @ValidateNested()
  readonly desk!: Desk;

  @IsOptional()
  @IsObject()
  readonly notes?: Record<string, unknown>;
}

/** As one that asks a database. */
@ValidatorConstraint({ name: 'free', async: true })
class Free implements ValidatorConstraintInterface {
  validate(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

const MIA = { name: 'Mia', email: 'mia@acme.example', shift: 'day', skills: ['tea'], desk: { floor: 3 } };

describe('A message with the decorators of class-validator and @nestjs/swagger alone', () => {
  it('has its properties as fields, numbered as they stand, those of its base class first', () => {
    expect(fieldsOf(Employee).map(({ name, number, kind, many }) => [number, name, kind, many])).toEqual([
      [1, 'name', 'text', false],
      [2, 'email', 'text', false],
      [3, 'active', 'flag', false],
      [4, 'shift', 'text', false],
      [5, 'skills', 'text', true],
      [6, 'desk', 'part', false],
      [7, 'notes', 'struct', false],
    ]);
  });

  it('is read and written', () => {
    const read = readMessage(Employee, MIA);
    expect(read).toBeInstanceOf(Employee);
    expect(read.desk).toBeInstanceOf(Desk);
    expect(writeMessage(Employee, read)).toMatchObject(MIA);
  });

  it.each<[string, object, Record<string, string[]>]>([
    ['a member that is missing', { name: null }, { name: ['must have 1 to 20 characters', 'name must be a string'] }],
    ['one of another type', { name: 1 }, { name: ['must be a string'] }],
    ['a text that breaks a rule', { email: 'mia' }, { email: ['email must be an email'] }],
    [
      'a value that is not offered',
      { shift: 'dawn' },
      { shift: ['shift must be one of the following values: day, night'] },
    ],
    [
      'a list that is too long',
      { skills: ['a', 'b', 'c', 'd'] },
      { skills: ['skills must contain no more than 3 elements'] },
    ],
    [
      'a rule broken in a nested message',
      { desk: { floor: 99 } },
      { 'desk.floor': ['floor must not be greater than 90'] },
    ],
  ])('is refused for %s, by the words of class-validator', (_, change, problems) => {
    expect(problemsOf(Employee, { ...MIA, ...change })).toEqual(problems);
  });

  it('may leave out what is optional, and null counts as left out', () => {
    expect(problemsOf(Employee, { ...MIA, active: null, notes: null })).toEqual({});
  });

  it('is documented by its own decorators, and a property without one by its kind', async () => {
    await applyDocumentation();
    const said = (name: string): unknown =>
      Reflect.getMetadata('swagger/apiModelProperties', Employee.prototype, name) as unknown;
    expect(said('notes')).toMatchObject({ type: 'object', required: false });
    expect(said('name')).toMatchObject({ example: 'Mia' });
  });

  it('is refused at the start if a property has no kind on the wire', () => {
    class Reading {
      @IsNumber() readonly degrees!: number;
    }
    expect(() => fieldsOf(Reading)).toThrow('Reading.degrees has no kind that JSON and Protocol Buffers share.');
  });
});

describe('A message that numbers its fields', () => {
  it('takes further rules of class-validator on them', () => {
    class Invitation {
      @IsEmail({}, { message: 'must be an e-mail address' }) @Text(4) readonly email!: string;
    }
    expect(problemsOf(Invitation, { email: 'mia' })).toEqual({ email: ['must be an e-mail address'] });
  });

  it('refuses rules on a property that is no field', () => {
    class Invitation {
      @Text(4) readonly email!: string;
      @IsString() readonly note!: string;
    }
    expect(() => readMessage(Invitation, {})).toThrow('Invitation.note has rules and is no field');
  });

  it('refuses a rule that is asynchronous, whose answer would come too late', () => {
    class Invitation {
      @Validate(Free) @Text(4) readonly email!: string;
    }
    expect(() => readMessage(Invitation, {})).toThrow('Invitation.email has the asynchronous rule free.');
  });
});
