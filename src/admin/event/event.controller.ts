import { Controller, Post } from '@nestjs/common';
import { listTooSlow } from '../../foundation/database/listing.js';
import { EventReader, type JournalSearch } from '../../foundation/event/event-reader.js';
import { KnownEvents } from '../../foundation/event/known-events.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import {
  ListAggregateTypesResponse,
  ListEventsRequest,
  ListEventsResponse,
  ListEventTypesResponse,
} from './event.dto.js';
import { toEvent, toSearch, toType } from './event.mapping.js';

/** The permissions for events about objects of an organization besides itself. */
const TOLD = ['user.read', 'project.read'] as const;

/**
 * @throws DomainError PermissionDenied: events contain names, addresses and applications that the caller may not read
 * elsewhere
 */
function checkSeesAll({ rights, orgId }: Actor): void {
  const missing = TOLD.find((permission) => !rights.may(permission, { orgId }));
  if (missing !== undefined) throw permissionMissing(missing);
}

/** The journal: the audit trail of any object. */
@Tagged('Events')
@Controller()
export class EventController {
  constructor(
    private readonly events: EventReader,
    private readonly known: KnownEvents,
  ) {}

  @Post('admin/v1/events/_search')
  @Requires('events.read')
  @Operation({
    id: 'ListEvents',
    summary: 'Search the events of the instance',
    request: ListEventsRequest,
    returns: ListEventsResponse,
    refuses: [listTooSlow()],
    description:
      'Every change is recorded as an event. Page by `position`. Changes that are still being committed may appear before the last position.',
  })
  async list(@Asking() _actor: Actor, @Message() request: ListEventsRequest): Promise<ListEventsResponse> {
    return this.search(toSearch(request));
  }

  @Post('management/v1/events/_search')
  @OfOrg()
  @Requires('org.member.read')
  @Operation({
    id: 'ListOrgEvents',
    summary: 'Search the events of an organization',
    request: ListEventsRequest,
    returns: ListEventsResponse,
    refuses: [listTooSlow()],
    description:
      'Always returns the events of the organization, whatever `resourceOwner` contains. They include events about users and projects, so user.read and project.read are required as well.',
  })
  async listOfOrg(@Asking() actor: Actor, @Message() request: ListEventsRequest): Promise<ListEventsResponse> {
    checkSeesAll(actor);
    return this.search(toSearch(request, actor.orgId));
  }

  @Post('admin/v1/events/types/_search')
  @Requires('events.read')
  @Operation({
    id: 'ListEventTypes',
    summary: 'List the event types that have occurred',
    returns: ListEventTypesResponse,
  })
  async listTypes(): Promise<ListEventTypesResponse> {
    return { eventTypes: (await this.events.types()).map(toType) };
  }

  @Post('admin/v1/aggregates/types/_search')
  @Requires('events.read')
  @Operation({
    id: 'ListAggregateTypes',
    summary: 'List the aggregate types that have events',
    returns: ListAggregateTypesResponse,
  })
  async listAggregateTypes(): Promise<ListAggregateTypesResponse> {
    return { aggregateTypes: (await this.events.aggregateTypes()).map(toType) };
  }

  private async search(wanted: JournalSearch): Promise<ListEventsResponse> {
    await this.known.check(wanted);
    return { events: (await this.events.search(wanted)).map(toEvent) };
  }
}
