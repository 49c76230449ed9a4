import type { User } from './user.entity.js';

/** The columns of a verified address. Who has proved it by a code keeps it, whoever else it is verified for. */
export type VerifiedEmail = Pick<User, 'emailVerified' | 'emailProof' | 'emailVerifiedAt'>;

export const UNVERIFIED_EMAIL: VerifiedEmail = { emailVerified: false, emailProof: 'said', emailVerifiedAt: null };

/** The owner has typed a code that was sent to the address. */
export function provedEmail(at: Date): VerifiedEmail {
  return { emailVerified: true, emailProof: 'owner', emailVerifiedAt: at };
}

/** Somebody else has said that the address is the user's. */
export function saidEmail(at: Date): VerifiedEmail {
  return { emailVerified: true, emailProof: 'said', emailVerifiedAt: at };
}
