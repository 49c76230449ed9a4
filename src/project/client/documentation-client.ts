/**
 * The application with which the API documentation signs users in, in the system project. Fixed, so that no look-up is
 * needed.
 */
export const DOCUMENTATION_CLIENT_ID = 'swagger';
