import { Flag, Text, Texts } from 'gatehouse/admin';
import { SCOPE } from '../openid/asked-scopes.js';
import { ENDPOINT } from '../settings-forms.js';
import { MEMBER } from './member-path.js';

const Endpoint = (number: number, description: string, example: string): PropertyDecorator =>
  Text(number, { min: 1, max: 500, form: ENDPOINT, description, example });

const Member = (number: number, what: string, example: string): PropertyDecorator =>
  Text(number, {
    max: 200,
    form: MEMBER,
    description: `The member of the answer of the user endpoint with ${what}: its name, or a JSON Pointer (RFC 6901). Empty for none.`,
    example,
  });

/** Of each provider, as an administrator enters them. */
export class OauthSettings {
  @Endpoint(1, 'Where browsers are sent (RFC 6749 §3.1).', 'https://sso.acme.example/oauth/authorize')
  readonly authorizationEndpoint!: string;

  @Endpoint(2, 'Where the code is redeemed (RFC 6749 §3.2).', 'https://sso.acme.example/oauth/token')
  readonly tokenEndpoint!: string;

  @Endpoint(3, 'What says who the user is, in JSON, for the access token.', 'https://sso.acme.example/api/me')
  readonly userEndpoint!: string;

  @Texts(4, {
    maxItems: 50,
    max: 200,
    form: SCOPE,
    description: 'The scopes that are asked for.',
    example: ['profile'],
  })
  readonly scopes!: readonly string[];

  @Text(5, {
    min: 1,
    max: 200,
    form: MEMBER,
    description:
      'The member of the answer of the user endpoint that identifies the user for ever, a text or an integer: its name, or a JSON Pointer (RFC 6901). Never a name or an address, which may be given to somebody else.',
    example: 'id',
  })
  readonly idAttribute!: string;

  @Member(6, 'the name with which users sign in', 'login')
  readonly userNameAttribute!: string;

  @Member(7, 'the address', 'email')
  readonly emailAttribute!: string;

  @Member(8, 'whether the address is verified, `true` or not', 'email_verified')
  readonly emailVerifiedAttribute!: string;

  @Flag(9, {
    description:
      'Whether you trust the provider with addresses: what `emailVerifiedAttribute` says counts only then. Otherwise users prove their address to Gatehouse.',
    example: false,
  })
  readonly trustsEmailVerified!: boolean;

  @Member(10, 'the given name', '/name/given')
  readonly givenNameAttribute!: string;

  @Member(11, 'the family name', '/name/family')
  readonly familyNameAttribute!: string;

  @Member(12, 'the whole name', 'display_name')
  readonly nameAttribute!: string;

  @Member(13, 'the language', 'locale')
  readonly localeAttribute!: string;

  @Text(14, {
    max: 500,
    description: 'The issuer that the answers of the provider name (`iss`, RFC 9207). Empty if they name none.',
    example: '',
  })
  readonly issuer!: string;

  @Flag(15, {
    description:
      'Sends the client secret in the form instead of a header (RFC 6749 §2.3.1), for servers that want it so.',
    example: false,
  })
  readonly sendsSecretInForm!: boolean;

  @Flag(16, {
    description: 'Leaves out PKCE (RFC 7636), for servers that refuse parameters which they do not know.',
    example: false,
  })
  readonly isWithoutPkce!: boolean;
}
