import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An image that a label, or the preview of one, shows. Named by its content, so that its address never lies to a cache. */
@Entity('label_image')
export class LabelImage {
  /** An organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  ownerId!: string;

  /** SHA-256 of the content, base64url. */
  @PrimaryColumn({ type: 'text' })
  digest!: string;

  @Column({ type: 'text' })
  contentType!: string;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
