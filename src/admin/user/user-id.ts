import { EXAMPLE } from '../kit/wire/example-ids.js';

export const USER_ID = { min: 1, max: 200, description: 'ID of the user.', example: EXAMPLE.person };
