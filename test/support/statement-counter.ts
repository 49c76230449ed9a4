export * from '../../src/extension/testing/statement-counter.js';
