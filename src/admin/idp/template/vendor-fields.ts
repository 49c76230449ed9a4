import { isScope } from '../../../idp/idp-rules.js';
import { TARGET_URL_FORM } from '../../kit/target-url-form.js';
import { Text, Texts } from '../../kit/wire/fields.js';

/* The fields that providers of vendors have in common; their numbers differ from message to message. */

export const ProviderId = (number: number, example: string): PropertyDecorator =>
  Text(number, { min: 1, max: 200, description: 'ID of the identity provider.', example });

export const VendorClientId = (number: number, example: string): PropertyDecorator =>
  Text(number, {
    min: 1,
    max: 200,
    description: 'The client ID that the vendor issued to this service.',
    example,
  });

export const VendorSecret = (number: number): PropertyDecorator =>
  Text(number, {
    min: 1,
    max: 1_000,
    writeOnly: true,
    description: 'The client secret that the vendor issued to this service. Stored encrypted, never returned.',
    example: 'the secret of this client',
  });

export const NewVendorSecret = (number: number): PropertyDecorator =>
  Text(number, {
    max: 1_000,
    writeOnly: true,
    description: 'A new client secret. If empty, the current secret is kept.',
    example: '',
  });

export const FurtherScopes = (number: number): PropertyDecorator =>
  Texts(number, {
    min: 1,
    max: 200,
    maxItems: 50,
    form: { fits: isScope, says: 'must be a scope without spaces and quotes' },
    description: 'The scopes requested from the vendor. Those that the sign-in needs are added if they are missing.',
    example: ['openid', 'profile', 'email'],
  });

export const Endpoint = (number: number, description: string, example: string): PropertyDecorator =>
  Text(number, { min: 1, max: 500, form: TARGET_URL_FORM, description, example });

export const AuthorizationEndpoint = (number: number, example: string): PropertyDecorator =>
  Endpoint(number, 'Where browsers are sent (RFC 6749 §3.1).', example);

export const TokenEndpoint = (number: number, example: string): PropertyDecorator =>
  Endpoint(number, 'Where the code is redeemed (RFC 6749 §3.2).', example);
