import { Injectable } from '@nestjs/common';
import { IssuerConfig } from '../foundation/config/config.js';
import { Secret } from '../foundation/config/secret.js';
import { type SealedPlace, Vault } from '../foundation/crypto/vault.js';
import { IdpSecrets } from '../idp/idp-secrets.js';
import { TotpService } from '../user/factor/totp.service.js';
import type { Seals } from './part/part.js';

/** Secrets that travel: sealed here with this service's master key, and in clear within a document. */
@Injectable()
export class MigrationSeals implements Seals {
  constructor(
    private readonly vault: Vault,
    private readonly totp: TotpService,
    private readonly idpSecrets: IdpSecrets,
    private readonly issuer: IssuerConfig,
  ) {}

  get isProduction(): boolean {
    return this.issuer.production;
  }

  sealTotp(userId: string, orgId: string, seed: string): string {
    return this.totp.sealSeed({ userId, orgId }, new Secret(seed));
  }

  openTotp(userId: string, orgId: string, sealed: string): string {
    return this.totp.openSeed({ userId, orgId }, sealed).reveal();
  }

  sealIdpSecret(idpId: string, orgId: string, secret: string): string {
    return this.vault.seal(secret, placeOfIdpSecret(idpId, orgId));
  }

  openIdpSecret(idpId: string, orgId: string, sealed: string): string {
    return sealed === '' ? '' : this.vault.open(sealed, placeOfIdpSecret(idpId, orgId));
  }

  sealIdpSettings(idpId: string, orgId: string, secret: Readonly<Record<string, string>>): string {
    const text = Object.keys(secret).length === 0 ? '' : JSON.stringify(secret);
    return this.vault.seal(text, { ...placeOfIdpSecret(idpId, orgId), column: 'secret_settings' });
  }

  openIdpSettings(idpId: string, orgId: string, sealed: string): Readonly<Record<string, string>> {
    return this.idpSecrets.openSettings({ id: idpId, ownerId: orgId, secretSettings: sealed });
  }

  sealAt(place: SealedPlace, secret: string): string {
    return this.vault.seal(secret, place);
  }

  openAt(place: SealedPlace, sealed: string): string {
    return this.vault.open(sealed, place);
  }

  /** A secret that the document omits counts as unchanged. */
  isEqual(mine: string, theirs: string, place: SealedPlace): boolean {
    if (mine === '') return theirs === '';
    const opened = this.vault.open(mine, place);
    return opened === '' || (theirs !== '' && opened === this.vault.open(theirs, place));
  }
}

function placeOfIdpSecret(row: string, owner: string): SealedPlace {
  return { table: 'idp', column: 'client_secret', row, owner };
}
