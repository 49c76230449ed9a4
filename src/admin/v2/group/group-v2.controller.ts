import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Groups } from '../../../management/user/groups.js';
import { orgNotFound } from '../../../org/org.errors.js';
import type { UserGroup } from '../../../user/group/group.entity.js';
import { groupIdTaken, groupNameTaken, groupNotFound } from '../../../user/group/group.errors.js';
import { GroupDirectory, groupFilter } from '../../../user/group/group-directory.js';
import { permissionMissing } from '../../../user/permission/permission.errors.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  CreateGroupRequestV2,
  CreateGroupResponseV2,
  DeleteGroupResponseV2,
  GetGroupResponseV2,
  GroupIdRequestV2,
  type GroupV2,
  ListGroupsRequestV2,
  ListGroupsResponseV2,
  UpdateGroupRequestV2,
  UpdateGroupResponseV2,
} from './group.dto.js';

@Tagged('Groups v2')
@Controller('v2/groups')
@InService('group')
export class GroupV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly groups: Groups,
    private readonly directory: GroupDirectory,
  ) {}

  @Post()
  @Requires('group.write', { named: true })
  @Operation({
    id: 'CreateGroupV2',
    sameAs: ['CreateGroup'],
    summary: 'Create a group',
    request: CreateGroupRequestV2,
    returns: CreateGroupResponseV2,
    refuses: [orgNotFound(), groupNameTaken(), groupIdTaken()],
  })
  async create(
    @Asking() caller: Caller,
    @Message() { organizationId, id = '', name, description }: CreateGroupRequestV2,
  ): Promise<CreateGroupResponseV2> {
    const actor = await this.reach.org(caller, 'group.write', organizationId);
    const group = await this.groups.create(actor, { name, description, id });
    return { id: group.id, creationDate: group.creationDate };
  }

  @Post('_search')
  @Requires('group.read', { named: true })
  @Operation({
    id: 'ListGroupsV2',
    sameAs: ['ListGroups'],
    summary: 'Search the groups that the caller may read, of all organizations',
    request: ListGroupsRequestV2,
    returns: ListGroupsResponseV2,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { filters, pagination, sortingColumn = 'unspecified' }: ListGroupsRequestV2,
  ): Promise<ListGroupsResponseV2> {
    const where = filters.flatMap(({ groupIds, nameFilter, organizationId }) => [
      ...(groupIds ? [groupFilter.ids(groupIds.ids)] : []),
      ...(nameFilter ? [groupFilter.name(nameFilter.method, nameFilter.name)] : []),
      ...(organizationId ? [groupFilter.ofOrgs([organizationId.id])] : []),
    ]);
    const page = await this.groups.listAll(caller.rights, {
      ...toRange(pagination),
      sortBy: sortingColumn === 'unspecified' ? 'id' : sortingColumn,
      where,
    });
    return { groups: page.rows.map(toGroup), pagination: toPagination(page, pagination) };
  }

  @Get(':id')
  @Requires('group.read', { named: true })
  @Operation({
    id: 'GetGroupV2',
    sameAs: ['GetGroup'],
    summary: 'Get a group by its ID',
    request: GroupIdRequestV2,
    exampleWith: { id: EXAMPLE.group },
    returns: GetGroupResponseV2,
    refuses: [groupNotFound()],
  })
  async get(@Asking() caller: Caller, @Message() { id }: GroupIdRequestV2): Promise<GetGroupResponseV2> {
    const { orgId } = await this.reach.group(caller, 'group.read', id);
    return { group: toGroup(await this.directory.get(orgId, id)) };
  }

  @Post(':id')
  @Requires('group.write', { named: true })
  @Operation({
    id: 'UpdateGroupV2',
    sameAs: ['UpdateGroup'],
    summary: 'Change the name or the description of a group',
    description: 'What is not sent stays as it is.',
    request: UpdateGroupRequestV2,
    returns: UpdateGroupResponseV2,
    refuses: [groupNotFound(), groupNameTaken()],
  })
  async update(
    @Asking() caller: Caller,
    @Message() { id, name, description }: UpdateGroupRequestV2,
  ): Promise<UpdateGroupResponseV2> {
    const actor = await this.reach.group(caller, 'group.write', id);
    const settings = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
    return { changeDate: (await this.groups.change(actor, id, settings)).at };
  }

  @Delete(':id')
  @Requires('group.delete', { named: true })
  @Operation({
    id: 'DeleteGroupV2',
    sameAs: ['RemoveGroup'],
    summary: 'Remove a group with its grants',
    description:
      'Its members lose the roles that they held through it. If roles are granted to the group, the permission to remove roles is required as well.',
    request: GroupIdRequestV2,
    returns: DeleteGroupResponseV2,
    refuses: [groupNotFound(), permissionMissing('user.grant.delete')],
  })
  async remove(@Asking() caller: Caller, @Message() { id }: GroupIdRequestV2): Promise<DeleteGroupResponseV2> {
    const actor = await this.reach.group(caller, 'group.delete', id);
    return { deletionDate: (await this.groups.remove(actor, id)).at };
  }
}

function toGroup({ id, name, description, orgId, changeDate, creationDate }: UserGroup): GroupV2 {
  return { id, name, description, organizationId: orgId, changeDate, creationDate };
}
