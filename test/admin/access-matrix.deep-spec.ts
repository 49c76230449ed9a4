import { describe } from '@jest/globals';
import { describeAccess } from './access-matrix.js';

describe('every operation knows who may do what, all of them and all callers [ADM-001, ADM-003]', () =>
  describeAccess({ strangers: 1, members: 1 }));
