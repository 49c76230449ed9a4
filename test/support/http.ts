import { checkAnswers } from '../../src/extension/testing/http.js';
import { contradictionsOf } from './runner/answer-check.mjs';

export * from '../../src/extension/testing/http.js';

/**
 * Services that openapi.json does not describe: under the word of another vendor they write a document of their own.
 */
export const describedElsewhere = new Set<string>();

// Every answer is one that openapi.json documents.
checkAnswers((origin, answer) =>
  describedElsewhere.has(origin)
    ? []
    : contradictionsOf(answer).map((found) => `and openapi.json says otherwise: ${found}`),
);
