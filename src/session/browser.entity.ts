import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A browser in which somebody has signed in, known by a cookie that contains nothing but a random value; the value
 * changes at each sign-in.
 */
@Entity('browser')
@Index('browser_key_hash_key', ['keyHash'], { unique: true })
@Index(['seenAt'])
export class Browser {
  /** Derived from the first cookie value (`browserIdOf`), or random for a guest whose browser had none. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** SHA-256 of the cookie's value. */
  @Column({ type: 'bytea' })
  keyHash!: Buffer;

  /** SHA-256 of the value that the last sign-in has replaced: a form sent twice arrives with it. */
  @Column({ type: 'bytea', nullable: true })
  previousKeyHash!: Buffer | null;

  /** When the value of the cookie last changed. */
  @Column({ type: 'timestamptz' })
  seenAt!: Date;

  /** The browser at the last sign-in, in words of our own (`deviceOf`); empty if unknown. */
  @Column({ type: 'text', default: '' })
  agent!: string;

  @Column({ type: 'text', default: '' })
  system!: string;

  /** A network, never an address. */
  @Column({ type: 'text', default: '' })
  network!: string;
}
