/**
 * The packages of the board, which few installations show and a start should not load. They are CommonJS: bundled, one
 * that is imported on demand itself has none of its names.
 */
export { createBullBoard } from '@bull-board/api';
export { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
