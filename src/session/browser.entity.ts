import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A browser, known by a cookie that holds nothing but a random value; the value changes at each sign-in. */
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

  /** That of the value which the last sign-in replaced: a form sent twice comes with it once more. */
  @Column({ type: 'bytea', nullable: true })
  previousKeyHash!: Buffer | null;

  /** When the browser came first, or its cookie changed; until somebody signs in, when it came last to do so. */
  @Column({ type: 'timestamptz' })
  seenAt!: Date;
}
