import { Injectable } from '@nestjs/common';
import { SignIns } from 'gatehouse';

export const BASE_PATH = 'saml/v2';

/** Under which names and addresses applications know us. */
@Injectable()
export class OurEntity {
  constructor(private readonly signIns: SignIns) {}

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

  /** For people who look at a certificate. */
  get hostName(): string {
    return new URL(this.signIns.issuer).hostname;
  }

  private at(word: string): string {
    return `${this.signIns.issuer}/${BASE_PATH}/${word}`;
  }
}
