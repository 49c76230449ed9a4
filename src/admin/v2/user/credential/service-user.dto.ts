import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Moment, Named, Text } from '../../../kit/wire/fields.js';
import { CREATED, REMOVED } from '../../kit/dates.js';

export const SERVICE_ID = {
  min: 1,
  max: 200,
  description: 'ID of the service user.',
  example: EXAMPLE.service,
} as const;
export const EXPIRY = { description: 'If absent, it does not expire.', example: '2099-12-31T23:59:59Z' } as const;
export const EXPIRES = {
  description: 'When it expires; 9999-12-31T23:59:59Z means never.',
  example: '2099-12-31T23:59:59.000Z',
} as const;

/** A request that names a service user and nothing else. */
@Named('ServiceUserIdRequestV2')
export class ServiceUserIdRequestV2 {
  @Text(1, SERVICE_ID)
  readonly userId!: string;
}

@Named('AddSecretResponseV2')
export class AddSecretResponseV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;

  @Text(2, { description: 'Returned only once; only a digest is stored.', example: 'Qk2…64 characters' })
  readonly clientSecret!: string;
}

@Named('RemoveSecretResponseV2')
export class RemoveSecretResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}
