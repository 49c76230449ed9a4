import { Controller, Post } from '@nestjs/common';
import {
  listenerFailed,
  listenerNotFound,
  listenerNotLoaded,
  parkedEventNotFound,
} from '../../foundation/event/event.errors.js';
import { EventDispatcher } from '../../foundation/event/event-dispatcher.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { ListenerRegister } from '../../foundation/event/listener-register.js';
import { Clock } from '../../foundation/time/clock.js';
import { EventListeners } from '../../org/instance/event-listeners.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange, toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  ListEventListenersRequest,
  ListEventListenersResponse,
  ListParkedEventsRequest,
  ListParkedEventsResponse,
  ReplayEventListenerRequest,
  RetryParkedEventRequest,
} from './event-listener.dto.js';

const BEGINNING = new Date(0);

/** The listeners of extensions: their progress, replays, and the events that they have left out. */
@Tagged('Events')
@Controller('admin/v1/event_listeners')
export class EventListenerController {
  constructor(
    private readonly listeners: ListenerRegister,
    private readonly changes: EventListeners,
    private readonly dispatcher: EventDispatcher,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
  ) {}

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListEventListeners',
    summary: 'List the event listeners of extensions',
    description: 'Includes listeners whose extension is not loaded.',
    request: ListEventListenersRequest,
    returns: ListEventListenersResponse,
  })
  async list(
    @Asking() _actor: Actor,
    @Message() _request: ListEventListenersRequest,
  ): Promise<ListEventListenersResponse> {
    const found = await this.listeners.list();
    const result = found.map(({ listener: name, tries, reason, dueAt, parked }) => {
      const [extension = '', listener = ''] = name.split('/');
      const isLoaded = this.dispatcher.find(name) !== undefined;
      const nextTryDate = tries > 0 ? dueAt : undefined;
      return { extension, listener, tries, reason, nextTryDate, parkedEvents: parked, isLoaded };
    });
    return { details: toWholeListDetails(result.length, this.clock.now()), result };
  }

  @Post(':extension/:listener/_replay')
  @Requires('iam.write')
  @Operation({
    id: 'ReplayEventListener',
    summary: 'Replay events to an event listener',
    description:
      'The listener receives every event since that time again, in the order of the journal, so it must be able to handle an event twice. A listener that has not reached that time yet is left where it is.',
    request: ReplayEventListenerRequest,
    returns: DetailsResponse,
    refuses: [listenerNotFound()],
  })
  async replay(
    @Asking() actor: Actor,
    @Message() { extension, listener, from = BEGINNING }: ReplayEventListenerRequest,
  ): Promise<DetailsResponse> {
    return this.toChanged(await this.changes.replay(`${extension}/${listener}`, from, actor.userId));
  }

  @Post(':extension/:listener/parked/_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListParkedEvents',
    summary: 'List the events that an event listener has left out',
    request: ListParkedEventsRequest,
    returns: ListParkedEventsResponse,
    refuses: [listenerNotFound()],
  })
  async parked(
    @Asking() _actor: Actor,
    @Message() { extension, listener, query }: ListParkedEventsRequest,
  ): Promise<ListParkedEventsResponse> {
    const page = await this.listeners.parked(`${extension}/${listener}`, toRange(query));
    const result = page.rows.map(({ parkedAt, ...event }) => ({ ...event, parkedDate: parkedAt }));
    return { details: toListDetails(page), result };
  }

  @Post(':extension/:listener/parked/:eventId/_retry')
  @Requires('iam.write')
  @Operation({
    id: 'RetryParkedEvent',
    summary: 'Retry a parked event',
    description: 'Handled immediately, in the process that answers. If it fails again, the event stays parked.',
    request: RetryParkedEventRequest,
    returns: DetailsResponse,
    refuses: [listenerNotFound(), parkedEventNotFound(), listenerNotLoaded(), listenerFailed()],
  })
  async retry(
    @Asking() actor: Actor,
    @Message() { extension, listener, eventId }: RetryParkedEventRequest,
  ): Promise<DetailsResponse> {
    return this.toChanged(await this.changes.retry(`${extension}/${listener}`, eventId, actor.userId));
  }

  private async toChanged(mark: EventMark): Promise<DetailsResponse> {
    return { details: toChangedDetails(mark, (await this.instances.get()).id) };
  }
}
