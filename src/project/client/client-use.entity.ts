import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ClientRow } from './client.entity.js';

/** When an application that describes itself was used last; apart from the application, which stays cached. */
@Entity('client_use')
export class ClientUse {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => ClientRow, { onDelete: 'CASCADE' })
  clientRowId!: string;

  @Column({ type: 'date' })
  day!: string;
}
