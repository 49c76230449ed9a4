import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type DeviceState = 'pending' | 'approved' | 'denied';

/** What a device asks for, until it has its tokens (RFC 8628). Neither of its codes is stored. */
@Entity('device_authorization')
@Index('device_authorization_user_code_hash_key', ['userCodeHash'], { unique: true })
@Index('device_authorization_network_idx', ['clientId', 'network', 'expiresAt'], { where: "state = 'pending'" })
@Index(['expiresAt'])
export class DeviceAuthorization {
  /** The id of the request, and of the token family that it starts; the device code contains it, sealed. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** A MAC of the code that the user types. */
  @Column({ type: 'bytea' })
  userCodeHash!: Buffer;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  /** The protected resources that were granted (RFC 8707); none if none was named. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  resources!: string[];

  /** The organization that a scope requires. */
  @Column({ type: 'text', nullable: true })
  requiredOrgId!: string | null;

  /** The address from which the device asked, as its user is told. */
  @Column({ type: 'text' })
  network!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'text', default: 'pending' })
  state!: DeviceState;

  /** The user who has decided, and how they had signed in. */
  @Column({ type: 'text', nullable: true })
  userId!: string | null;

  @Column({ type: 'text', nullable: true })
  sessionId!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  authTime!: Date | null;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  amr!: string[];

  /** The user's token epoch when they decided. */
  @Column({ type: 'integer', default: 0 })
  tokenEpoch!: number;

  @Column({ type: 'timestamptz', nullable: true })
  redeemedAt!: Date | null;
}
