import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An extension that a process of this database has loaded, whether or not one loads it still. */
@Entity('extension')
export class LoadedExtension {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** That of the process that started last. */
  @Column({ type: 'text' })
  version!: string;

  /** The names of those that it fills. */
  @Column({ type: 'text', array: true })
  seams!: string[];

  /** A process without it does not start. */
  @Column({ type: 'boolean' })
  isRequired!: boolean;

  @Column({ type: 'timestamptz' })
  firstLoadedAt!: Date;

  @Column({ type: 'timestamptz' })
  lastLoadedAt!: Date;
}
