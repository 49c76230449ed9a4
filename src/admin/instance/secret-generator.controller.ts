import { Controller, Get, Post, Put } from '@nestjs/common';
import { CLIENT_SECRET_CHARACTERS } from '../../foundation/crypto/random.js';
import { DomainError, invalidFields } from '../../foundation/error/domain-error.js';
import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { EMAIL_CODE_DIGITS, EMAIL_CODE_LIFETIME_SECONDS } from '../../user/factor/email-codes.js';
import type { Actor } from '../../user/permission/actor.js';
import type { CodeKind } from '../../user/user-code.entity.js';
import { CODE_CHARACTERS, CODE_LIFETIME_SECONDS } from '../../user/user-codes.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, type ObjectDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { pageOfKnown } from '../kit/wire/known-list.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  GetSecretGeneratorRequest,
  GetSecretGeneratorResponse,
  ListSecretGeneratorsRequest,
  ListSecretGeneratorsResponse,
  type SECRET_GENERATOR_TYPE,
  type SecretGenerator,
  UpdateSecretGeneratorRequest,
} from './secret-generator.dto.js';

type Form = Omit<SecretGenerator, 'generatorType' | 'details'>;

function typedCode(kind: CodeKind): Form {
  return {
    length: CODE_CHARACTERS[kind],
    expiry: CODE_LIFETIME_SECONDS[kind],
    includeLowerLetters: false,
    includeUpperLetters: true,
    includeDigits: true,
    includeSymbols: false,
  };
}

/** How the secrets of this service are made. Those that it does not make are not there. */
const FORMS: ReadonlyMap<ValueOf<typeof SECRET_GENERATOR_TYPE>, Form> = new Map([
  ['init', typedCode('init')],
  ['email', typedCode('email')],
  ['password_reset', typedCode('password_reset')],
  ['passkey', typedCode('passkey')],
  [
    'app_secret',
    {
      length: CLIENT_SECRET_CHARACTERS,
      expiry: 0,
      includeLowerLetters: true,
      includeUpperLetters: true,
      includeDigits: true,
      includeSymbols: false,
    },
  ],
  [
    'otp_email',
    {
      length: EMAIL_CODE_DIGITS,
      expiry: EMAIL_CODE_LIFETIME_SECONDS,
      includeLowerLetters: false,
      includeUpperLetters: false,
      includeDigits: true,
      includeSymbols: false,
    },
  ],
  ['invite', typedCode('init')],
]);

function generatorNotFound(): DomainError {
  return new DomainError(
    'NotFound',
    'secret_generator.not_found',
    'The service makes no secrets of this type: it sends no messages to phones.',
  );
}

/** How codes and secrets are made: fixed, and answered as it is. */
@Tagged('Instance')
@Controller('admin/v1/secretgenerators')
export class SecretGeneratorController {
  constructor(
    private readonly instances: InstanceService,
    private readonly clock: Clock,
  ) {}

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListSecretGenerators',
    summary: 'Search how the codes and secrets of the service are made',
    request: ListSecretGeneratorsRequest,
    returns: ListSecretGeneratorsResponse,
  })
  async list(
    @Asking() _actor: Actor,
    @Message() { query, queries }: ListSecretGeneratorsRequest,
  ): Promise<ListSecretGeneratorsResponse> {
    const details = await this.details();
    const found = [...FORMS]
      .filter(([type]) => queries.every(({ typeQuery }) => typeQuery?.generatorType === type))
      .map(([generatorType, form]) => ({ generatorType, details, ...form }));
    const page = pageOfKnown(found, toRange(query), this.clock.now());
    return { details: toListDetails(page), result: page.rows };
  }

  @Get(':generatorType')
  @Requires('iam.read')
  @Operation({
    id: 'GetSecretGenerator',
    summary: 'Get how a code or secret is made',
    request: GetSecretGeneratorRequest,
    returns: GetSecretGeneratorResponse,
    refuses: [generatorNotFound()],
  })
  async get(
    @Asking() _actor: Actor,
    @Message() { generatorType }: GetSecretGeneratorRequest,
  ): Promise<GetSecretGeneratorResponse> {
    return { secretGenerator: { generatorType, details: await this.details(), ...formOf(generatorType) } };
  }

  @Put(':generatorType')
  @Requires('iam.write')
  @Operation({
    id: 'UpdateSecretGenerator',
    summary: 'Confirm how a code or secret is made',
    description: 'It cannot be changed: the values that hold are accepted, others are refused by name.',
    request: UpdateSecretGeneratorRequest,
    returns: DetailsResponse,
    refuses: [generatorNotFound()],
  })
  async update(
    @Asking() _actor: Actor,
    @Message() { generatorType, expiry, ...values }: UpdateSecretGeneratorRequest,
  ): Promise<DetailsResponse> {
    const form = formOf(generatorType);
    const wanted = { ...values, expiry: expiry ?? form.expiry };
    const wrong = Object.entries(wanted).filter(([name, value]) => form[name as keyof Form] !== value);
    if (wrong.length > 0)
      throw invalidFields(
        wrong.map(([field]) => ({
          field,
          description: `cannot be changed, and is ${String(form[field as keyof Form])}${field === 'expiry' ? ' s' : ''}`,
        })),
      );
    return { details: await this.details() };
  }

  private async details(): Promise<ObjectDetails> {
    const instance = await this.instances.get();
    return toDetails(instance, instance.id);
  }
}

/** @throws DomainError NotFound `secret_generator.not_found` */
function formOf(type: ValueOf<typeof SECRET_GENERATOR_TYPE>): Form {
  const form = FORMS.get(type);
  if (!form) throw generatorNotFound();
  return form;
}
