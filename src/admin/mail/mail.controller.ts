import { Controller, Delete, Post } from '@nestjs/common';
import { mailExpired, mailNotFound, mailNotWaiting } from '../../user/outbox/outbox.errors.js';
import { type MailEntry as Mail, OutboxRegister } from '../../user/outbox/outbox-register.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { ListMailsRequest, ListMailsResponse, MailById, type MailEntry } from './mail.dto.js';

/**
 * The delivery state of e-mails. Their content is not shown, because it contains codes that only the recipient may
 * read.
 */
@Tagged('E-mails')
@Controller('admin/v1/mails')
export class MailController {
  constructor(private readonly register: OutboxRegister) {}

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListMails',
    summary: 'Search the e-mails of the last 30 days',
    request: ListMailsRequest,
    returns: ListMailsResponse,
    description: 'Sorted by creation time. Never includes the content of the e-mails.',
  })
  async list(
    @Asking() _actor: Actor,
    @Message() { query, state, userId }: ListMailsRequest,
  ): Promise<ListMailsResponse> {
    const page = await this.register.list(
      { state: state === 'unspecified' ? undefined : state, userId },
      toRange(query),
    );
    return { details: toListDetails(page), result: page.rows.map(toEntry) };
  }

  @Post(':id/_retry')
  @Requires('iam.write')
  @Operation({
    id: 'RetryMail',
    summary: 'Retry a failed or waiting e-mail immediately',
    request: MailById,
    returns: DetailsResponse,
    refuses: [mailNotFound(), mailNotWaiting(), mailExpired()],
  })
  async retry(@Asking() actor: Actor, @Message() { id }: MailById): Promise<DetailsResponse> {
    const { mark, orgId } = await this.register.retry(id, actor.userId);
    return { details: toChangedDetails(mark, orgId) };
  }

  @Delete(':id')
  @Requires('iam.write')
  @Operation({
    id: 'RemoveMail',
    summary: 'Remove an e-mail; it is not sent if it is still waiting',
    request: MailById,
    returns: DetailsResponse,
    refuses: [mailNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() { id }: MailById): Promise<DetailsResponse> {
    const { mark, orgId } = await this.register.remove(id, actor.userId);
    return { details: toChangedDetails(mark, orgId) };
  }
}

function toEntry({
  id,
  state,
  kind,
  userId,
  orgId,
  recipient,
  tries,
  reason,
  createdAt,
  dueAt,
  sentAt,
}: Mail): MailEntry {
  return {
    id,
    state,
    kind,
    userId,
    orgId,
    recipient,
    tries,
    reason,
    creationDate: createdAt,
    nextTryDate: state === 'waiting' ? dueAt : undefined,
    sentDate: sentAt ?? undefined,
  };
}
