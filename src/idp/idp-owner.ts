/**
 * The owner of a provider: the instance, whose providers every organization may offer, or an organization. Nothing else
 * differs between the two.
 */
export interface IdpOwner {
  readonly level: 'instance' | 'org';
  /** Id of the instance or the organization. */
  readonly id: string;
}
