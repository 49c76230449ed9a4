/** The application with which the API documentation signs people in, in the service's own project. Fixed, so that it knows it without asking. */
export const DOCUMENTATION_CLIENT_ID = 'swagger';
