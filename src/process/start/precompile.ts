import { flushCompileCache } from 'node:module';
import { checkNodeVersion } from '../../foundation/config/node-version.mjs';

checkNodeVersion();

/**
 * Keeps what V8 makes of the service, so that its first start is as quick as the next: for an image, which is never
 * written to.
 */
const { loadService } = await import('./load-service.js');
const { loadApplication } = await loadService();
await loadApplication();
flushCompileCache();
