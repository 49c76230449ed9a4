import { Injectable } from '@nestjs/common';
import { TotpService } from '../factor/totp.service.js';
import { IssuerConfig } from '../foundation/config/config.js';
import { Secret } from '../foundation/crypto/secret.js';
import { type SealedPlace, Vault } from '../foundation/crypto/vault.js';
import type { Seals } from './part/part.js';

/** Secrets that travel: sealed here with this service's master key, and in clear within a document. */
@Injectable()
export class MigrationSeals implements Seals {
  constructor(
    private readonly vault: Vault,
    private readonly totp: TotpService,
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

  /** A secret that the document omits counts as unchanged. */
  isEqual(mine: string, theirs: string, place: SealedPlace): boolean {
    if (mine === '' || theirs === '') return mine === theirs;
    const opened = this.vault.open(mine, place);
    return opened === '' || opened === this.vault.open(theirs, place);
  }
}

function placeOfIdpSecret(row: string, owner: string): SealedPlace {
  return { table: 'idp', column: 'client_secret', row, owner };
}
