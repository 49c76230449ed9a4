import type { Secret } from '../foundation/config/secret.js';
import type { EventMark } from '../foundation/event/journal.js';
import type { JsonObject } from '../foundation/outbound/outbound-client.js';
import type { Idp, IdpType } from './idp.entity.js';
import type { JwtSettings, OidcOptions, OidcSettings } from './idp-rules.js';
import type { ProviderOptions } from './provider-options.js';

export type CommonSettings = Pick<Idp, 'name' | 'stylingType' | 'autoRegister'> & {
  /** If absent, as they are; of a new provider, those with which users may link accounts alone. */
  readonly options?: ProviderOptions | undefined;
};
/** An import brings ids; otherwise they are generated. */
export type NewOidcIdp = CommonSettings &
  OidcSettings & { readonly id?: string; readonly clientSecret: Secret; readonly settings?: OidcOptions };
export type NewJwtIdp = CommonSettings &
  Omit<JwtSettings, 'headerName'> & { readonly id?: string; readonly headerName?: string | undefined };

/** The configuration of a provider of an extension's kind. */
export type ExtKindConfig = Pick<Idp, 'clientId' | 'displayNameMapping' | 'usernameMapping'> & {
  /** The settings as they were sent, secrets included. */
  readonly settings: JsonObject;
};
export type NewExtIdp = CommonSettings &
  ExtKindConfig & { readonly kind: string; readonly id?: string; readonly clientSecret: Secret | undefined };

export interface AddedIdp {
  readonly id: string;
  readonly type: IdpType;
  readonly mark: EventMark;
}
