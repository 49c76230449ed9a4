export * from '../../src/testing/operations.js';
