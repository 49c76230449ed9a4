export * from '../../src/testing/call-receiver.js';
