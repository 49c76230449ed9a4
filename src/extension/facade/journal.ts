import type { Queryable } from '../../foundation/database/statement.js';
import { statement } from '../../foundation/database/statement.js';
import type { EventCatalogue } from '../../foundation/event/event-catalogue.js';
import { type Journal as ProductJournal, SYSTEM } from '../../foundation/event/journal.js';
import {
  aggregateTypeOf,
  type EventMembers,
  type EventPayload,
  type ExtEvent,
  isText,
  payloadProblem,
} from '../../foundation/extension/ext-event.js';
import { type SqlTransaction, transactionBehind } from '../../foundation/extension/sql.js';
import type { InstanceService } from '../../org/instance/instance.service.js';

/** What an own event says of what has happened. @public */
export interface NewExtEvent<Members extends EventMembers> {
  /** The id of the object that it is about; 1 to 200 characters. Events of one object are numbered. */
  readonly aggregateId: string;
  /**
   * The organization that the object belongs to, for types of the level `org`; those of the level `instance` have none.
   */
  readonly orgId?: string;
  /** The user who did it, such as the `userId` of a `Caller`; without one it was the service itself. */
  readonly editorId?: string;
  /** All members that the type declares, and no others. */
  readonly payload: EventPayload<Members>;
}

/** Appends events of the extension to the journal of Gatehouse. Inject it by this class. @public */
export abstract class Journal {
  /**
   * Appends an event in a transaction that Gatehouse has given: of `Database.transaction`, of a listener, of a purge.
   * Listeners and webhooks hear it after the commit, and never if it is rolled back. Two transactions with events of
   * one object collide, and `Database.transaction` runs the later one again.
   * @throws Error if no loaded extension lists the type, if the payload is not as declared, or if there is no such
   * organization
   */
  abstract append<Members extends EventMembers>(
    tx: SqlTransaction,
    event: ExtEvent<Members>,
    given: NewExtEvent<Members>,
  ): Promise<void>;
}

const FIND_ORG = statement('facade.org', 'SELECT 1 FROM org WHERE id = :orgId');

/** The façade over the product's own journal. */
export class SharedJournal extends Journal {
  constructor(
    private readonly journal: ProductJournal,
    private readonly catalogue: EventCatalogue,
    private readonly instances: InstanceService,
  ) {
    super();
  }

  override async append<Members extends EventMembers>(
    tx: SqlTransaction,
    event: ExtEvent<Members>,
    { aggregateId, orgId, editorId = SYSTEM, payload }: NewExtEvent<Members>,
  ): Promise<void> {
    const { type } = event;
    const on = transactionBehind(tx);
    if (!this.catalogue.declares(event))
      throw refused(
        String(type),
        'no loaded extension lists it. Add what defineEvent returns to "events" of the manifest',
      );
    const problem = payloadProblem(event, payload);
    if (problem !== undefined) throw refused(type, `the payload does not fit: ${problem}`);
    if (!isId(aggregateId)) throw refused(type, 'aggregateId must be a text of 1 to 200 characters');
    if (!isId(editorId)) throw refused(type, 'editorId must be a text of 1 to 200 characters, or be left out');
    await this.journal.append(on, {
      aggregateType: aggregateTypeOf(type),
      aggregateId,
      type,
      orgId: await this.ownerOf(on, event, orgId),
      editorId,
      payload,
    });
  }

  private async ownerOf(tx: Queryable, { type, level }: ExtEvent, orgId: string | undefined): Promise<string> {
    if (level === 'instance') {
      if (orgId !== undefined) throw refused(type, 'it is about the instance: leave out orgId');
      return (await this.instances.get()).id;
    }
    if (orgId === undefined || !isId(orgId) || (await tx.query(FIND_ORG, { orgId })).length === 0)
      throw refused(type, 'orgId must be the id of an organization');
    return orgId;
  }
}

function isId(text: unknown): boolean {
  return isText(text) && text !== '';
}

/** A defect of the extension: callers of an operation learn only its number. */
function refused(type: string, why: string): Error {
  return new Error(`The event ${type} was not appended: ${why}.`);
}
