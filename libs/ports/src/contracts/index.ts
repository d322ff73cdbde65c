export { loginTriesContract } from './login-tries.contract.ts';
export { anchorContract, type AnchorFixture } from './anchor.contract.ts';
export { type ContractCase } from './contract-case.ts';
export { objectStoreContract, type ObjectStoreFixture } from './object-store.contract.ts';
export { queueBackendContract, type QueueBackendFixture } from './queue-backend.contract.ts';
export { headFilesContract, type HeadFilesFixture } from './head-files.contract.ts';
export { headStoreContract, type HeadStoreFixture } from './head-store.contract.ts';
export { outboundContract, type OutboundFixture } from './outbound.contract.ts';
export { witnessedCheckpointsContract, type WitnessedCheckpointsFixture } from './witnessed-checkpoints.contract.ts';
