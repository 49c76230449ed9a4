/** The user of a factor. */
export interface FactorOwner {
  readonly userId: string;
  /** The organization that the user belongs to. */
  readonly orgId: string;
}
