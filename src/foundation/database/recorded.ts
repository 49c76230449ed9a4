import { Column } from 'typeorm';

const bigintColumn = {
  to: (value: bigint | undefined): string | undefined => value?.toString(),
  from: (value: string | undefined): bigint | undefined => (value === undefined ? undefined : BigInt(value)),
};

/** The history that every journaled row keeps, so that details are read without replaying events. */
export abstract class Recorded {
  /** Sequence of the last event of this object; 0 for imported rows, which have none. */
  @Column({ type: 'bigint', default: 0, transformer: bigintColumn })
  sequence!: bigint;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  creationDate!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  changeDate!: Date;
}

/** The history of an object as the administrative API shows it: that of its row, and its owner. */
export interface Details extends Recorded {
  /** The owning organization; the instance for what belongs to no organization. */
  readonly resourceOwner: string;
}

/** The columns of `Recorded`, as `columnsOf` takes them. */
export const HISTORY = ['sequence', 'creationDate', 'changeDate'] as const;
