/** Without `MAIL_FROM`. */
export const SENDER_IN_DEVELOPMENT = 'Gatehouse <no-reply@localhost>';
