import { describe } from '@jest/globals';
import { describeAccess } from './access-matrix.js';

describe('every operation knows who may do what, in pairs of an operation and a caller [ADM-001, ADM-003]', () =>
  describeAccess({ strangers: 18, members: 60 }));
