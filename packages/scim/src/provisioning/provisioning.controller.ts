import { Controller, Get, Post } from '@nestjs/common';
import { Asking, type Caller, Message, OfOrg, Operation, Requires } from 'gatehouse/admin';
import {
  DirectoryEntries,
  Done,
  GroupsOfDirectory,
  ListProvisionedRequest,
  ProvisionedGroupEntries,
  ProvisionedUserEntries,
  UsersOfDirectory,
} from './provisioning.dto.js';
import { Provisioning } from './provisioning.js';
import { groupsElsewhere, groupsUnknown, noDirectory, usersElsewhere, usersUnknown } from './take-over.errors.js';
import { TakeOver } from './take-over.js';

export const READ = 'ext.scim.provisioning.read';
export const WRITE = 'ext.scim.provisioning.write';

/** Which users and groups each directory provisions, and managers who change it. */
@Controller('management/v1/ext/scim/directories')
@OfOrg()
export class ProvisioningController {
  constructor(
    private readonly takeOver: TakeOver,
    private readonly provisioning: Provisioning,
  ) {}

  @Get()
  @Requires(READ)
  @Operation({
    id: 'ListDirectories',
    summary: 'List the directories that provision users or groups',
    returns: DirectoryEntries,
  })
  async listDirectories(@Asking() caller: Caller): Promise<DirectoryEntries> {
    return { result: await this.provisioning.directories(caller) };
  }

  @Get(':directoryId/users')
  @Requires(READ)
  @Operation({
    id: 'ListProvisionedUsers',
    summary: 'List the users that a directory provisions',
    request: ListProvisionedRequest,
    returns: ProvisionedUserEntries,
    refuses: [noDirectory()],
  })
  async listUsers(
    @Asking() caller: Caller,
    @Message() request: ListProvisionedRequest,
  ): Promise<ProvisionedUserEntries> {
    return this.provisioning.users(caller, request.directoryId, request);
  }

  @Post(':directoryId/users')
  @Requires(WRITE)
  @Operation({
    id: 'TakeUsersOver',
    summary: 'Put users under the provisioning of a directory',
    description:
      'From then on the directory changes, deactivates and removes them, as far as its rights reach. Those that it provisions already stay as they are.',
    request: UsersOfDirectory,
    returns: Done,
    refuses: [noDirectory(), usersUnknown([]), usersElsewhere([])],
  })
  async takeUsers(@Asking() caller: Caller, @Message() { directoryId, userIds }: UsersOfDirectory): Promise<Done> {
    await this.takeOver.takeUsers(caller, directoryId, userIds);
    return {};
  }

  @Post(':directoryId/users/release')
  @Requires(WRITE)
  @Operation({
    id: 'ReleaseUsers',
    summary: 'End the provisioning of users by a directory',
    description: 'The users stay as they are. What the directory has said of them beside their accounts is removed.',
    request: UsersOfDirectory,
    returns: Done,
    refuses: [noDirectory()],
  })
  async releaseUsers(@Asking() caller: Caller, @Message() { directoryId, userIds }: UsersOfDirectory): Promise<Done> {
    await this.takeOver.releaseUsers(caller, directoryId, userIds);
    return {};
  }

  @Get(':directoryId/groups')
  @Requires(READ)
  @Operation({
    id: 'ListProvisionedGroups',
    summary: 'List the groups that a directory provisions',
    request: ListProvisionedRequest,
    returns: ProvisionedGroupEntries,
    refuses: [noDirectory()],
  })
  async listGroups(
    @Asking() caller: Caller,
    @Message() request: ListProvisionedRequest,
  ): Promise<ProvisionedGroupEntries> {
    return this.provisioning.groups(caller, request.directoryId, request);
  }

  @Post(':directoryId/groups')
  @Requires(WRITE)
  @Operation({
    id: 'TakeGroupsOver',
    summary: 'Put groups under the provisioning of a directory',
    description:
      'From then on the directory renames and removes them, and says who their members are, as far as its rights reach.',
    request: GroupsOfDirectory,
    returns: Done,
    refuses: [noDirectory(), groupsUnknown([]), groupsElsewhere([])],
  })
  async takeGroups(@Asking() caller: Caller, @Message() { directoryId, groupIds }: GroupsOfDirectory): Promise<Done> {
    await this.takeOver.takeGroups(caller, directoryId, groupIds);
    return {};
  }

  @Post(':directoryId/groups/release')
  @Requires(WRITE)
  @Operation({
    id: 'ReleaseGroups',
    summary: 'End the provisioning of groups by a directory',
    request: GroupsOfDirectory,
    returns: Done,
    refuses: [noDirectory()],
  })
  async releaseGroups(
    @Asking() caller: Caller,
    @Message() { directoryId, groupIds }: GroupsOfDirectory,
  ): Promise<Done> {
    await this.takeOver.releaseGroups(caller, directoryId, groupIds);
    return {};
  }
}
