import { Controller, Delete, Post } from '@nestjs/common';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { keyActive, keyNotFound, keyNotNext } from '../../token/key/key.errors.js';
import { KeyService } from '../../token/key/key.service.js';
import type { SigningKey } from '../../token/key/signing-key.entity.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  CreateSigningKeyResponse,
  ListSigningKeysResponse,
  type SigningKeyEntry,
  SigningKeyIdRequest,
  SigningKeyResponse,
} from './key.dto.js';

@Tagged('Signing keys')
@Controller('admin/v1/keys')
export class KeyController {
  constructor(
    private readonly keys: KeyService,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
  ) {}

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListSigningKeys',
    summary: 'List the signing keys, oldest first',
    returns: ListSigningKeysResponse,
  })
  async list(): Promise<ListSigningKeysResponse> {
    const [keys, { id }] = await Promise.all([this.keys.list(), this.instances.get()]);
    return { details: toWholeListDetails(keys.length, this.clock.now()), result: keys.map((key) => toEntry(key, id)) };
  }

  @Post()
  @Requires('iam.write')
  @Operation({
    id: 'CreateSigningKey',
    summary: 'Create and publish the next signing key',
    returns: CreateSigningKeyResponse,
    description:
      'Uses the algorithm of the signing settings. There is at most one next key, which the service usually creates by itself: if it ' +
      'already exists, it is returned, and `created` is false. `dueDate` is the time at which it takes over.',
  })
  async create(@Asking() actor: Actor): Promise<CreateSigningKeyResponse> {
    const { id } = await this.instances.get();
    const { key, isNew } = await this.keys.prepareNext(actor.userId);
    return { key: toEntry(key, id), created: isNew };
  }

  @Post(':id/_activate')
  @Requires('iam.write')
  @Operation({
    id: 'ActivateSigningKey',
    summary: 'Activate the next signing key once clients have had time to fetch it',
    request: SigningKeyIdRequest,
    returns: SigningKeyResponse,
    description:
      'Clients may cache the published keys for five minutes. Until they have the key, its state remains next: at `dueDate`, at most six ' +
      'minutes from now, it becomes active by itself, and the active one is retired.',
    refuses: [keyNotFound(), keyNotNext()],
  })
  async activate(@Asking() actor: Actor, @Message() request: SigningKeyIdRequest): Promise<SigningKeyResponse> {
    const { id } = await this.instances.get();
    const key = await this.keys.activateNext(request.id, actor.userId);
    return { key: toEntry(key, id) };
  }

  @Delete(':id')
  @Requires('iam.write')
  @Operation({
    id: 'RemoveSigningKey',
    summary: 'Remove a signing key that is not active',
    request: SigningKeyIdRequest,
    returns: DetailsResponse,
    description: 'Tokens signed by a removed key can no longer be verified.',
    refuses: [keyNotFound(), keyActive()],
  })
  async remove(@Asking() actor: Actor, @Message() request: SigningKeyIdRequest): Promise<DetailsResponse> {
    const { id } = await this.instances.get();
    return { details: toChangedDetails(await this.keys.remove(request.id, actor.userId), id) };
  }
}

function toEntry(key: SigningKey, instanceId: string): SigningKeyEntry {
  const { id, state, purpose, algorithm, publicKey, dueAt, activatedAt, retiredAt } = key;
  return {
    id,
    details: toDetails(key, instanceId),
    state,
    purpose,
    algorithm,
    publicKey,
    dueDate: state === 'next' ? (dueAt ?? undefined) : undefined,
    activationDate: activatedAt ?? undefined,
    retirementDate: retiredAt ?? undefined,
  };
}
