import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../../foundation/database/recorded.js';
import { Project } from '../../project.entity.js';

/** An initial access token (RFC 7591 §3), with which applications register themselves in a project. */
@Entity('registration_token')
@Index('registration_token_hash_key', ['tokenHash'], { unique: true })
@Index(['projectId'])
@Index(['expiresAt'])
export class RegistrationToken extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Project, { onDelete: 'CASCADE' })
  projectId!: string;

  /** SHA-256. */
  @Column({ type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'integer' })
  usesLeft!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** The hosts that redirect URIs may name; none for any. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  redirectHosts!: string[];

  /** Whether the applications may be registered for the grant type device code. */
  @Column({ type: 'boolean', default: false })
  deviceCode!: boolean;
}
