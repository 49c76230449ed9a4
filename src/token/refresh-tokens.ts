import { Injectable } from '@nestjs/common';
import { TokenConfig } from '../foundation/config/config.js';
import { TokenSeal } from '../foundation/crypto/token-seal.js';
import { Clock } from '../foundation/time/clock.js';
import { secondsAfter } from '../foundation/time/duration.js';
import { InstanceService } from '../org/instance/instance.service.js';
import type { Client } from '../project/client/client.js';
import type { ExtGrantName } from '../project/client/ext-grant.js';
import { ExtGrants } from '../project/client/ext-grants.js';
import { ALL_PROJECTS } from './claims/subject.js';
import { Urn } from './claims/urn.js';
import { openRefreshToken, type RefreshToken, sealRefreshToken } from './refresh-token.js';
import { type EndedFamily, TokenEnds } from './token-ends.js';
import { type FamilyRow, type LivingFamily, type ReadInput, TokenFamilyRepository } from './token-family.repository.js';

/** Why a refresh token was refused; the caller gets `invalid_grant` (or `invalid_scope`), the log gets this. */
export type RefreshRefusal =
  | 'unknown'
  | 'of-another-client'
  | 'of-another-key'
  | 'revoked'
  | 'expired'
  | 'scope-exceeds-grant'
  | 'resource-exceeds-grant'
  | 'user-not-active'
  | 'grant-withdrawn'
  | 'reused';

export type SpendResult =
  | { readonly family: LivingFamily; readonly refreshToken: string }
  | { readonly refusal: RefreshRefusal; readonly ended?: EndedFamily };

/** The part of its grant that a refresh asks for, and the key that it proves. */
export interface RefreshRequest {
  /** Undefined requests all scopes of the grant. */
  readonly scopes: readonly string[] | undefined;
  /** An empty list requests all resources of the grant (RFC 8707 §2.2). */
  readonly resources: readonly string[];
  readonly thumbprint: string | undefined;
}

@Injectable()
export class RefreshTokens {
  constructor(
    private readonly families: TokenFamilyRepository,
    private readonly ends: TokenEnds,
    private readonly extGrants: ExtGrants,
    private readonly tokenSeal: TokenSeal,
    private readonly instances: InstanceService,
    private readonly config: TokenConfig,
    private readonly urn: Urn,
    private readonly clock: Clock,
  ) {}

  /** The first token of a family. `beganBy`: the grant of an extension with which it begins. */
  first(familyId: string, beganBy?: ExtGrantName): string {
    return sealRefreshToken(this.tokenSeal, { familyId, generation: 1, beganBy });
  }

  open(text: string): RefreshToken | undefined {
    return openRefreshToken(this.tokenSeal, text);
  }

  async find(familyId: string): Promise<FamilyRow | undefined> {
    return this.families.find(familyId);
  }

  /** Ends the family with all its tokens, at the request of its client (RFC 7009 §2.1). */
  async revokeFamily(familyId: string, clientId: string): Promise<EndedFamily> {
    return this.ends.endFamily(familyId, 'revoked', clientId);
  }

  /**
   * RFC 6749 §6 with the rotation and reuse detection of RFC 9700 §4.14.2. A token that was used already ends its whole
   * family, except within the grace period, when it returns the same successor again: the answer may have been lost.
   * An application that is held to FAPI 2.0 keeps its token instead (FAPI 2.0 §5.3.2.1 item 9).
   */
  async spend(text: string, { scopes, resources, thumbprint }: RefreshRequest, client: Client): Promise<SpendResult> {
    const token = this.open(text);
    if (!token) return { refusal: 'unknown' };
    const { familyId, generation, beganBy } = token;
    // Checked before the token is spent, so that it works again once the application has the grant again.
    if (beganBy !== undefined && !this.isStillAllowed(beganBy, client)) return { refusal: 'grant-withdrawn' };
    const input: ReadInput = {
      familyId,
      generation,
      clientId: client.id,
      now: this.clock.now(),
      scopes: scopes ?? [],
      resources,
      thumbprint: thumbprint ?? null,
      projectIds: client.assertsRoles ? ALL_PROJECTS : null,
      metadataScope: this.urn.metadata,
    };
    const idleSeconds = (await this.instances.get()).refreshIdleSeconds;
    const family = await this.families.spend({ ...input, idleSeconds, rotates: client.rotatesRefreshTokens });
    return family ? this.toResult(family, token) : this.explain(token, input);
  }

  /**
   * What an extension has decided lasts as long as its decisions are wanted (TOK-071). The token names the grant, so
   * that no other refresh pays for it.
   */
  private isStillAllowed(grant: ExtGrantName, client: Client): boolean {
    return this.extGrants.has(grant) && client.mayUse(grant);
  }

  private async explain(token: RefreshToken, input: ReadInput): Promise<SpendResult> {
    const row = await this.families.find(token.familyId);
    if (!row) return { refusal: 'unknown' };
    if (row.clientId !== input.clientId) return { refusal: 'of-another-client' };
    // The token is neither spent nor its family ended: without the key, a thief must not be able to (RFC 9449 §5).
    if (row.dpopJkt !== null && row.dpopJkt !== input.thumbprint) return { refusal: 'of-another-key' };
    if (row.revokedAt) return { refusal: 'revoked' };
    if (row.expiresAt <= input.now || row.idleExpiresAt <= input.now) return { refusal: 'expired' };
    const isWithin = input.scopes.every((scope) => row.scopes.includes(scope));
    const isMeant = input.resources.every((uri) => row.resources.includes(uri));
    const excess = !isWithin ? 'scope-exceeds-grant' : !isMeant ? 'resource-exceeds-grant' : undefined;
    if (token.generation === row.generation) return { refusal: excess ?? 'user-not-active' };
    if (this.isForgiven(token, row, input.now)) {
      if (excess) return { refusal: excess };
      const family = await this.families.readLiving({ ...input, generation: row.generation });
      return family ? this.toResult(family, token) : { refusal: 'user-not-active' };
    }
    return { refusal: 'reused', ended: await this.ends.endFamily(token.familyId, 'refresh_token_reused') };
  }

  private isForgiven(token: RefreshToken, row: FamilyRow, now: Date): boolean {
    const graceEndsAt = secondsAfter(row.spentAt, this.config.refreshGraceSeconds);
    return token.generation === row.generation - 1 && now < graceEndsAt;
  }

  private toResult(family: LivingFamily, { beganBy }: RefreshToken): SpendResult {
    const { familyId, generation } = family;
    return { family, refreshToken: sealRefreshToken(this.tokenSeal, { familyId, generation, beganBy }) };
  }
}
