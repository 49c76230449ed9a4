import { IDP_STYLING_TYPE, OIDC_MAPPING_FIELD } from '../../idp/idp.enums.js';
import { isHeaderName, isScope } from '../../idp/idp-rules.js';
import { TARGET_URL_FORM } from '../kit/target-url-form.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Flag, Struct, Text, Texts } from '../kit/wire/fields.js';

/* The fields of a provider, each said once; their numbers differ from message to message. */

const SHORT = { min: 1, max: 200 } as const;

export const IdpId = (number: number, said: { readonly protoName?: string } = {}): PropertyDecorator =>
  Text(number, { ...SHORT, ...said, description: 'ID of the identity provider.', example: EXAMPLE.idp });

export const AddedIdpId = (example: string): PropertyDecorator =>
  Text(2, { description: 'ID of the new identity provider.', example });

export const Name = (number: number, example: string): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    description: 'Name shown on the login page. Unique among the identity providers of the same owner.',
    example,
  });

export const Styling = (number: number): PropertyDecorator =>
  Choice(number, IDP_STYLING_TYPE, {
    description: 'Style of its button on the login page.',
    example: 'STYLING_TYPE_UNSPECIFIED',
  });

export const AutoRegister = (number: number): PropertyDecorator =>
  Flag(number, {
    description: 'Whether an account is created for users who sign in for the first time.',
    example: true,
  });

export const ClientId = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    description: 'The client ID that the provider issued to this service.',
    example: 'gatehouse',
  });

export const NewClientSecret = (number: number): PropertyDecorator =>
  Text(number, {
    max: 200,
    writeOnly: true,
    description: 'A new client secret. If empty, the current secret is kept.',
    example: '',
  });

export const OidcIssuer = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    form: TARGET_URL_FORM,
    example: 'https://accounts.example.com',
    description: 'The issuer of the provider, exactly as its discovery document names it: https, without a query.',
  });

export const Scopes = (number: number): PropertyDecorator =>
  Texts(number, {
    ...SHORT,
    maxItems: 100,
    form: { fits: isScope, says: 'must be a scope without spaces and quotes' },
    example: ['openid', 'profile', 'email'],
    description: 'The scopes requested from the provider. `openid` is added if it is missing.',
  });

export const IdTokenMapping = (number: number): PropertyDecorator =>
  Flag(number, {
    description:
      'Whether the ID token alone says who users are. Otherwise the UserInfo endpoint is asked for what is missing there.',
    example: false,
  });

export const OidcPkce = (number: number): PropertyDecorator =>
  Flag(number, {
    description: 'Stored and shown; PKCE (RFC 7636) is used in any case, since servers ignore what they do not know.',
    example: true,
  });

export const DisplayNameMapping = (number: number): PropertyDecorator =>
  Choice(number, OIDC_MAPPING_FIELD, {
    description: 'The claim of the provider used as the display name.',
    example: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
  });

export const UsernameMapping = (number: number): PropertyDecorator =>
  Choice(number, OIDC_MAPPING_FIELD, {
    description: 'The claim of the provider used as the user name of a new account.',
    example: 'OIDC_MAPPING_FIELD_EMAIL',
  });

export const JwtEndpoint = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    form: TARGET_URL_FORM,
    description: 'The URL to which browsers are redirected to obtain a JWT.',
    example: 'https://proxy.example.com/sign-in',
  });

export const JwtIssuer = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    description: 'The required `iss` of the JWT: any text, compared exactly.',
    example: 'https://proxy.example.com',
  });

export const KeysEndpoint = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    form: TARGET_URL_FORM,
    description: 'The URL of the JWK Set that contains the keys that sign the JWT.',
    example: 'https://proxy.example.com/keys',
  });

export const HeaderName = (number: number, { optional }: { readonly optional: boolean }): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    optional,
    form: {
      fits: isHeaderName,
      says: 'must be the name of a header that is not used otherwise, such as authorization or x-jwt',
    },
    example: 'authorization',
    description: `The header that carries the JWT, with or without \`Bearer\`.${optional ? ' Defaults to `authorization`.' : ''}`,
  });

export const ExtensionKind = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    description: 'The kind of provider, as an extension of this service names it: `ext:` and the ID of the extension.',
    example: 'ext:github',
  });

export const OptionalClientId = (number: number): PropertyDecorator =>
  Text(number, {
    max: 200,
    description: 'The client ID that the provider issued to this service, if it has issued one.',
    example: 'gatehouse',
  });

export const KindSettings = (number: number, description: string): PropertyDecorator =>
  Struct(number, { description, example: { base: 'https://github.example.com' } });

export const CallbackUrl = (): PropertyDecorator =>
  Text(100, {
    description:
      'The URL to which the provider redirects browsers: register it there. For a JWT provider, the URL to which its proxy forwards the request with the JWT. Each provider of an extension has one of its own.',
    example: 'https://id.example.com/ui/login/login/externalidp/callback',
  });
