import { DetailsResponse, ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Count, Flag, Moment, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { APP_ID, PROJECT_ID } from './app.dto.js';

const TOKEN_ID = {
  min: 1,
  max: 200,
  description: 'ID of the initial access token.',
  example: EXAMPLE.registrationToken,
} as const;
const EXPIRATION = { description: 'At most 30 days from now; if absent, in 30 days.' };
const REDIRECT_HOSTS = {
  max: 200,
  maxItems: 50,
  description:
    'The hosts that the redirect URIs of the applications may name. If empty: any. Private schemes are then allowed as well.',
  example: ['assistant.example.com'],
};
const DEVICE_CODE = { description: 'Whether the applications may use the grant type device code.' };

@Named('AddRegistrationTokenRequest')
export class AddRegistrationTokenRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Moment(2, EXPIRATION)
  readonly expirationDate?: Date | undefined;

  @Count(3, { max: 10_000, description: 'How many applications it can register. 0 stands for 1.', example: 1 })
  readonly uses!: number;

  @Texts(4, REDIRECT_HOSTS)
  readonly redirectHosts!: string[];

  @Flag(5, DEVICE_CODE)
  readonly deviceCode!: boolean;
}

@Named('AddRegistrationTokenResponse')
export class AddRegistrationTokenResponse extends DetailsResponse {
  @Text(2, { description: 'ID of the initial access token.', example: EXAMPLE.registrationToken })
  readonly id!: string;

  @Text(3, {
    description: 'The token, which is returned only here: applications send it as a bearer token when they register.',
  })
  readonly token!: string;

  @Moment(4, { description: 'From this time on, it registers nothing.' })
  readonly expirationDate?: Date | undefined;
}

@Named('ListRegistrationTokensRequest')
export class ListRegistrationTokensRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;
}

@Named('RegistrationTokenEntry')
export class RegistrationTokenEntry {
  @Text(1, { description: 'ID of the initial access token.', example: EXAMPLE.registrationToken })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Moment(3, { description: 'From this time on, it registers nothing.' })
  readonly expirationDate?: Date | undefined;

  @Count(4, { description: 'How many more applications it registers.', example: 1 })
  readonly usesLeft!: number;

  @Texts(5, REDIRECT_HOSTS)
  readonly redirectHosts!: readonly string[];

  @Flag(6, DEVICE_CODE)
  readonly deviceCode!: boolean;
}

@Named('ListRegistrationTokensResponse')
export class ListRegistrationTokensResponse {
  @Parts(1, () => RegistrationTokenEntry)
  readonly result!: readonly RegistrationTokenEntry[];
}

@Named('RegistrationTokenReference')
export class RegistrationTokenReference {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, TOKEN_ID)
  readonly tokenId!: string;
}

@Named('RemoveRegisteredAppsRequest')
export class RemoveRegisteredAppsRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Count(2, {
    max: 3_650,
    description: 'Only those without use for so many days. If 0: all that describe themselves.',
    example: 30,
  })
  readonly unusedDays!: number;
}

@Named('RemoveRegisteredAppsResponse')
export class RemoveRegisteredAppsResponse {
  @Count(1, { description: 'How many were removed.', example: 0 })
  readonly removed!: number;

  @Flag(2, { description: 'Whether there may be more: repeat the request.' })
  readonly mayBeMore!: boolean;
}

@Named('RegenerateAppRegistrationRequest')
export class RegenerateAppRegistrationRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, APP_ID)
  readonly appId!: string;
}

@Named('RegenerateAppRegistrationResponse')
export class RegenerateAppRegistrationResponse extends DetailsResponse {
  @Text(2, { description: 'The token with which the application reads, changes and removes its registration.' })
  readonly registrationAccessToken!: string;

  @Text(3, {
    description: 'The address at which the application manages its registration.',
    example: 'https://id.example.com/oauth/v2/register/312909075212468249',
  })
  readonly registrationClientUri!: string;
}
