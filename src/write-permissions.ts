import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { permissionTable } from './docs/permission-table.js';
import { describePreview } from './preview.js';

/** Writes docs/permissions.md. Needs no database: nothing of the application runs. */
writeFileSync(new URL('../docs/permissions.md', import.meta.url), permissionTable(await describePreview()));
