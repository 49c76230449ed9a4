import { writeFileSync } from 'node:fs';
import { checkNodeVersion } from '../../foundation/config/node-version.mjs';

checkNodeVersion();
await import('reflect-metadata');
const { describePreview } = await import('./preview.js');
const { documentText } = await import('./document-text.js');

/**
 * Writes openapi.json, as a service with the default settings shows it. Needs no database: nothing of the application
 * runs.
 */
writeFileSync(new URL('../../../openapi.json', import.meta.url), documentText(await describePreview()));
