import { writeFileSync } from 'node:fs';
import { checkNodeVersion } from '../../foundation/config/node-version.mjs';

checkNodeVersion();
await import('reflect-metadata');
const { permissionTable } = await import('../../docs/permission-table.js');
const { describePreview } = await import('./preview.js');

/** Writes docs/permissions.md. Needs no database: nothing of the application runs. */
writeFileSync(new URL('../../../docs/permissions.md', import.meta.url), permissionTable(await describePreview()));
