import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A browser, known by a cookie that holds nothing but a random value; the value changes at each sign-in. */
@Entity('browser')
@Index('browser_key_hash_key', ['keyHash'], { unique: true })
@Index(['seenAt'])
export class Browser {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** SHA-256 of the cookie's value. */
  @Column({ type: 'bytea' })
  keyHash!: Buffer;

  @Column({ type: 'timestamptz' })
  seenAt!: Date;
}
