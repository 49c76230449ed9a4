import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An extension that a process of this database has loaded, whether or not one loads it still. */
@Entity('extension')
export class LoadedExtension {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** The version in the process that started last. */
  @Column({ type: 'text' })
  version!: string;

  /** The names of the seams that the extension fills. */
  @Column({ type: 'text', array: true })
  seams!: string[];

  /** Whether a process without the extension refuses to start. */
  @Column({ type: 'boolean' })
  isRequired!: boolean;

  @Column({ type: 'timestamptz' })
  firstLoadedAt!: Date;

  @Column({ type: 'timestamptz' })
  lastLoadedAt!: Date;
}
