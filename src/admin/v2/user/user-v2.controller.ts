import { Controller, Get, Patch, Post, Put } from '@nestjs/common';
import { listTooSlow } from '../../../foundation/database/listing.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import { idpLinkingNotAllowed, idpLinkTaken, idpNotFound } from '../../../idp/idp.errors.js';
import { Newcomers } from '../../../management/user/newcomers.js';
import { UserChanges } from '../../../management/user/user-changes.js';
import { orgNotFound } from '../../../org/org.errors.js';
import { applicationNotTrusted, userTooStrong } from '../../../user/permission/permission.errors.js';
import {
  notPerson,
  notServiceUser,
  smsUnavailable,
  userDomainElsewhere,
  userIdTaken,
  userNameTaken,
  userNotFound,
} from '../../../user/user.errors.js';
import { UserDirectory } from '../../../user/user-directory.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toChangedDetailsV2, toDetailsV2, toListDetailsV2 } from '../kit/object.dto.js';
import { type Caller, checkAlso, Reach } from '../kit/reach.js';
import { AddHumanUserResponseV2, CreateUserRequestV2, CreateUserResponseV2 } from './create-user.dto.js';
import { AddHumanUserRequestV2 } from './human.dto.js';
import {
  UpdateHumanUserRequestV2,
  UpdateHumanUserResponseV2,
  UpdateUserRequestV2,
  UpdateUserResponseV2,
} from './update-user.dto.js';
import { GetUserByIDResponseV2, UserIdRequestV2 } from './user.dto.js';
import { hasCredentials, toHumanChange, toNewcomer, toNewServiceUser, toUserChange, toUserV2 } from './user.mapping.js';
import { ListUsersRequestV2, ListUsersResponseV2 } from './user-search.dto.js';
import { toSearchesV2 } from './user-search.mapping.js';

const NEW_REFUSALS = [
  orgNotFound(),
  userNameTaken(),
  userIdTaken(),
  userDomainElsewhere(),
  idpNotFound(),
  idpLinkingNotAllowed(),
  idpLinkTaken(),
  smsUnavailable(),
];
const CHANGE_REFUSALS = [
  userNotFound(),
  userTooStrong(),
  applicationNotTrusted(),
  userNameTaken(),
  userDomainElsewhere(),
  notPerson(),
  smsUnavailable(),
];
const SUPERSEDED = new Date('2026-11-30');

@Tagged('Users v2')
@Controller('v2/users')
@InService('user')
export class UserV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly newcomers: Newcomers,
    private readonly changes: UserChanges,
    private readonly directory: UserDirectory,
  ) {}

  @Post('new')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'CreateUserV2',
    sameAs: ['AddHumanUser', 'ImportHumanUser', 'AddMachineUser'],
    summary: 'Create a human user or a service user',
    description:
      'With a verified e-mail address and a password, a human user can sign in immediately. Otherwise, a code to set up the account is sent by e-mail.',
    request: CreateUserRequestV2,
    exampleWith: {
      machine: undefined,
      human: {
        profile: { givenName: 'Hannah', familyName: 'Vogt', preferredLanguage: 'de' },
        email: { email: 'hannah@birkenhof.example', isVerified: true },
      },
      username: 'hannah.vogt',
    },
    returns: CreateUserResponseV2,
    refuses: NEW_REFUSALS,
  })
  async create(@Asking() caller: Caller, @Message() request: CreateUserRequestV2): Promise<CreateUserResponseV2> {
    const { organizationId, human, machine, metadata } = request;
    const actor = await this.reach.org(caller, 'user.write', organizationId);
    if (machine) {
      const { id, creationDate } = await this.newcomers.addService(actor, toNewServiceUser(machine, request));
      return { id, creationDate };
    }
    if (!human) throw invalidFields([{ field: 'human', description: 'must be sent, or machine in its place' }]);
    if (hasCredentials(human)) checkAlso(actor, 'user.credential.write');
    const named = { ...request, metadata: [...metadata, ...human.metadata] };
    const { id, details } = await this.newcomers.add(actor, toNewcomer(human, named, 'human.'));
    return { id, creationDate: details.creationDate };
  }

  @Post('human')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'AddHumanUserV2',
    summary: 'Create a human user',
    description: "Without an organization, in the caller's own.",
    deprecated: SUPERSEDED,
    supersededBy: 'CreateUserV2',
    request: AddHumanUserRequestV2,
    exampleWith: {
      username: 'ole.brandt',
      profile: { givenName: 'Ole', familyName: 'Brandt', preferredLanguage: 'de' },
      email: { email: 'ole@birkenhof.example', isVerified: true },
    },
    returns: AddHumanUserResponseV2,
    refuses: NEW_REFUSALS,
  })
  async addHuman(@Asking() caller: Caller, @Message() request: AddHumanUserRequestV2): Promise<AddHumanUserResponseV2> {
    const { orgId, orgDomain } = request.organization ?? {};
    const named = orgDomain === undefined ? orgId : await this.reach.orgOfDomain(orgDomain);
    const actor = await this.reach.org(caller, 'user.write', named ?? caller.ownOrgId);
    if (hasCredentials(request)) checkAlso(actor, 'user.credential.write');
    const { id, details } = await this.newcomers.add(actor, toNewcomer(request, request, ''));
    return { userId: id, details: toDetailsV2(details, actor.orgId) };
  }

  @Post()
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListUsersV2',
    sameAs: ['ListUsers'],
    summary: 'Search the users that the caller may read, of all organizations',
    description: 'Searching for equal texts or prefixes is fast for any number of users.',
    request: ListUsersRequestV2,
    example: {
      query: { offset: '0', limit: 100, asc: true },
      sortingColumn: 'USER_FIELD_NAME_USER_NAME',
      queries: [{ organizationIdQuery: { organizationId: EXAMPLE.org } }],
    },
    returns: ListUsersResponseV2,
    refuses: [listTooSlow()],
  })
  async list(
    @Asking() caller: Caller,
    @Message() { query, sortingColumn, queries }: ListUsersRequestV2,
  ): Promise<ListUsersResponseV2> {
    const places = caller.rights.placesOf('user.read');
    const page = await this.directory.listIn(places === 'everywhere' ? places : places.orgIds, toSearchesV2(queries), {
      ...toRange(query),
      sortBy: sortingColumn === 'unspecified' ? 'id' : sortingColumn,
    });
    return { details: toListDetailsV2(page), sortingColumn, result: page.rows.map(toUserV2) };
  }

  @Get(':userId')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'GetUserByIDV2',
    sameAs: ['GetUserByID', 'GetHumanProfile', 'GetHumanEmail', 'GetHumanPhone'],
    summary: 'Get a user of any organization',
    request: UserIdRequestV2,
    exampleWith: { userId: EXAMPLE.administrator },
    returns: GetUserByIDResponseV2,
    refuses: [userNotFound()],
  })
  async get(@Asking() caller: Caller, @Message() { userId }: UserIdRequestV2): Promise<GetUserByIDResponseV2> {
    const { orgId } = await this.reach.user(caller, 'user.read', userId);
    const user = toUserV2(await this.directory.get(orgId, userId));
    return { details: user.details, user };
  }

  @Patch(':userId')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'UpdateUserV2',
    sameAs: ['UpdateUserName', 'UpdateHumanProfile', 'UpdateMachine'],
    summary: 'Update a user',
    description: 'What is not sent stays as it is. All of it is changed, or nothing.',
    request: UpdateUserRequestV2,
    exampleWith: { human: { profile: { nickName: 'Hanni' } }, machine: undefined, metadata: undefined },
    returns: UpdateUserResponseV2,
    refuses: [...CHANGE_REFUSALS, notServiceUser()],
  })
  async update(@Asking() caller: Caller, @Message() request: UpdateUserRequestV2): Promise<UpdateUserResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', request.userId);
    return { changeDate: (await this.changes.change(actor, request.userId, toUserChange(request))).at };
  }

  @Put('human/:userId')
  @Requires('user.write', { named: true })
  @Operation({
    id: 'UpdateHumanUserV2',
    summary: 'Update a human user',
    description: 'What is not sent stays as it is, but a profile needs both names.',
    deprecated: SUPERSEDED,
    supersededBy: 'UpdateUserV2',
    request: UpdateHumanUserRequestV2,
    exampleWith: {
      profile: { givenName: 'Hannah', familyName: 'Vogt', nickName: 'Hanni' },
      email: undefined,
      phone: undefined,
      password: undefined,
    },
    returns: UpdateHumanUserResponseV2,
    refuses: CHANGE_REFUSALS,
  })
  async updateHuman(
    @Asking() caller: Caller,
    @Message() request: UpdateHumanUserRequestV2,
  ): Promise<UpdateHumanUserResponseV2> {
    const actor = await this.reach.user(caller, 'user.write', request.userId);
    const mark = await this.changes.change(actor, request.userId, toHumanChange(request));
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }
}
