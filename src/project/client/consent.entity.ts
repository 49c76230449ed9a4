import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../user/user.entity.js';
import { ClientRow } from './client.entity.js';

/** What a person has allowed an application, on a page that said so. Not exported: people are asked anew. */
@Entity('consent')
@Index('consent_client_idx', ['clientRowId'])
export class Consent {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => ClientRow, { onDelete: 'CASCADE' })
  clientRowId!: string;

  /** The scopes, and the URIs of protected resources (RFC 8707). */
  @Column({ type: 'text', array: true })
  granted!: string[];

  /** The application may use the administrative API in the person's name. */
  @Column({ type: 'boolean' })
  administration!: boolean;

  @Column({ type: 'timestamptz' })
  givenAt!: Date;
}
