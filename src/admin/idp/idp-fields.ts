import { isHeaderName, isScope } from '../../idp/idp-rules.js';
import { targetUrlProblem } from '../../outbound/target-url.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { Choice, Flag, Text, Texts } from '../wire/fields.js';
import { IDP_STYLING_TYPE, OIDC_MAPPING_FIELD } from './idp.enums.js';

/* The fields of a provider, each said once; their numbers differ from message to message. */

const SHORT = { min: 1, max: 200 } as const;

// Whether http is for this machine alone, or not at all, is known to the domain.
const URL_FORM = {
  fits: (text: string): boolean => targetUrlProblem(text, { production: false }) === undefined,
  says: 'must be a URL of the form https://host/path',
};

export const IdpId = (number: number, said: { readonly protoName?: string } = {}): PropertyDecorator =>
  Text(number, { ...SHORT, ...said, description: 'The identity provider.', example: EXAMPLE.idp });

export const AddedIdpId = (example: string): PropertyDecorator =>
  Text(2, { description: 'The new identity provider.', example });

export const Name = (number: number, example: string): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    description: 'What it is called on the login page. Unique among the providers of the same owner.',
    example,
  });

export const Styling = (number: number): PropertyDecorator =>
  Choice(number, IDP_STYLING_TYPE, { description: 'How its button looks.', example: 'STYLING_TYPE_UNSPECIFIED' });

export const AutoRegister = (number: number): PropertyDecorator =>
  Flag(number, { description: 'Whether somebody whom nobody here knows yet gets an account.', example: true });

export const ClientId = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    description: 'The client id that the provider issued to this service.',
    example: 'gatehouse',
  });

export const NewClientSecret = (number: number): PropertyDecorator =>
  Text(number, { max: 200, writeOnly: true, description: 'A new secret; empty: the old one stays.', example: '' });

export const OidcIssuer = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    form: URL_FORM,
    example: 'https://accounts.example.com',
    description: 'The issuer of the provider, exactly as its discovery document names it: https, without a query.',
  });

export const Scopes = (number: number): PropertyDecorator =>
  Texts(number, {
    ...SHORT,
    maxItems: 100,
    form: { fits: isScope, says: 'must be a scope without spaces and quotes' },
    example: ['openid', 'profile', 'email'],
    description: 'What is asked for at the provider. `openid` is added when it is missing.',
  });

export const DisplayNameMapping = (number: number): PropertyDecorator =>
  Choice(number, OIDC_MAPPING_FIELD, {
    description: 'Which claim of the provider names the person on pages.',
    example: 'OIDC_MAPPING_FIELD_PREFERRED_USERNAME',
  });

export const UsernameMapping = (number: number): PropertyDecorator =>
  Choice(number, OIDC_MAPPING_FIELD, {
    description: 'Which claim of the provider becomes the user name of a new account.',
    example: 'OIDC_MAPPING_FIELD_EMAIL',
  });

export const JwtEndpoint = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    form: URL_FORM,
    description: 'Where browsers are sent for a JWT.',
    example: 'https://proxy.example.com/sign-in',
  });

export const JwtIssuer = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    description: 'The `iss` that the JWT must carry: any text, compared exactly.',
    example: 'https://proxy.example.com',
  });

export const KeysEndpoint = (number: number): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    form: URL_FORM,
    description: 'Where the keys are that the JWT is signed with (a JWK Set).',
    example: 'https://proxy.example.com/keys',
  });

export const HeaderName = (number: number, { optional }: { readonly optional: boolean }): PropertyDecorator =>
  Text(number, {
    ...SHORT,
    optional,
    form: {
      fits: isHeaderName,
      says: 'must be the name of a header that nothing else uses, such as authorization or x-jwt',
    },
    example: 'authorization',
    description: `The header that carries the JWT, with or without \`Bearer\`.${optional ? ' Without it: `authorization`.' : ''}`,
  });

export const CallbackUrl = (): PropertyDecorator =>
  Text(100, {
    description:
      'Where the provider sends browsers back to: enter it there. For a JWT provider, where its proxy forwards the request with the JWT.',
    example: 'https://id.example.com/ui/login/login/externalidp/callback',
  });
