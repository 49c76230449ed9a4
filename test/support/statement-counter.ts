export * from '../../src/testing/statement-counter.js';
