import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { type EventMark, Journal } from '../../foundation/event/journal.js';
import { ListenerRegister } from '../../foundation/event/listener-register.js';
import { InstanceService } from './instance.service.js';

const LISTENER = 'instance.event_listener';

/** Changes of what listeners hear, each with an event of the instance. Refusals are those of `ListenerRegister`. */
@Injectable()
export class EventListeners {
  constructor(
    private readonly database: Database,
    private readonly register: ListenerRegister,
    private readonly instances: InstanceService,
    private readonly journal: Journal,
  ) {}

  /** Lets a listener hear again what has happened since a time. */
  async replay(listener: string, from: Date, editorId: string): Promise<EventMark> {
    return this.change('instance.event_listener.replayed', { listener, from: from.toISOString() }, editorId, (tx) =>
      this.register.replay(tx, listener, from),
    );
  }

  /** Like `replay`, but since an event. */
  async replayFromEvent(listener: string, eventId: string, editorId: string): Promise<EventMark> {
    return this.change('instance.event_listener.replayed', { listener, from: eventId }, editorId, (tx) =>
      this.register.replayFromEvent(tx, listener, eventId),
    );
  }

  /** Lets a listener handle an event that it has left out. */
  async retry(listener: string, eventId: string, editorId: string): Promise<EventMark> {
    return this.change(`${LISTENER}.event.retried`, { listener, eventId }, editorId, (tx) =>
      this.register.retry(tx, listener, eventId),
    );
  }

  private async change(
    type: string,
    payload: Record<string, unknown>,
    editorId: string,
    work: (tx: Transaction) => Promise<void>,
  ): Promise<EventMark> {
    const { id } = await this.instances.get();
    return this.database.transaction(async (tx) => {
      await work(tx);
      return this.journal.append(tx, {
        aggregateType: 'instance',
        aggregateId: id,
        type,
        orgId: id,
        editorId,
        payload,
      });
    });
  }
}
