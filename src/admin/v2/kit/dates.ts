const EXAMPLE_DATE = '2026-11-20T08:30:00.000Z';

// What is said of the dates that messages of the second generation have in place of details.
export const CREATED = { description: 'When it was created.', example: EXAMPLE_DATE } as const;
export const CHANGED = { description: 'When it was last changed.', example: EXAMPLE_DATE } as const;
export const REMOVED = { description: 'When it was removed.', example: EXAMPLE_DATE } as const;
