export * from '../../src/extension/testing/fixed-clock.js';
