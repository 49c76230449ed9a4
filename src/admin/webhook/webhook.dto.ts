import { publicEvent } from '../../foundation/event/catalogue.js';
import { isExtType } from '../../foundation/extension/ext-event.js';
import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { TARGET_URL_FORM } from '../kit/target-url-form.js';
import { DetailsResponse, ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Count, Filter, Flag, Moment, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';

const WEBHOOK_STATE = wireEnum('WebhookState', {
  WEBHOOK_STATE_UNSPECIFIED: [0, 'unspecified'],
  WEBHOOK_STATE_ACTIVE: [1, 'active'],
  WEBHOOK_STATE_INACTIVE: [2, 'inactive'],
});

const WEBHOOK_DELIVERY_STATE = wireEnum('WebhookDeliveryState', {
  WEBHOOK_DELIVERY_STATE_UNSPECIFIED: [0, 'unspecified'],
  WEBHOOK_DELIVERY_STATE_WAITING: [1, 'waiting'],
  WEBHOOK_DELIVERY_STATE_DELIVERED: [2, 'delivered'],
  WEBHOOK_DELIVERY_STATE_DEAD: [3, 'dead'],
  WEBHOOK_DELIVERY_STATE_WITHDRAWN: [4, 'withdrawn'],
});

// The form of a type; which ones extensions declare is known to the domain.
const TYPE_FORM = {
  fits: (text: string): boolean => publicEvent(text) !== undefined || isExtType(text),
  says: 'must be a type of docs/events.md, such as user.human.added, or one of an extension; there are no patterns',
};

const WebhookId = (): PropertyDecorator =>
  Text(1, { min: 1, max: 200, description: 'ID of the webhook.', example: EXAMPLE.webhook });

const Url = (number: number): PropertyDecorator =>
  Text(number, {
    min: 1,
    max: 500,
    form: TARGET_URL_FORM,
    description:
      'The address that is called: https and on the public internet, or in a network that the operator has allowed (`OUTBOUND_ALLOW`). Redirects are not followed.',
    example: 'https://hooks.acme.example/gatehouse',
  });

const Types = (number: number): PropertyDecorator =>
  Texts(number, {
    min: 1,
    max: 100,
    maxItems: 200,
    form: TYPE_FORM,
    description:
      'The types of events that it is told of, from docs/events.md or declared by an extension. At least one.',
    example: ['user.human.added', 'user.removed'],
  });

const Made = (example: string): PropertyDecorator => Text(2, { description: 'ID of the new webhook.', example });

const ShownSecret = (): PropertyDecorator =>
  Text(3, {
    description: 'The secret that signs each call. It is shown only here; it is stored encrypted.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=',
  });

@Named('AddWebhookRequest')
export class AddWebhookRequest {
  @Url(1)
  readonly url!: string;

  @Types(2)
  readonly types!: string[];
}

@Named('AddWebhookResponse')
export class AddWebhookResponse extends DetailsResponse {
  @Made(EXAMPLE.webhook)
  readonly id!: string;

  @ShownSecret()
  readonly secret!: string;
}

@Named('AddWebhookOfOrgResponse')
export class AddWebhookOfOrgResponse extends DetailsResponse {
  @Made(EXAMPLE.orgWebhook)
  readonly id!: string;

  @ShownSecret()
  readonly secret!: string;
}

@Named('WebhookById')
export class WebhookById {
  @WebhookId()
  readonly webhookId!: string;
}

@Filter()
@Named('ListWebhooksRequest')
export class ListWebhooksRequest {}

@Named('UpdateWebhookRequest')
export class UpdateWebhookRequest {
  @WebhookId()
  readonly webhookId!: string;

  @Url(2)
  readonly url!: string;

  @Types(3)
  readonly types!: string[];
}

@Named('RegenerateWebhookSecretResponse')
export class RegenerateWebhookSecretResponse extends DetailsResponse {
  @ShownSecret()
  readonly secret!: string;
}

@Named('WebhookEntry')
export class WebhookEntry {
  @WebhookId()
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, WEBHOOK_STATE, {
    description: 'Active, or inactive: switched off, so that it receives no events.',
    example: 'WEBHOOK_STATE_ACTIVE',
  })
  readonly state!: ValueOf<typeof WEBHOOK_STATE>;

  @Url(4)
  readonly url!: string;

  @Types(5)
  readonly types!: readonly string[];

  @Text(6, {
    description:
      'Why it is inactive: `requested` by a manager, `gone` (the receiver responded with 410), or `failing` (nothing was delivered for five days).',
    example: '',
  })
  readonly inactiveReason!: string;

  @Moment(7, { description: 'The first failure since the last success; absent if the last call succeeded.' })
  readonly failingSince?: Date | undefined;

  @Moment(8, { description: 'Until when the former secret signs as well; absent if only one does.' })
  readonly formerSecretExpiration?: Date | undefined;
}

@Named('GetWebhookResponse')
export class GetWebhookResponse {
  @Part(1, () => WebhookEntry)
  readonly webhook!: WebhookEntry;
}

@Named('ListWebhooksResponse')
export class ListWebhooksResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => WebhookEntry)
  readonly result!: readonly WebhookEntry[];
}

@Named('TestWebhookResponse')
export class TestWebhookResponse {
  @Flag(1, { description: 'Whether the receiver has accepted the call.', example: true })
  readonly ok!: boolean;

  @Count(2, { description: 'The status of its response; 0 if there was none.', example: 204 })
  readonly status!: number;

  @Text(3, { description: 'What happened, for display.', example: 'The receiver responded with status 204.' })
  readonly detail!: string;
}

@Filter()
@Named('ListWebhookDeliveriesRequest')
export class ListWebhookDeliveriesRequest {
  @WebhookId()
  readonly webhookId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(3, WEBHOOK_DELIVERY_STATE, { description: 'Filter by state. If unspecified, all states.' })
  readonly state!: ValueOf<typeof WEBHOOK_DELIVERY_STATE>;
}

const DELIVERY_ID = { min: 1, max: 200, description: 'ID of the delivery.', example: '4711' };

@Named('WebhookDeliveryEntry')
export class WebhookDeliveryEntry {
  @Text(1, DELIVERY_ID)
  readonly id!: string;

  @Choice(2, WEBHOOK_DELIVERY_STATE, {
    description:
      'Waiting to be delivered or tried again, delivered (accepted by the receiver), dead (given up), or withdrawn.',
    example: 'WEBHOOK_DELIVERY_STATE_DEAD',
  })
  readonly state!: ValueOf<typeof WEBHOOK_DELIVERY_STATE>;

  @Text(3, { description: 'The `webhook-id` of the call, by which a receiver knows the event.', example: 'evt_4711' })
  readonly eventId!: string;

  @Text(4, { description: 'The type of the event.', example: 'user.human.added' })
  readonly eventType!: string;

  @Count(5, { description: 'Number of attempts.', example: 10 })
  readonly tries!: number;

  @Text(6, { description: 'Why the last attempt failed.', example: 'The receiver responded with status 500.' })
  readonly reason!: string;

  @Moment(7, { description: 'When the event was queued for the webhook.', example: '2026-11-20T08:30:00.000Z' })
  readonly creationDate!: Date;

  @Moment(8, { description: 'When the next attempt is due; only present while the delivery waits.' })
  readonly nextTryDate?: Date | undefined;

  @Moment(9, { description: 'When it was delivered or given up.' })
  readonly settledDate?: Date | undefined;
}

@Named('ListWebhookDeliveriesResponse')
export class ListWebhookDeliveriesResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => WebhookDeliveryEntry)
  readonly result!: readonly WebhookDeliveryEntry[];
}

@Named('WebhookDeliveryById')
export class WebhookDeliveryById {
  @WebhookId()
  readonly webhookId!: string;

  @Text(2, DELIVERY_ID)
  readonly deliveryId!: string;
}

@Named('ReplayWebhookRequest')
export class ReplayWebhookRequest {
  @WebhookId()
  readonly webhookId!: string;

  @Moment(2, {
    description: 'Events from this time on, inclusive. If absent, since the webhook was added.',
    example: '2026-11-20T00:00:00Z',
  })
  readonly from?: Date | undefined;
}

@Named('ReplayWebhookResponse')
export class ReplayWebhookResponse extends DetailsResponse {
  @Count(2, {
    description:
      'How many events were queued: the oldest, at most 10,000 and those of the same moment as the last of them.',
    example: 12,
  })
  readonly events!: number;

  @Moment(3, { description: 'Where to continue, if there are more: the `from` of the next request.' })
  readonly next?: Date | undefined;
}
