import { Injectable } from '@nestjs/common';

export const BASE_PATH = 'saml/v2';

/** Under which names and addresses applications know us. */
@Injectable()
export class OurEntity {
  private issuer = '';

  /** Said once all is put together: SignIns needs the parts of PROTOCOL, so that none of them can be given it. */
  standAt(issuer: string): void {
    this.issuer = issuer;
  }

  /** The address of the metadata (SAML Metadata §4.1). */
  get entityId(): string {
    return this.at('metadata');
  }

  get signOnUrl(): string {
    return this.at('SSO');
  }

  get logoutUrl(): string {
    return this.at('SLO');
  }

  /**
   * Who we are where users of a provider sign in: an entity for each, so that no provider can answer in place of
   * another one.
   */
  serviceProviderOf(providerId: string): string {
    return this.at(`sp/${providerId}/metadata`);
  }

  /** Where assertions of a provider go: what Gatehouse calls its callback. */
  consumerOf(providerId: string): string {
    return `${this.issuer}/ui/login/login/externalidp/callback/${providerId}`;
  }

  /** For people who look at a certificate. */
  get hostName(): string {
    return new URL(this.issuer).hostname;
  }

  private at(word: string): string {
    return `${this.issuer}/${BASE_PATH}/${word}`;
  }
}
