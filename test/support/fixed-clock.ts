export * from '../../src/testing/fixed-clock.js';
