import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Idp } from './idp.entity.js';

/** How the last test of a provider's configuration went. For people: no rule depends on it. */
@Entity('idp_test')
export class IdpTest {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Idp, { onDelete: 'CASCADE' })
  idpId!: string;

  @Column({ type: 'timestamptz' })
  at!: Date;

  /** Whether all checks succeeded. */
  @Column({ type: 'boolean' })
  isGood!: boolean;
}
