import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';

export type SigningAlgorithm = 'RS256' | 'ES256' | 'EdDSA';

/** The longest lifetime of access tokens, 90 days: ended ones must be remembered for as long. */
export const MAX_ACCESS_TOKEN_SECONDS = 7_776_000;

/** The one row that describes this installation: what applies to every organization by default. */
@Entity('instance')
export class Instance extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  defaultOrgId!: string;

  /** The project whose id is the audience of the administrative API. */
  @Column({ type: 'text' })
  systemProjectId!: string;

  /** The project of the applications that describe themselves, once there is one. */
  @Column({ type: 'text', nullable: true })
  registeredProjectId!: string | null;

  @Column({ type: 'text' })
  defaultLanguage!: string;

  @Column({ type: 'text', default: 'RS256' })
  signingAlgorithm!: SigningAlgorithm;

  @Column({ type: 'integer', default: 2_592_000 })
  keyRotationSeconds!: number;

  @Column({ type: 'integer', default: 43_200 })
  accessTokenSeconds!: number;

  @Column({ type: 'integer', default: 43_200 })
  idTokenSeconds!: number;

  @Column({ type: 'integer', default: 2_592_000 })
  refreshIdleSeconds!: number;

  @Column({ type: 'integer', default: 7_776_000 })
  refreshAbsoluteSeconds!: number;

  /** Whether users with a role for it may act for others by exchanging tokens (RFC 8693). */
  @Column({ type: 'boolean', default: false })
  enableImpersonation!: boolean;

  /** A known text, sealed: opens only with the right master key, so a wrong one is detected at the start. */
  @Column({ type: 'text' })
  masterKeyCheck!: string;
}
