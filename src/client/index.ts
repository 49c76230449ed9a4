export * from './by-hand.js';
export * from './generated/messages.js';
export * from './generated/operations.js';
