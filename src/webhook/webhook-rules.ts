import type { FieldViolation } from '../foundation/error/domain-error.js';
import type { EventCatalogue } from '../foundation/event/event-catalogue.js';
import type { NewEvent } from '../foundation/event/journal.js';
import { targetUrlProblem } from '../foundation/outbound/target-url.js';
import type { Webhook } from './webhook.entity.js';

/** The instance, which is told of every event, or an organization, which is told of its own. */
export interface WebhookOwner {
  readonly level: Webhook['level'];
  /** Id of the instance or the organization. */
  readonly id: string;
}

export type WebhookSettings = Pick<Webhook, 'url' | 'types'>;

/** How many webhooks an owner may have: each event is compared with all of them. */
export const MAX_WEBHOOKS = 20;

/** A change of a webhook as the journal records it. */
export function webhookEvent(
  { id, ownerId }: Pick<Webhook, 'id' | 'ownerId'>,
  what: string,
  editorId: string,
  payload: Record<string, unknown> = {},
): NewEvent {
  return { aggregateType: 'webhook', aggregateId: id, type: `webhook.${what}`, orgId: ownerId, editorId, payload };
}

/** Everything that is wrong with the settings of a webhook except lengths. */
export function webhookViolations(
  { url, types }: WebhookSettings,
  level: WebhookOwner['level'],
  surroundings: { readonly production: boolean; readonly catalogue: Pick<EventCatalogue, 'find'> },
): FieldViolation[] {
  const problem = targetUrlProblem(url, surroundings);
  return [
    ...(problem === undefined ? [] : [{ field: 'url', description: problem }]),
    ...(types.length === 0 ? [{ field: 'types', description: 'must name at least one type of event' }] : []),
    ...types.flatMap((type, index) => {
      const wrong = typeProblem(surroundings.catalogue.find(type), level);
      return wrong === undefined ? [] : [{ field: `types[${index}]`, description: wrong }];
    }),
  ];
}

function typeProblem(event: ReturnType<EventCatalogue['find']>, level: WebhookOwner['level']): string | undefined {
  if (!event)
    return 'must be a type of docs/events.md, such as user.human.added, or one that a loaded extension declares; there are no patterns';
  if (level === 'org' && event.level === 'instance') return 'is about the instance: only its webhooks can have it';
  return undefined;
}
