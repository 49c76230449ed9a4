/** Whose factor it is. */
export interface FactorOwner {
  readonly userId: string;
  /** The organization that they belong to. */
  readonly orgId: string;
}
