/** The names on the wire of a form that asks for the old password and a new one, in its order. */
export const passwordChangeFields = ['oldPassword', 'newPassword', 'newPasswordRepeat'] as const;
export type PasswordChangeField = (typeof passwordChangeFields)[number];
