// For "node --import", before anything that an older Node could not load.
import { checkNodeVersion } from './node-version.mjs';

checkNodeVersion();
