import { Controller, Post } from '@nestjs/common';
import { LogoutNotices, type LogoutNoticeEntry as Notice } from '../../session/logout-notices.js';
import { logoutNoticeNotFound, logoutNoticeNotWaiting } from '../../session/session.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  ListLogoutNoticesRequest,
  ListLogoutNoticesResponse,
  LogoutNoticeById,
  type LogoutNoticeEntry,
} from './logout-notice.dto.js';

/** Which applications were told that sessions have ended (OpenID Connect Back-Channel Logout 1.0). */
@Tagged('Logout notices')
@Controller('admin/v1/logout_notices')
export class LogoutNoticeController {
  constructor(private readonly notices: LogoutNotices) {}

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListLogoutNotices',
    summary: 'Search the notices of ended sessions to applications',
    request: ListLogoutNoticesRequest,
    returns: ListLogoutNoticesResponse,
    description:
      'Sorted by creation time. Delivered notices are kept for a day, those that were given up for seven days.',
  })
  async list(
    @Asking() _actor: Actor,
    @Message() { query, state, clientId }: ListLogoutNoticesRequest,
  ): Promise<ListLogoutNoticesResponse> {
    const page = await this.notices.list(
      { state: state === 'unspecified' ? undefined : state, clientId },
      toRange(query),
    );
    return { details: toListDetails(page), result: page.rows.map(toEntry) };
  }

  @Post(':id/_retry')
  @Requires('iam.write')
  @Operation({
    id: 'RetryLogoutNotice',
    summary: 'Retry a failed or waiting notice immediately',
    request: LogoutNoticeById,
    returns: DetailsResponse,
    refuses: [logoutNoticeNotFound(), logoutNoticeNotWaiting()],
  })
  async retry(@Asking() actor: Actor, @Message() { id }: LogoutNoticeById): Promise<DetailsResponse> {
    const { mark, instanceId } = await this.notices.retry(id, actor.userId);
    return { details: toChangedDetails(mark, instanceId) };
  }
}

function toEntry({ createdAt, dueAt, settledAt, ...notice }: Notice): LogoutNoticeEntry {
  return {
    ...notice,
    creationDate: createdAt,
    nextTryDate: notice.state === 'waiting' ? dueAt : undefined,
    settledDate: settledAt ?? undefined,
  };
}
