export * from '../../src/extension/testing/operations.js';
