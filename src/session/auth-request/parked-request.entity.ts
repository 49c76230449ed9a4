import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A sealed request that waits for its browser to come back from somewhere else: by the link of a mail, from an identity
 * provider, or from the page that opens a native application.
 */
@Entity('parked_request')
@Index(['expiresAt'])
export class ParkedRequest {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  sealed!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
