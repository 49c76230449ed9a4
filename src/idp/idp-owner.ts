/** Whose provider it is: the instance's, which every organization may offer, or an organization's own. Nothing else differs between the two. */
export interface IdpOwner {
  readonly level: 'instance' | 'org';
  /** Of the instance or the organization. */
  readonly id: string;
}
