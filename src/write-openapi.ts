import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { describePreview } from './preview.js';

/** Writes openapi.json, as a service with the default settings shows it. Needs no database: nothing of the application runs. */
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(await describePreview(), null, 2)}\n`);
