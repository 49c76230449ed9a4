// For "node --import", before anything that an older Node could not load.
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';

checkNodeVersion();
