import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An image of a label or its preview. Its name is its digest, so that its address can be cached forever. */
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
