import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ManagedUsers } from '../../management/user/managed-users.js';
import { ServiceKeys } from '../../management/user/service-keys.js';
import { type MachineKeyEntry, MachineKeys } from '../../user/machine-keys.js';
import type { Actor } from '../../user/permission/actor.js';
import { userTooStrong } from '../../user/permission/permission.errors.js';
import { machineKeyNotFound, notServiceUser, userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  AddMachineKeyRequest,
  AddMachineKeyResponse,
  ListMachineKeysRequest,
  ListMachineKeysResponse,
  type MachineKey,
  MachineKeyByIds,
  MachineKeyResponse,
} from './service-user.dto.js';

/** The keys with which service users sign their assertions (RFC 7523). */
@Tagged('Service users')
@Controller('management/v1/users/:userId/keys')
@OfOrg()
export class MachineKeyController {
  constructor(
    private readonly issuer: ServiceKeys,
    private readonly keys: MachineKeys,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
  ) {}

  @Post()
  @Requires('user.write')
  @Operation({
    id: 'AddMachineKey',
    summary: 'Add a key to a service user',
    request: AddMachineKeyRequest,
    exampleWith: { publicKey: undefined },
    returns: AddMachineKeyResponse,
    refuses: [userNotFound(), userTooStrong(), notServiceUser()],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { userId, expirationDate, publicKey }: AddMachineKeyRequest,
  ): Promise<AddMachineKeyResponse> {
    const { key, file } = await this.issuer.add(actor, userId, publicKey.toString('utf8'), expirationDate);
    return { keyId: key.id, keyDetails: Buffer.from(file?.reveal() ?? ''), details: toDetails(key, actor.orgId) };
  }

  @Post('_search')
  @Requires('user.read')
  @Operation({
    id: 'ListMachineKeys',
    summary: 'List the keys of a service user',
    request: ListMachineKeysRequest,
    returns: ListMachineKeysResponse,
    refuses: [userNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { userId, query }: ListMachineKeysRequest,
  ): Promise<ListMachineKeysResponse> {
    await this.directory.get(actor.orgId, userId);
    const page = await this.keys.list(userId, toRange(query));
    return { details: toListDetails(page), result: page.rows.map((row) => toKey(row, actor.orgId)) };
  }

  @Get(':keyId')
  @Requires('user.read')
  @Operation({
    id: 'GetMachineKeyByIDs',
    summary: 'Get a key of a service user',
    request: MachineKeyByIds,
    returns: MachineKeyResponse,
    refuses: [userNotFound(), machineKeyNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { userId, keyId }: MachineKeyByIds): Promise<MachineKeyResponse> {
    await this.directory.get(actor.orgId, userId);
    return { key: toKey(await this.keys.get(userId, keyId), actor.orgId) };
  }

  @Delete(':keyId')
  @Requires('user.write')
  @Operation({
    id: 'RemoveMachineKey',
    summary: 'Remove a key from a service user',
    request: MachineKeyByIds,
    returns: DetailsResponse,
    description:
      'Assertions signed with the key are refused immediately; tokens issued for them remain valid until they expire.',
    refuses: [userNotFound(), userTooStrong(), machineKeyNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() { userId, keyId }: MachineKeyByIds): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx) => this.keys.remove(tx, userId, keyId, actor.userId));
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}

function toKey(row: MachineKeyEntry, orgId: string): MachineKey {
  return { id: row.id, details: toDetails(row, orgId), type: 'json', expirationDate: row.expiresAt };
}
