import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A browser, known by a cookie that contains nothing but a random value; the value changes at each sign-in. */
@Entity('browser')
@Index('browser_key_hash_key', ['keyHash'], { unique: true })
@Index(['seenAt'])
@Index('browser_never_signed_in_idx', ['seenAt'], { where: 'previous_key_hash IS NULL' })
export class Browser {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** SHA-256 of the cookie's value. */
  @Column({ type: 'bytea' })
  keyHash!: Buffer;

  /** That of the value replaced by the last sign-in: a form sent twice arrives with it. */
  @Column({ type: 'bytea', nullable: true })
  previousKeyHash!: Buffer | null;

  /** When the browser first appeared or its cookie changed; until the first sign-in, when it last came to sign in. */
  @Column({ type: 'timestamptz' })
  seenAt!: Date;
}
