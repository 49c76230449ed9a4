import { Injectable } from '@nestjs/common';
import { Callers } from 'gatehouse';
import { ScimGroups } from '../group/scim-groups.js';
import { type Answer, type Found, listAnswer } from '../protocol/answer.js';
import type { Ask } from '../protocol/ask.js';
import type { ListQuery } from '../protocol/list-query.js';
import { GROUP } from '../schema/group.schema.js';
import { USER } from '../schema/user.schema.js';
import { ScimUsers } from '../user/scim-users.js';

/** Searches at the root (RFC 7644 §3.4.2.1): first the people, then the groups, as far as the caller may read them. */
@Injectable()
export class SearchAll {
  constructor(
    private readonly users: ScimUsers,
    private readonly groups: ScimGroups,
    private readonly callers: Callers,
  ) {}

  async list(ask: Ask, query: ListQuery): Promise<Answer> {
    const offset = query.startIndex - 1;
    const users = await this.users.list(ask, query.filter, { offset, limit: query.count }, [GROUP]);
    const groups = await this.groupsBehind(ask, query, users);
    const total = users.total + groups.total;
    return listAnswer({ total, resources: [...users.resources, ...groups.resources] }, query.startIndex);
  }

  private async groupsBehind(ask: Ask, { filter, startIndex, count }: ListQuery, users: Found): Promise<Found> {
    if (!this.callers.may(ask.caller, 'group.read')) return { total: 0, resources: [] };
    const offset = Math.max(0, startIndex - 1 - users.total);
    return this.groups.list(ask, filter, { offset, limit: count - users.resources.length }, [USER]);
  }
}
