import { Injectable } from '@nestjs/common';
import type { ExtEvent } from '../extension/ext-event.js';
import { LoadedExtensions } from '../extension/extensions.module.js';
import { PUBLIC_EVENTS, type PublicEvent } from './catalogue.js';

/** The public types of events: those of the product, and those that the extensions of this process declare. */
@Injectable()
export class EventCatalogue {
  private readonly byType: ReadonlyMap<string, Pick<PublicEvent, 'type' | 'level'>>;
  private readonly own: ReadonlySet<unknown>;

  constructor({ extensions }: LoadedExtensions) {
    const events = extensions.flatMap((extension) => extension.events);
    this.own = new Set(events);
    this.byType = new Map([...PUBLIC_EVENTS, ...events].map((event) => [event.type, event]));
  }

  find(type: string): Pick<PublicEvent, 'type' | 'level'> | undefined {
    return this.byType.get(type);
  }

  types(): string[] {
    return [...this.byType.keys()];
  }

  /** Whether an extension of this process lists exactly this declaration. */
  declares(event: ExtEvent): boolean {
    return this.own.has(event);
  }
}
