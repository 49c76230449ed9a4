import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Event } from './event.entity.js';
import { EventCatalogue } from './event-catalogue.js';
import { EventClock } from './event-clock.entity.js';
import { EventCursor } from './event-cursor.entity.js';
import { EventDispatcher } from './event-dispatcher.js';
import { EventFeed } from './event-feed.js';
import { EventLagWatch } from './event-lag-watch.js';
import { EventReader } from './event-reader.js';
import { Journal } from './journal.js';
import { KnownEvents } from './known-events.js';
import { LastChanges } from './last-changes.js';
import { ListenerRegister } from './listener-register.js';
import { ParkedEvent } from './parked-event.entity.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Event, EventClock, EventCursor, ParkedEvent])],
  providers: [
    EventCatalogue,
    EventDispatcher,
    EventFeed,
    EventLagWatch,
    EventReader,
    Journal,
    KnownEvents,
    LastChanges,
    ListenerRegister,
  ],
  exports: [
    EventCatalogue,
    EventDispatcher,
    EventFeed,
    EventLagWatch,
    EventReader,
    Journal,
    KnownEvents,
    LastChanges,
    ListenerRegister,
  ],
})
export class EventModule {}
