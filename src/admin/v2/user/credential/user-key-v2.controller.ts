import { Controller, Delete, Post } from '@nestjs/common';
import { listTooSlow } from '../../../../foundation/database/listing.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { ServiceKeys } from '../../../../management/user/service-keys.js';
import { MachineKeys } from '../../../../user/machine-keys.js';
import { userTooStrong } from '../../../../user/permission/permission.errors.js';
import { machineKeyNotFound, notServiceUser, userNotFound } from '../../../../user/user.errors.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Message } from '../../../kit/wire/message.js';
import { toPagination } from '../../kit/page.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { readableOrgs, toListed, toListRequest } from './credential-list.js';
import {
  AddKeyRequestV2,
  AddKeyResponseV2,
  ListKeysRequestV2,
  ListKeysResponseV2,
  RemoveKeyRequestV2,
  RemoveKeyResponseV2,
} from './user-key.dto.js';

/** The keys with which service users sign their assertions (RFC 7523). */
@Tagged('User credentials v2')
@Controller('v2/users')
@InService('user')
export class UserKeyV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly issuer: ServiceKeys,
    private readonly keys: MachineKeys,
    private readonly managed: ManagedUsers,
  ) {}

  @Post(':userId/keys')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'AddKeyV2',
    sameAs: ['AddMachineKey'],
    summary: 'Add a key to a service user',
    request: AddKeyRequestV2,
    exampleWith: { publicKey: undefined },
    returns: AddKeyResponseV2,
    refuses: [userNotFound(), userTooStrong(), notServiceUser()],
  })
  async add(
    @Asking() caller: Caller,
    @Message() { userId, expirationDate, publicKey }: AddKeyRequestV2,
  ): Promise<AddKeyResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const { key, file } = await this.issuer.add(actor, userId, publicKey.toString('utf8'), expirationDate);
    return { creationDate: key.creationDate, keyId: key.id, keyContent: Buffer.from(file?.reveal() ?? '') };
  }

  @Post('keys/search')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListKeysV2',
    sameAs: ['ListMachineKeys', 'GetMachineKeyByIDs'],
    summary: 'Search the keys of the service users that the caller may read, of all organizations',
    request: ListKeysRequestV2,
    exampleWith: { filters: [{ userIdFilter: { id: EXAMPLE.service } }] },
    returns: ListKeysResponseV2,
    refuses: [listTooSlow()],
  })
  async list(@Asking() caller: Caller, @Message() request: ListKeysRequestV2): Promise<ListKeysResponseV2> {
    const page = await this.keys.listIn(readableOrgs(caller.rights), toListRequest(request));
    return { pagination: toPagination(page, request.pagination), result: page.rows.map(toListed) };
  }

  @Delete(':userId/keys/:keyId')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemoveKeyV2',
    sameAs: ['RemoveMachineKey'],
    summary: 'Remove a key from a service user',
    description:
      'Assertions signed with the key are refused immediately; tokens issued for them remain valid until they expire.',
    request: RemoveKeyRequestV2,
    returns: RemoveKeyResponseV2,
    refuses: [userNotFound(), userTooStrong(), machineKeyNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { userId, keyId }: RemoveKeyRequestV2,
  ): Promise<RemoveKeyResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const mark = await this.managed.change(actor, userId, (tx) => this.keys.remove(tx, userId, keyId, actor.userId));
    return { deletionDate: mark.at };
  }
}
